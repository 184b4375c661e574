/** What the page of every other screen does by itself: asks at once for all that the screen at its address needs, which the app would come to one after the other. Decision 13. */
import { fetchModules, languageHere, readStart, viewAt } from "./early-words.ts";

const { views, words } = readStart();
fetchModules([...words[languageHere()], ...(views[viewAt(location.pathname)] ?? [])]);
