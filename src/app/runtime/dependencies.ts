/** Everything the app depends on outside itself: real in main.tsx, faked in tests. */
import type { RouterHistory } from "@tanstack/react-router";
import type { ActorOptions, AnyActorLogic } from "xstate";
import type { Card } from "../../../machines/card-fields.ts";
import type { CardOrder, CardProof } from "../../../machines/card-result.ts";
import type { Offer } from "../../../machines/catalogue.ts";
import type { Builds, Device } from "../../../machines/download.ts";
import type { ReceiptPicture } from "../../../machines/receipt.ts";
import type { Language } from "../../contract/languages.ts";
import type { Api } from "../ports/api.ts";
import type { ApiDependencies } from "../ports/api-request.ts";
import type { Clock } from "../ports/clock.ts";
import type { Config } from "../ports/config.ts";
import type { AppStorage } from "../ports/storage.ts";

export type Dependencies = {
  config: () => Promise<Config>;
  /** The configuration inlined in the page, if any. */
  known?: Config | null;
  /** "build": the build prerenders the page. "hydrate": the document holds such a page, which the app hydrates or replaces. */
  prerender?: "build" | "hydrate";
  /** The packages in a page that the build writes. */
  offers?: readonly Offer[];
  storage: AppStorage;
  clock: Clock;
  /** @returns how to load the API */
  connect: (session: Pick<ApiDependencies, "refused" | "syncAccount">) => () => Promise<Api>;
  /** Calls back when the page is visible or online again. Returns the unsubscribe function. */
  onPageVisible: (seen: () => void) => () => void;
  /** A word that cannot be guessed. */
  randomWord: () => string;
  copyText: (text: string) => Promise<void>;
  /** The code that draws QR codes. */
  loadQr: () => Promise<void>;
  /** Saves the picture of a receipt; false when the user cancelled. */
  savePicture: (picture: ReceiptPicture) => Promise<boolean>;
  /** Opens the browser's window for printing. */
  print: () => Promise<void>;
  /** Loads the card provider's script, so that it can be called within the tap. */
  loadCardScript: (config: Promise<Config>, signal: AbortSignal) => Promise<void>;
  payByCard: (order: CardOrder, key: string, card: Card) => Promise<CardProof | null>;
  readBuilds: (config: Promise<Config>, signal: AbortSignal) => Promise<Builds>;
  install: (wanted: { device: Device; url: string }) => Promise<void>;
  openWindow: (find: () => Promise<string>, signal?: AbortSignal) => Promise<{ blocked: string | null }>;
  /** False when another language was chosen meanwhile, which then applies. */
  setLocale: (language: Language) => Promise<boolean>;
  /** By default the browser's. */
  history?: RouterHistory;
  inspect?: ActorOptions<AnyActorLogic>["inspect"];
};
