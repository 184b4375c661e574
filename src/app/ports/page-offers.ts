/** The packages that the service wrote into the page of this document. They are there until the app has drawn its own screen. Decision 13. */
import * as v from "valibot";
import type { Offer } from "../../../machines/catalogue.ts";
import { offer } from "../../contract/offer.ts";
import { jsonIn } from "./stored-values.ts";

const packageIn = (value: unknown): Offer | null => {
  const read = v.safeParse(offer, value);
  return read.success ? read.output : null;
};

/** Empty when the page has none, or one of them cannot be read. */
export function offersInPage(): readonly Offer[] {
  const offers = Array.from(document.querySelectorAll<HTMLElement>("#root [data-offer]"), ({ dataset }) =>
    jsonIn(dataset["offer"] ?? null, packageIn),
  );
  const read = offers.filter((each) => each !== null);
  return read.length === offers.length ? read : [];
}
