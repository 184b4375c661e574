/** What a written page and the app that takes it over say to each other. Decision 13. */
import type { Language } from "../contract/languages.ts";

/** Told to the document once React hears what happens in it. */
export const ALIVE = "app.alive";

/** What to load and when needed: in the page as `<script type="application/json" id="start">`. */
export type Start = {
  /** The modules of the app, each after those that it imports; the last one begins. */
  modules: readonly string[];
  /** What this screen adds to them. */
  view: readonly string[];
  /** Each language's catalogue. */
  words: Readonly<Record<Language, string>>;
};
