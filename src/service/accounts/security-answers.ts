/** When two secret answers are the same answer, and which cannot be one. Decisions, "Secret answers". */
import { lengthOf } from "../../contract/password-rules.ts";
import { folded } from "./account-names.ts";

const LEAST_ANSWER_LENGTH = 2;

/** What shows nothing, and what only joins or directs what is beside it. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu;
/** Every quotation mark and apostrophe, and what people and keyboards use as one. */
const QUOTE = /["'`´«»ʹʺʻʼʽʾʿˈˊˋ՚׳״‘’‚‛“”„‟′″‴‵‶‷‹›❛❜❝❞❮❯⹂「」『』〝〞〟\uA78B\uA78C﹁﹂﹃﹄＂＇｀｢｣]/gu;
/** Every dash and hyphen, and the minus sign. Keyboards make one of two, so a run is one. */
const DASHES = /[\p{Pd}\u02D7\u2043\u207B\u208B\u2212]+/gu;

const withPlainMarks = (text: string) => text.replaceAll(QUOTE, "'").replaceAll(DASHES, "-");

/**
 * What of an answer is compared: without regard to letter case, width, kind of quotes and dashes, number of spaces, and
 * invisible characters. Empty when nothing of it can be seen.
 */
export function foldedAnswer(answer: string): string {
  // Marks before, too: NFKC takes some of them apart. Invisible ones before, for letters meet only without them.
  const text = folded(withPlainMarks(answer.replaceAll(INVISIBLE, "")));
  return withPlainMarks(text)
    .replaceAll(INVISIBLE, "")
    .replaceAll(/\s+/gu, " ")
    .replaceAll(/\p{Cc}/gu, "")
    .trim();
}

/** Whether anybody would guess it by going through the alphabet. One Han character says as much as a word. */
export const isShortAnswer = (foldedText: string): boolean =>
  lengthOf(foldedText) < LEAST_ANSWER_LENGTH && !/\p{Script=Han}/u.test(foldedText);

/** The foldings that an answer may have been hashed in, the present one first: before, only letter case, width and outer spaces did not count. */
export const foldingsOf = (answer: string): string[] => [
  ...new Set([foldedAnswer(answer), folded(answer.trim())]),
];
