/** Composes the app and renders it; nothing else. Each step is a task of its own: no touch waits for all of them. */
import { CallFailed } from "../../machines/failure.ts";
import { startTransition } from "react";
import { pageAt } from "../contract/pages.ts";
import { compose } from "./compose.ts";
import { ALIVE } from "./early-words.ts";
import type * as provider from "./ports/card-provider.ts";
import { copyText } from "./ports/clipboard.ts";
import { startClock } from "./ports/clock.ts";
import { createLateApi, whyMissed } from "./ports/late-api.ts";
import { configReader, knownConfig } from "./ports/config.ts";
import { currentLanguage, preferredLanguage, speak } from "./ports/language.ts";
import { install, readBuilds } from "./ports/download-sdk.ts";
import { forgetMark, loadScript } from "./ports/scripts.ts";
import { afterFirstTouch, openDocument, pause } from "./ports/page.ts";
import { randomWord } from "./ports/random.ts";
import { browserStorage, openStorage } from "./ports/storage.ts";
import { openWindow } from "./ports/windows.ts";
import { startWorker } from "./ports/worker.ts";
import { fitPage, forgetRules, openWritten } from "./ports/written.ts";
import { createRoot, hydrateRoot } from "./react-dom.ts";
import { screenOf, visitOf } from "./screens.ts";
import { wholeOf } from "./whole.tsx";

// During development the inspector hears of every actor from the first on; of it a build holds nothing.
const inspect = import.meta.env.DEV
  ? // oxlint-disable-next-line no-restricted-imports -- the one place, and gone from a build
    await (await import("../inspector/start.ts")).startInspector(location.href)
  : undefined;

forgetMark();
const known = knownConfig();
const config = known ? async () => known : configReader();
const storage = openStorage(browserStorage());
const language = preferredLanguage(storage);
const written = openWritten(language);
const clock = startClock(storage);
/** Here before it is paid with: a payment begins within the tap. */
let cardProvider: typeof provider | undefined;
await pause();
const app = compose({
  config,
  known,
  ...(written && { page: "written" }),
  storage,
  clock,
  connect: (refused) => {
    const { api, fetchCode } = createLateApi({ config, storage, clock, language: currentLanguage, refused });
    // Of the screens that are written whole none asks anything by itself; every other may.
    if (written !== "whole") fetchCode();
    return api;
  },
  randomWord,
  copyText,
  loadQr: async () => void (await import("react-qr-code")),
  loadCardScript: async (reading, signal) => {
    const [code] = await Promise.all([
      import("./ports/card-provider.ts").catch(async () => {
        throw await whyMissed();
      }),
      reading.then(({ cardScriptUrl }) => loadScript("card", cardScriptUrl, signal)),
    ]);
    cardProvider = code;
  },
  payByCard: async (...payment) => {
    if (!cardProvider) throw new CallFailed({ kind: "network" });
    return cardProvider.payByCard(...payment);
  },
  readBuilds,
  install,
  openWindow,
  speak,
  fetchTravel: async () => {
    try {
      return await (await import("./travel.ts")).startTravel(app);
    } catch {
      throw await whyMissed();
    }
  },
  openDocument,
  ...(inspect && { inspect }),
});
await speak(language);
const root = document.getElementById("root") as HTMLElement;
const alive = () => void document.dispatchEvent(new Event(ALIVE));
if (written === "whole") {
  const { userName } = app.session.getSnapshot().context;
  const path = pageAt(location.pathname);
  app.progress.send({ type: "page.opened", visit: visitOf(userName, path, path, {}, history.state ?? {}) });
  await screenOf(path)?.view.preload?.();
  await pause();
  fitPage(userName, known);
  hydrateRoot(root, wholeOf(app));
  alive();
  // Nobody goes anywhere before.
  afterFirstTouch(() => app.travel.send({ type: "page.touched" }));
} else {
  app.travel.send({ type: "page.touched" });
  // What shows an order already is drawn when all of it is known.
  if (written === "filled") await app.routed;
  const drawn = () => {
    forgetRules();
    alive();
  };
  // What stands there stays until the whole is drawn, in steps that a touch may come between.
  startTransition(() => createRoot(root).render(wholeOf(app, drawn)));
}
startWorker();
