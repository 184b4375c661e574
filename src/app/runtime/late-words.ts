/** A part of a screen whose messages load when it is first shown. */
import type { ComponentType } from "react";
import { loadCatalogue, type Catalogue } from "../ports/language.ts";
import { latePart } from "./late-part.ts";

export const withWords = (part: ComponentType, catalogue: Catalogue) =>
  latePart(async () => {
    await loadCatalogue(catalogue);
    return { default: part };
  });
