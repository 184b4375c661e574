/** Writes the packages on sale into a page of the build that has places for them. Decision 13. */
import { percentOf, savedOf } from "../../contract/discount.ts";
import type { Package } from "../../contract/offer.ts";
import { MOST_OFFERS, OFFER_MARK, offerPlaces } from "../../contract/pages.ts";

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#x27;",
};
/** A text that no element or attribute ends in. */
const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (letter) => escapes[letter] ?? "");

/** The attribute that takes the package as the API would send it: the app begins with it. */
const whole = 'data-offer=""';
const places = new RegExp([...Object.values(offerPlaces), whole].join("|").replaceAll(".", "\\."), "g");

function markupOf(offer: Package, markup: string): string {
  const percent = percentOf(offer.discount);
  const texts: Readonly<Record<string, string>> = {
    [offerPlaces.name]: offer.name,
    [offerPlaces.productId]: offer.product_id,
    [offerPlaces.price]: offer.price,
    [offerPlaces.buyPrice]: offer.buy_price,
    [offerPlaces.dayPrice]: offer.day_price,
    [offerPlaces.percent]: String(percent),
    [offerPlaces.saved]: String(savedOf(percent)),
  };
  // In one pass: what is filled in has no places.
  return markup.replaceAll(places, (place) =>
    place === whole ? `data-offer="${escaped(JSON.stringify(offer))}"` : escaped(texts[place] ?? ""),
  );
}

/**
 * @param page as the build wrote it (`stockedPage`)
 * @returns the page with the first of the packages, as many as it has places for; null where the page has no places
 */
export function stock(page: string, offers: readonly Package[]): string | null {
  const parts = page.split(OFFER_MARK);
  const [before = "", ...markup] = parts;
  const after = markup.pop();
  if (after === undefined || markup.length !== 2 * MOST_OFFERS) return null;
  const written = offers.slice(0, MOST_OFFERS).map((offer, at) => {
    const plain = percentOf(offer.discount) === null ? MOST_OFFERS : 0;
    return markupOf(offer, markup[plain + at] ?? "");
  });
  return [before, ...written, after].join("");
}
