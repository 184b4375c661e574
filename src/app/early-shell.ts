/** What the page of every other screen does by itself: it speaks the person's language, starts the app at once, and shows that it does. Decision 13. */
import { parsed, startApp } from "./early-start.ts";
import { languageHere } from "./early-words.ts";

const html = document.documentElement;
html.lang = languageHere();
html.dataset["asked"] = "";
startApp(parsed.then(() => false));
