/** What things are called in the language in use. */
import { useLingui } from "@lingui/react";
import type { commandWords } from "../words.ts";

/** The name of a thing, in the language in use where it has words. */
export function useNames() {
  const { i18n } = useLingui();
  return (words: typeof commandWords, name: string): string => {
    const wording = words[name];
    return wording ? i18n._(wording) : name;
  };
}
