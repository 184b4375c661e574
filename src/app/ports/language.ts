/** The language in use: its catalogue loaded, the page marked, the choice kept. Specification, section 1. */
import { i18n, type Messages } from "@lingui/core";
import { languageOf, type Language } from "../../contract/languages.ts";
import type { AppStorage } from "./storage.ts";

/** The words of each language: of every screen, of all but the landing page, and of the agreement, for whoever reads it. */
const catalogues = {
  en: {
    messages: () => import("../../../locales/en/messages.po"),
    screens: () => import("../../../locales/en/screens.po"),
    agreement: () => import("../../../locales/en/agreement.po"),
  },
  "zh-CN": {
    messages: () => import("../../../locales/zh-CN/messages.po"),
    screens: () => import("../../../locales/zh-CN/screens.po"),
    agreement: () => import("../../../locales/zh-CN/agreement.po"),
  },
} satisfies Record<Language, unknown>;

export type Catalogue = keyof (typeof catalogues)[Language];
const wanted = new Set<Catalogue>(["messages"]);

/** What the app is called where it is installed. */
export const manifests: Record<Language, string> = {
  en: "/manifest.webmanifest",
  "zh-CN": "/manifest.zh-CN.webmanifest",
};

/** The language to begin in: the one chosen here before, else the browser's, else English. */
export function preferredLanguage(storage: AppStorage): Language {
  return languageOf(storage.readText("language") ?? navigator.language);
}

/** The language in use now. */
export const currentLanguage = (): Language => languageOf(i18n.locale);

/** All that is wanted of `language`. Rejects where a catalogue cannot be had. */
export async function learn(language: Language): Promise<Messages> {
  const known: Messages = {};
  const files = catalogues[language];
  // All at once; whoever waits hears of a failure.
  for (const name of wanted) files[name]().catch(() => undefined);
  // What is wanted only now is learnt with the rest.
  for (const name of wanted) Object.assign(known, (await files[name]()).messages);
  return known;
}

/** Wants the words of `name` too, from here on in every language. Rejects where they cannot be had. */
export async function learnMore(name: Catalogue): Promise<void> {
  wanted.add(name);
  const language = currentLanguage();
  const known = await learn(language);
  if (language !== currentLanguage()) return learnMore(name);
  // Without telling anybody: nothing that is drawn by now has a use for them.
  Object.assign(i18n.messages, known);
}

let latest: Language;

/**
 * Speaks `language` from here on; every view that shows words follows, at once. Rejects where its catalogue cannot be had.
 * @returns false where another language was asked for meanwhile: that one is spoken then
 */
export async function speak(language: Language): Promise<boolean> {
  latest = language;
  const messages = await learn(language).catch((error: unknown) => {
    // Nobody waits for these any more.
    if (latest === language) throw error;
    return null;
  });
  if (messages === null || latest !== language) return false;
  i18n.loadAndActivate({ locale: language, messages });
  document.documentElement.lang = language;
  document.querySelector("link[rel=manifest]")?.setAttribute("href", manifests[language]);
  return true;
}
