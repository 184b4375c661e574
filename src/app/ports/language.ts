/** The language in use: its catalogue loaded, the page marked, the choice kept. Specification, section 1. */
import { i18n } from "@lingui/core";
import { languageOf, type Language } from "../../contract/languages.ts";
import type { AppStorage } from "./storage.ts";

/** The words of each language, fetched when they are asked for. */
export const catalogues = {
  en: () => import("../../../locales/en/messages.po"),
  "zh-CN": () => import("../../../locales/zh-CN/messages.po"),
} satisfies Record<Language, unknown>;

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

/** Speaks `language` from here on; every view that shows words follows. Rejects where its catalogue cannot be had. */
export async function speak(language: Language): Promise<void> {
  const { messages } = await catalogues[language]();
  i18n.loadAndActivate({ locale: language, messages });
  document.documentElement.lang = language;
  document.querySelector("link[rel=manifest]")?.setAttribute("href", manifests[language]);
}
