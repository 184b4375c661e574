/** The language in use: loads its catalogue, sets the page's `lang`, stores the choice. Specification, section 1. */
import { i18n, type Messages } from "@lingui/core";
import { firstLanguageIn, languageOf, type Language } from "../../contract/languages.ts";
import type { AppStorage } from "./storage.ts";

/** The catalogues of each language: landing page, all other screens, and the agreement. */
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

/** The manifest with the app's name in each language. */
export const manifests: Record<Language, string> = {
  en: "/manifest.webmanifest",
  "zh-CN": "/manifest.zh-CN.webmanifest",
};

/** The initial language: the stored choice, else the browser's first supported language, else English. */
export function preferredLanguage(storage: AppStorage): Language {
  return firstLanguageIn([storage.readText("language"), navigator.language, ...navigator.languages]);
}

export const currentLanguage = (): Language => languageOf(i18n.locale);

/** Loads all wanted catalogues of `language`. Rejects when one cannot be loaded. */
export async function loadMessages(language: Language): Promise<Messages> {
  const messages: Messages = {};
  const files = catalogues[language];
  // Loads all in parallel; the loop below awaits them and reports an error.
  for (const name of wanted) files[name]().catch(() => undefined);
  // Catalogues added to `wanted` meanwhile are loaded too.
  for (const name of wanted) Object.assign(messages, (await files[name]()).messages);
  return messages;
}

/** Adds the catalogue `name`, for every language from now on. Rejects when it cannot be loaded. */
export async function loadCatalogue(name: Catalogue): Promise<void> {
  wanted.add(name);
  const language = currentLanguage();
  const messages = await loadMessages(language);
  if (language !== currentLanguage()) return loadCatalogue(name);
  // Without notifying views: nothing rendered so far uses these messages.
  Object.assign(i18n.messages, messages);
}

let latest: Language;

/**
 * Switches to `language` and rerenders every view. Rejects when its catalogue cannot be loaded. @returns false when
 * another language was chosen meanwhile, which then applies
 */
export async function setLocale(language: Language): Promise<boolean> {
  latest = language;
  const messages = await loadMessages(language).catch((error: unknown) => {
    // Ignores an error for a language that is no longer wanted.
    if (latest === language) throw error;
    return null;
  });
  if (messages === null || latest !== language) return false;
  i18n.loadAndActivate({ locale: language, messages });
  document.documentElement.lang = language;
  document.querySelector("link[rel=manifest]")?.setAttribute("href", manifests[language]);
  return true;
}
