/** Bootstrap of the app shell: sets the language and starts the app at once, with a progress line. Decision 13. */
import { parsed, startApp } from "./start-app.ts";
import { languageHere } from "./bootstrap-shared.ts";

const html = document.documentElement;
html.lang = languageHere();
html.dataset["asked"] = "";
startApp(parsed.then(() => false));
