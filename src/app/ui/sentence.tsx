/** A sentence that survives browser translators: its element is replaced whenever the sentence changes. Decision 21. */
import { Children, isValidElement, type ReactNode } from "react";

/** What is the same in every language: amounts, percentages, and the names of currencies and networks. */
const fixed = /(\bUSDT?\s\d+(?:\.\d+)?|\b\d+(?:\.\d+)?\sUSDT?\b|\b\d+(?:\.\d+)?%|\bUSDT?\b|\b[TE]RC20\b)/;

/** The text of `node`, as a key: another text gets another element. */
function wordsIn(node: ReactNode): string {
  if (isValidElement<{ children?: ReactNode }>(node)) return wordsIn(node.props.children);
  if (typeof node === "string" || typeof node === "number") return String(node);
  return Array.isArray(node) ? node.map(wordsIn).join("") : "";
}

/** Marks the fixed parts of a text as not to be translated. */
function marked(text: string): ReactNode {
  const parts = text.split(fixed);
  if (parts.length === 1) return text;
  return parts.map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      // oxlint-disable-next-line react/no-array-index-key -- another sentence has other elements
      <span key={at} translate="no">
        {part}
      </span>
    ),
  );
}

/** Lingui renders every `Trans` in it (`shell/root.tsx`); views use it for texts from `t` and from charts. */
export function Sentence({ children }: { children?: ReactNode }) {
  const drawn = Children.map(children, (child) => (typeof child === "string" ? marked(child) : child));
  return <span key={wordsIn(children)}>{drawn?.length === 1 ? drawn[0] : drawn}</span>;
}
