/** A part of a screen whose messages load when it is first shown. */
import { lazy, type ComponentType } from "react";
import { loadCatalogue, type Catalogue } from "../ports/language.ts";

export const withWords = (part: ComponentType, catalogue: Catalogue) =>
  lazy(async () => {
    await loadCatalogue(catalogue);
    return { default: part };
  });
