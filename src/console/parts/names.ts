/** What things are called in the language in use. */
import { useLingui } from "@lingui/react";
import { readPhrase } from "../../contract/console.ts";
import {
  blocksLeftOut,
  commandWords,
  entryWords,
  ownReasonWords,
  phraseWords,
  reasonWords,
  subjectWords,
} from "../words.ts";
import { shownTime } from "./format.ts";

/** Names may be what an operator typed: "constructor" is in every object, and no word of ours. */
const wordingOf = (words: typeof commandWords, name: string) =>
  Object.hasOwn(words, name) ? words[name] : undefined;

/** The name of a thing, in the language in use where it has words. */
export function useNames() {
  const { i18n } = useLingui();
  return (words: typeof commandWords, name: string): string => {
    const wording = wordingOf(words, name);
    return wording ? i18n._(wording) : name;
  };
}

/** What an audit entry is about, in the language in use. Hashes, and what an earlier release wrote, are shown as they are. */
export function useSubjects() {
  const { i18n } = useLingui();
  return (subject: string): string => {
    const whole = wordingOf(subjectWords, subject);
    if (whole) return i18n._(whole);
    const [, network, block] = /^(\S+) to block (\d+)$/.exec(subject) ?? [];
    if (network) return i18n._({ ...blocksLeftOut, values: { network, block } });
    const [, kind = "", which] = /^(\S+) (.+)$/.exec(subject) ?? [];
    const wording = wordingOf(subjectWords, kind);
    return wording ? i18n._({ ...wording, values: { which } }) : subject;
  };
}

/** What the service says, in the language in use; null: it has no words here. */
export function usePhrases() {
  const { i18n } = useLingui();
  const name = useNames();
  const shown: Record<string, (fact: string) => string> = {
    at: (iso) => (Number.isNaN(Date.parse(iso)) ? iso : shownTime(iso, i18n.locale)),
    action: (action) => name(entryWords, action),
    command: (command) => name(commandWords, command),
    reason: (reason) => name(ownReasonWords, reason),
    why: (why) => name(reasonWords, why),
  };
  return (text: string): string | null => {
    const said = readPhrase(text);
    if (said === null) return null;
    const values = Object.fromEntries(
      Object.entries(said.facts).map(([fact, value]) => [fact, shown[fact]?.(value) ?? value]),
    );
    return i18n._({ ...phraseWords[said.kind], values });
  };
}
