/** Bootstrap of a page whose screen the app replaces: makes the screen's first calls, and fills in what this browser knows. Decision 13. */
import { isElsewhere, ready, showBy, start } from "./bootstrap.ts";
import { keepForNewScreen } from "./bootstrap-drawn-anew.ts";
import { blankOffer, fillTexts, languageHere, readKept, readStart } from "./bootstrap-shared.ts";
import { CONFIG_ID } from "../../contract/pages.ts";
import { makeEarlyCalls } from "../ports/early-calls.ts";
import { chosenIn, jsonIn } from "../ports/stored-values.ts";

const { dataset } = document.documentElement;
keepForNewScreen();

/* The first calls. The app makes them when the page does not contain the API's address. */

const api = jsonIn(
  document.getElementById(CONFIG_ID)?.textContent ?? null,
  (value) => (value as { apiBaseUrl?: unknown } | null)?.apiBaseUrl,
);
const { calls = [] } = readStart();
if (typeof api === "string" && !isElsewhere)
  makeEarlyCalls(api, calls, readKept("user_token"), languageHere());

/* The data from the address and from storage. */

const parts = location.pathname.split("/").filter((part) => part !== "");
/** The last parameter of the address; null where it has none, or none that can be read. */
function parameter(): string | null {
  try {
    return parts.length > 1 ? decodeURIComponent(parts.at(-1) ?? "") : null;
  } catch {
    return null;
  }
}
showBy("--user", parameter() ?? "");

/** Fills in the package that was chosen here. @returns false where none was, or not the one of the address */
function fill(): boolean {
  const chosen = jsonIn(readKept("selectedItem"), chosenIn);
  const root = document.getElementById("root");
  const wanted = parameter();
  if (!chosen || !root || (wanted !== null && wanted !== chosen.product_id)) return false;
  fillTexts(root, { [blankOffer.name]: chosen.name, [blankOffer.price]: chosen.buy_price });
  return true;
}

void ready.then((shown) => {
  if (shown && dataset["takeover"] === "fill" && fill()) dataset["takeover"] = "replace";
  if (shown && dataset["takeover"] === "replace") return;
  dataset["asked"] = "";
  start();
});
