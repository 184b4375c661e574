/** Creates the app and renders it. Each step is a task of its own, so that a touch is answered between them. */
import { CallFailed } from "../../machines/call-error.ts";
import { i18n } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { startTransition } from "react";
import { createApp } from "./runtime/create-app.ts";
import { beginHydration } from "./runtime/hooks.ts";
import { ALIVE } from "./prerender/bootstrap-shared.ts";
import type * as provider from "./ports/card-provider.ts";
import { copyText } from "./ports/clipboard.ts";
import { startClock } from "./ports/clock.ts";
import { lazyApi } from "./ports/api-client.ts";
import { missingCode } from "./ports/missing-code.ts";
import { configReader, knownConfig } from "./ports/config.ts";
import { tolerateForeignNodes } from "./ports/foreign-nodes.ts";
import { currentLanguage, preferredLanguage, setLocale } from "./ports/language.ts";
import { install, readBuilds } from "./ports/download-sdk.ts";
import { forgetMark, loadScript } from "./ports/scripts.ts";
import { onPageVisible, pause } from "./ports/page.ts";
import { randomWord } from "./ports/random.ts";
import { browserStorage, openStorage } from "./ports/storage.ts";
import { openWindow } from "./ports/windows.ts";
import { startWorker } from "./ports/service-worker.ts";
import { fitPage, forgetRules, openPrerendered } from "./prerender/hydrate.ts";
import { createRoot, hydrateRoot } from "./prerender/react-dom.ts";
import { watchTyped } from "./ports/typed-values.ts";
import { rootOf } from "./shell/root.tsx";

// During development the inspector hears of every actor from the first on; a build contains none of it.
const inspect = import.meta.env.DEV
  ? // oxlint-disable-next-line no-restricted-imports -- the one place, and gone from a build
    await (await import("../inspector/start.ts")).startInspector(location.href)
  : undefined;

forgetMark();
tolerateForeignNodes();
const root = document.getElementById("root") as HTMLElement;
const typed = watchTyped(root);
const known = knownConfig();
const config = known ? async () => known : configReader();
const storage = openStorage(browserStorage());
const language = preferredLanguage(storage);
const prerendered = openPrerendered(language);
const clock = startClock(storage);
/** Loaded before it is needed: a payment begins within the tap. */
let cardProvider: typeof provider | undefined;
await pause();
const app = createApp({
  config,
  known,
  ...(prerendered && { prerender: "hydrate" }),
  storage,
  clock,
  connect: (session) => {
    const load = lazyApi(({ createApi }) =>
      createApi({ config, storage, clock, language: currentLanguage, ...session }),
    );
    // A screen that is hydrated asks the API nothing by itself.
    if (prerendered !== "hydrate") load().catch(() => undefined);
    return load;
  },
  onPageVisible,
  randomWord,
  copyText,
  loadQr: async () => void (await import("react-qr-code")),
  savePicture: async (picture) => (await import("./ports/receipt-picture.ts")).savePicture(picture),
  print: async () => window.print(),
  loadCardScript: async (reading, signal) => {
    const [code] = await Promise.all([
      import("./ports/card-provider.ts").catch(async () => {
        throw await missingCode();
      }),
      reading.then(({ cardScriptUrl }) => loadScript("card", cardScriptUrl, "Razorpay", signal)),
    ]);
    cardProvider = code;
  },
  payByCard: async (...payment) => {
    if (!cardProvider) throw new CallFailed({ kind: "network" });
    return cardProvider.payByCard(...payment);
  },
  readBuilds,
  install,
  openWindow: async (...asked) => openWindow(i18n._(msg`Loading`), ...asked),
  setLocale,
  ...(inspect && { inspect }),
});
await setLocale(language);
await pause();
app.router();
await pause();
const told = new Promise((resolve) => {
  app.notifications.subscribe((state) => state.hasTag("urgent") && resolve(null));
});
const opened = app.start();
const alive = () => void document.dispatchEvent(new Event(ALIVE));
if (prerendered === "hydrate") {
  await opened;
  await pause();
  beginHydration(app);
  fitPage(app.session.getSnapshot().context.userName, known);
  hydrateRoot(root, rootOf(app), {
    // React renders the screen anew when a browser extension has added nodes.
    onRecoverableError: (error) => {
      typed.putBack();
      // The console reports it, as without this option.
      queueMicrotask(() => {
        throw error;
      });
    },
  });
  alive();
  app.navigationActor.on("view.left", typed.forget);
} else {
  // The page stays until the screen's data is known, and what was typed until the new fields are there. An urgent
  // notification is shown at once.
  if (prerendered === "replace" || typed.any) await Promise.race([opened, told]);
  const drawn = () => {
    forgetRules();
    typed.putBack();
    typed.forget();
    alive();
  };
  // The page stays until the screen is rendered, in slices between which touches are handled.
  startTransition(() => createRoot(root).render(rootOf(app, drawn)));
}
startWorker();
