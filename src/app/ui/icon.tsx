/** A line icon from the Lucide family; its look is a global style (`theme/style.ts`). */
import type { IconNode } from "lucide";
import { createElement } from "react";

/** Hidden from screen readers, because the text beside it says the same. The parent's style sets its size. */
export const Icon = ({ of }: { of: IconNode }) => (
  <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
    {of.map(([part, attributes], at) => createElement(part, { ...attributes, key: at }))}
  </svg>
);
