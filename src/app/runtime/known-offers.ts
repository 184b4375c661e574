/** The packages that a screen starts with: those in its prerendered page. Decision 13. */
import { useState } from "react";
import type { Offer } from "../../../machines/catalogue.ts";
import { useApp } from "./hooks.ts";
import { offersInPage } from "../ports/page-offers.ts";

/** Empty when the screen was opened within the app, or its page has none: the API is then asked. */
export function useKnownOffers(): readonly Offer[] {
  const { offers } = useApp();
  const [knownOffers] = useState(() => offers ?? offersInPage());
  return knownOffers;
}

/** Marks the element of a package in a page that the build writes: the service puts one for each package in its place. */
export const useOfferMark = () => (useApp().offers === null ? undefined : "");
