/** What things are called in the language in use. */
import { useLingui } from "@lingui/react";
import { readRemark } from "../../contract/console.ts";
import {
  blocksLeftOut,
  entryWords,
  ownReasonWords,
  remarkWords,
  subjectWords,
  type commandWords,
} from "../words.ts";
import { shownTime } from "./format.ts";

/** The name of a thing, in the language in use where it has words. */
export function useNames() {
  const { i18n } = useLingui();
  return (words: typeof commandWords, name: string): string => {
    const wording = words[name];
    return wording ? i18n._(wording) : name;
  };
}

/** What an audit entry is about, in the language in use. Hashes, and what an earlier release wrote, are shown as they are. */
export function useSubjects() {
  const { i18n } = useLingui();
  const words: typeof commandWords = subjectWords;
  return (subject: string): string => {
    const whole = words[subject];
    if (whole) return i18n._(whole);
    const [, network, block] = /^(\S+) to block (\d+)$/.exec(subject) ?? [];
    if (network) return i18n._({ ...blocksLeftOut, values: { network, block } });
    const [, kind = "", which] = /^(\S+) (.+)$/.exec(subject) ?? [];
    const wording = words[kind];
    return wording ? i18n._({ ...wording, values: { which } }) : subject;
  };
}

/** What a preview says besides, in the language in use; null: it has no words here. */
export function useRemarks() {
  const { i18n } = useLingui();
  const name = useNames();
  return (text: string): string | null => {
    const said = readRemark(text);
    if (said === null) return null;
    const { at, action, reason } = said.facts;
    const values = {
      ...said.facts,
      ...(at === undefined ? {} : { at: shownTime(at, i18n.locale) }),
      ...(action === undefined ? {} : { action: name(entryWords, action) }),
      ...(reason === undefined ? {} : { reason: name(ownReasonWords, reason) }),
    };
    return i18n._({ ...remarkWords[said.kind], values });
  };
}
