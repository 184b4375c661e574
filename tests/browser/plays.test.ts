/** The plays of the flows that matter most, in real Chromium in front of the real service. */
import { beforeAll } from "vitest";
import { drive, type Hand } from "../support/play.ts";
import type { Phone } from "../support/browser.ts";
import { handOn } from "../support/browser-hand.ts";
import { charged, offer, payingByCard, preparingCard, provider } from "../models/card.ts";
import { login } from "../models/login.ts";
import { pull } from "../models/pull.ts";
import { session } from "../models/session.ts";
import { freshName, openHouse } from "./support.ts";

const house = openHouse();

beforeAll(async () => void (await house.service.join("anna")));

/** Answers that a play withholds or refuses. */
const foreseen = /ERR_FAILED|ERR_ABORTED|status of 404|status 404/;

drive(login, async () => handOn(await house.phone({ foreseen }), "/login", login));

drive(session, async () => {
  // Logging out ended the session of the path before.
  const account = await house.service.join("anna");
  return handOn(await house.phone({ foreseen, account }), "/home", session);
});

/** A finger as only a browser has it. */
drive(pull, async () => handOn(await house.phone({ foreseen }), "/home", pull));

/** A member in front of the card screen. */
const cardPhone = async (): Promise<Phone> =>
  house.phone({
    foreseen,
    account: await house.service.join(freshName()),
    storage: { selectedItem: JSON.stringify(offer) },
  });
drive(preparingCard, async () => handOn(await cardPhone(), "/razorpayDetail", preparingCard));

let payer: Phone;
/** Here the bank asks, in a window of its own, and the service learns from it. */
const byTheBank = {
  ...payingByCard,
  deeds: {
    ...payingByCard.deeds,
    "the card is charged": {
      ...charged,
      does: async (hand: Hand) => {
        await hand.answer(provider, "real");
        const bank = payer.context.pages().at(-1);
        await bank?.getByRole("button", { name: "Confirm payment" }).tap();
      },
    },
  },
};
drive(byTheBank, async () => {
  payer = await cardPhone();
  return handOn(payer, "/razorpayDetail", byTheBank);
});
