/** The browser around the page: the link in its address, its language, files that it saves. */
import { i18n } from "@lingui/core";
import { browserSupportsWebAuthn } from "@simplewebauthn/browser";
import { firstLanguageIn, type Language } from "../../contract/languages.ts";

const catalogues = {
  en: () => import("../../../locales/en/console.po"),
  "zh-CN": () => import("../../../locales/zh-CN/console.po"),
} satisfies Record<Language, unknown>;

/** The link's token behind the `#`, which is gone from the address and the history at once. */
export function takeLink(): string | null {
  const token = location.hash.slice(1);
  if (token === "") return null;
  history.replaceState(null, "", location.pathname + location.search);
  return token;
}

const KEY = "language";

export const preferredLanguage = (): Language =>
  firstLanguageIn([localStorage.getItem(KEY), navigator.language, ...navigator.languages]);

/** Shows the page in a language, from now on. */
export async function setLanguage(language: Language): Promise<void> {
  const { messages } = await catalogues[language]();
  i18n.loadAndActivate({ locale: language, messages });
  document.documentElement.lang = language;
  localStorage.setItem(KEY, language);
}

/** Ms in which a browser has begun to save a file: some do it a while after they were told. */
const BEGINNING = 60_000;

/** Saves a file, as a download of that name. */
export function saveFile(name: string, file: Blob): void {
  const address = URL.createObjectURL(file);
  const anchor = document.createElement("a");
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), BEGINNING);
}

/** A key that no one else has. */
export const newTicket = (): string => `page-${crypto.randomUUID()}`;

/** Whether this browser has passkeys for this page: it knows them of names alone, not of addresses. */
export const hasPasskeys = (): boolean =>
  browserSupportsWebAuthn() && isSecureContext && !/^[\d.]+$|^\[/.test(location.hostname);

export const reload = () => location.reload();
