/** All that the app has outside of itself: made in main.tsx, faked in tests. */
import type { ActorOptions, AnyActorLogic } from "xstate";
import type { Card } from "../../machines/card-fields.ts";
import type { CardOrder, CardProof } from "../../machines/card-setup.ts";
import type { Builds, Device } from "../../machines/download.ts";
import type { Language } from "../contract/languages.ts";
import type { Api } from "./ports/api.ts";
import type { Clock } from "./ports/clock.ts";
import type { Config } from "./ports/config.ts";
import type { AppStorage } from "./ports/storage.ts";
import type { Travel } from "./ways.ts";

export type Outside = {
  config: () => Promise<Config>;
  /** The same where the page itself says it, so that nothing waits for it. */
  known?: Config | null;
  /** "ahead": the build writes the page, for whoever will open it. "written": such a page is being brought to life. */
  page?: "ahead" | "written";
  storage: AppStorage;
  clock: Clock;
  /** `refused` is called when the API says that nobody is signed in, once for all that was being asked then. */
  connect: (refused: () => void) => Api;
  /** A word that nobody can guess. */
  randomWord: () => string;
  copyText: (text: string) => Promise<void>;
  /** The code that draws QR codes. */
  loadQr: () => Promise<void>;
  /** The card provider's script: loaded, and called within the tap. */
  loadCardScript: (config: Promise<Config>, signal: AbortSignal) => Promise<void>;
  payByCard: (order: CardOrder, key: string, card: Card) => Promise<CardProof | null>;
  readBuilds: (config: Promise<Config>, signal: AbortSignal) => Promise<Builds>;
  install: (wanted: { device: Device; url: string }) => Promise<void>;
  openWindow: (find: () => Promise<string>, signal?: AbortSignal) => Promise<{ blocked: string | null }>;
  /** False where another language was asked for meanwhile: that one is spoken then. */
  speak: (language: Language) => Promise<boolean>;
  /** The router's code, and the router started. */
  fetchTravel: () => Promise<Travel>;
  /** An address in a document of its own. */
  openDocument: (address: string, replace?: boolean) => void;
  inspect?: ActorOptions<AnyActorLogic>["inspect"];
};
