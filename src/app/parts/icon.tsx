/** A small drawing of one line's weight, from the Lucide family: how it looks is a rule of the page (`theme/style.ts`). */
import type { IconNode } from "lucide";
import { createElement } from "react";

/** Beside words that say the same, so nobody is read it. Its part of the page decides its size. */
export const Icon = ({ of }: { of: IconNode }) => (
  <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
    {of.map(([part, attributes], at) => createElement(part, { ...attributes, key: at }))}
  </svg>
);
