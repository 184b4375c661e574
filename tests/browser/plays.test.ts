/** The plays of the flows that matter most, in real Chromium in front of the real service. */
import { beforeAll } from "vitest";
import type { AnyStateMachine } from "xstate";
import { paths } from "../../src/contract/calls.ts";
import { bill } from "../models/bill.ts";
import { offer, payingByCard, preparingCard, provider } from "../models/card.ts";
import { login } from "../models/login.ts";
import { order, orderClaimed } from "../models/order.ts";
import { pull } from "../models/pull.ts";
import { purchase } from "../models/purchase.ts";
import { forgetful, recovery } from "../models/recovery.ts";
import { register } from "../models/register.ts";
import { session } from "../models/session.ts";
import type { Account, Phone } from "../support/browser.ts";
import { handOn } from "../support/browser-hand.ts";
import { drive, type Hand, type Play } from "../support/play.ts";
import { eventually, freshName, openHouse } from "./support.ts";

const house = openHouse();
let payer: Account;

beforeAll(async () => {
  const { service } = house;
  await service.join("anna");
  const { token } = await service.join(forgetful.name);
  const { data: questions } = await service.call<string[]>(paths.securityProblems);
  const answer = { security_problem: questions[0], security_problem_value: forgetful.answer };
  await service.call(paths.saveSecurityProblem, answer, token);
  payer = await service.join("payer");
});

/** Answers that a play withholds or refuses. */
const foreseen = /ERR_FAILED|ERR_ABORTED|status of 404|status 404/;

drive(login, async () => handOn(await house.phone({ foreseen }), "/login", login));
drive(register, async () => handOn(await house.phone({ foreseen }), "/register", register));
drive(recovery, async () => handOn(await house.phone({ foreseen }), "/forgetPasswordUserName", recovery));

drive(session, async () => {
  // Logging out ended the session of the path before.
  const account = await house.service.join("anna");
  return handOn(await house.phone({ foreseen, account }), "/home", session);
});

/** A finger as only a browser has it. */
drive(pull, async () => handOn(await house.phone({ foreseen }), "/home", pull));

/* Paying. */

/** The order that the play of the moment is about. */
let own: Awaited<ReturnType<typeof house.service.order>>;
const orderAnew = async () => {
  own = await house.service.order(payer);
  return own;
};

/** The same play, in which these deeds come about in another way. */
function otherwise<M extends AnyStateMachine, Look extends object>(
  play: Play<M, Look>,
  names: readonly string[],
  does: (hand: Hand) => Promise<void>,
): Play<M, Look> {
  const deeds = Object.entries(play.deeds).map(([name, deed]) => [
    name,
    names.includes(name) ? { ...deed, does } : deed,
  ]);
  return { ...play, deeds: Object.fromEntries(deeds) as typeof play.deeds };
}

/** Money has really arrived when it is told of. */
const arrive = async (hand: Hand) => {
  await house.service.transfer(own);
  await eventually(async () => (await house.service.detail(payer, own.orderId)).status).toBe(1);
  await hand.answer(paths.orderDetail, "real");
};

const paymentPlace = () => {
  const { network, amount, address, orderId } = own;
  return `/payDetail/1/monthly/${network}/${amount}/${address}/${orderId}`;
};

drive(otherwise(order, ["is told that it is paid", "is told about the paid order"], arrive), async () => {
  const { orderId } = await orderAnew();
  const { created_at } = await house.service.detail(payer, orderId);
  const kept = {
    ...own,
    deadline: Date.parse(created_at ?? "") + 30 * 60_000,
    accountName: payer.name,
    packId: "1",
    productId: "monthly",
    packName: "Monthly",
  };
  const storage = { orders: JSON.stringify([kept]) };
  return handOn(await house.phone({ account: payer, storage, foreseen }), paymentPlace(), order);
});

drive(orderClaimed, async () => {
  await orderAnew();
  return handOn(await house.phone({ account: payer, foreseen }), paymentPlace(), orderClaimed);
});

drive(otherwise(bill, ["is told that it is confirmed"], arrive), async () => {
  const { orderId, amount } = await orderAnew();
  const phone = await house.phone({ account: payer, foreseen });
  return handOn(phone, `/billDetail/${orderId}/1/${amount}/-`, bill);
});

drive(purchase, async () => {
  const { data } = await house.service.call<object[][]>(paths.packages);
  const storage = { selectedItem: JSON.stringify(data[2]?.[0]) };
  return handOn(await house.phone({ account: payer, storage, foreseen }), "/pay/monthly", purchase);
});

/** A member in front of the card screen. */
const phoneForCards = async (): Promise<Phone> =>
  house.phone({
    foreseen,
    account: await house.service.join(freshName()),
    storage: { selectedItem: JSON.stringify(offer) },
  });
drive(preparingCard, async () => handOn(await phoneForCards(), "/razorpayDetail", preparingCard));

let cardPhone: Phone;
/** Here the bank asks, in a window of its own, and the service learns from it. */
const charge = async (hand: Hand) => {
  await hand.answer(provider, "real");
  const bank = cardPhone.context.pages().at(-1);
  await bank?.getByRole("button", { name: "Confirm payment" }).tap();
};
const payingAtTheBank = otherwise(payingByCard, ["the card is charged"], charge);
drive(payingAtTheBank, async () => {
  cardPhone = await phoneForCards();
  return handOn(cardPhone, "/razorpayDetail", payingAtTheBank);
});
