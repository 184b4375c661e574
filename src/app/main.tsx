/** Composes the app and renders it; nothing else. */
import { i18n } from "@lingui/core";
import { I18nProvider } from "@lingui/react";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { AppProvider } from "./app.ts";
import { compose } from "./compose.ts";
import { createApi } from "./ports/api.ts";
import { copyText } from "./ports/clipboard.ts";
import { startClock } from "./ports/clock.ts";
import { readConfig } from "./ports/config.ts";
import { currentLanguage, preferredLanguage, speak } from "./ports/language.ts";
import { payByCard } from "./ports/card-provider.ts";
import { install, readBuilds } from "./ports/download-sdk.ts";
import { loadScript } from "./ports/scripts.ts";
import { randomWord } from "./ports/random.ts";
import { browserStorage, openStorage } from "./ports/storage.ts";
import { openWindow } from "./ports/windows.ts";
import { createAppRouter } from "./routes.tsx";
import { startWorker } from "./ports/worker.ts";
import { GlobalStyle } from "./theme/style.ts";

// During development the inspector hears of every actor from the first on; of it a build holds nothing.
const inspect = import.meta.env.DEV
  ? // oxlint-disable-next-line no-restricted-imports -- the one place, and gone from a build
    await (await import("../inspector/start.ts")).startInspector(location.href)
  : undefined;

const config = readConfig();
const storage = openStorage(browserStorage());
const clock = startClock();
const app = compose({
  config,
  storage,
  clock,
  connect: (refused) => createApi({ config, storage, clock, language: currentLanguage, refused }),
  randomWord,
  copyText,
  loadCardScript: async (reading) => loadScript("card", (await reading).cardScriptUrl),
  payByCard,
  readBuilds,
  install,
  openWindow,
  speak,
  go: (place, { replace = false, unasked = false } = {}) =>
    void router.navigate({ ...place, replace, ignoreBlocker: unasked }),
  reconsider: () => void router.invalidate(),
  ...(inspect && { inspect }),
});
const router = createAppRouter(app);

await speak(preferredLanguage(storage));
createRoot(document.getElementById("root") as HTMLElement).render(
  <StrictMode>
    <I18nProvider i18n={i18n}>
      <AppProvider value={app}>
        <GlobalStyle />
        <RouterProvider router={router} />
      </AppProvider>
    </I18nProvider>
  </StrictMode>,
);
startWorker();
