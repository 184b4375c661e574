/** The user models of the main flows, in real Chromium in front of the real service. */
import { beforeAll } from "vitest";
import type { AnyStateMachine } from "xstate";
import { paths } from "../../src/contract/calls.ts";
import { bill } from "../models/bill.ts";
import { offer, payingByCard, preparingCard, provider } from "../models/card.ts";
import { login } from "../models/login.ts";
import { order, orderClaimed } from "../models/order.ts";
import { payOnceModels } from "../models/pay-once.ts";
import { pull } from "../models/pull.ts";
import { keptBefore, purchase, purchaseAgain } from "../models/purchase.ts";
import { forgetful, recovery } from "../models/recovery.ts";
import { register } from "../models/register.ts";
import { session } from "../models/session.ts";
import { sessions } from "../models/sessions.ts";
import { PASSWORD, type Account, type Phone } from "../support/browser.ts";
import { browserUser } from "../support/browser-user.ts";
import { repeats } from "../support/lane.ts";
import { ok } from "../support/replies.ts";
import { runInBrowser, type BrowserWalk, type UserModel } from "../support/user-model.ts";
import { eventually, freshName, openFixture } from "./support.ts";
import type { User } from "../user.ts";

const fixture = openFixture();
const walks: BrowserWalk[] = [];
const walk = <M extends AnyStateMachine, View extends object>(
  model: UserModel<M, View>,
  open: BrowserWalk["open"],
) => walks.push({ model: model as unknown as UserModel, open });
let payer: Account;

beforeAll(async () => {
  const { service } = fixture;
  await service.join("anna");
  const { token } = await service.join(forgetful.name);
  const { data: questions } = await service.call<string[]>(paths.securityProblems);
  const answer = {
    security_problem: questions[0],
    security_problem_value: forgetful.answer,
    password: PASSWORD,
  };
  await service.call(paths.saveSecurityProblem, answer, token);
  payer = await service.join("payer");
});

/** Answers that a user model withholds or refuses. */
const foreseen = /ERR_FAILED|ERR_ABORTED|status of 404|status 404/;

walk(session, async () => {
  // Logging out ended the session of the path before.
  const account = await fixture.service.join("anna");
  return browserUser(await fixture.phone({ foreseen, account }), "/home", session);
});

/* Forms and lists, which jsdom shows as a browser does: they are walked here in the second lane. */

if (repeats) {
  walk(login, async () => browserUser(await fixture.phone({ foreseen }), "/login", login));
  walk(register, async () => browserUser(await fixture.phone({ foreseen }), "/register", register));
  walk(recovery, async () =>
    browserUser(await fixture.phone({ foreseen }), "/forgetPasswordUserName", recovery),
  );

  walk(sessions, async () => {
    const account = await fixture.service.join("anna");
    // While an address is opened time goes on, and the list is being read already.
    const user = await browserUser(await fixture.phone({ foreseen, account }), "/setting", sessions);
    await user.visit("/sessions");
    return user;
  });

  /** A finger as only a browser has it. */
  walk(pull, async () => browserUser(await fixture.phone({ foreseen }), "/home", pull));
}

/* Paying. */

/** The order that the present path is about. */
let own: Awaited<ReturnType<typeof fixture.service.order>>;
const orderAnew = async () => {
  own = await fixture.service.order(payer);
  return own;
};

/** The same user model, with other ways to perform these actions. */
function otherwise<M extends AnyStateMachine, View extends object>(
  model: UserModel<M, View>,
  names: readonly string[],
  does: (user: User) => Promise<void>,
): UserModel<M, View> {
  const actions = Object.entries(model.actions).map(([name, action]) => [
    name,
    names.includes(name) ? { ...action, does, real: true } : action,
  ]);
  return { ...model, actions: Object.fromEntries(actions) as typeof model.actions };
}

/** Money has really arrived when it is told of. */
const arrive = async (user: User) => {
  await fixture.service.transfer(own);
  await eventually(async () => (await fixture.service.detail(payer, own.orderId)).status).toBe(1);
  await user.answer(paths.orderDetail, "real");
};

const paymentPlace = () => {
  const { network, amount, address, orderId } = own;
  return `/payDetail/1/monthly/${network}/${amount}/${address}/${orderId}`;
};

walk(
  otherwise(
    order,
    ["is told that it is paid", "is told about the paid order", "it turns out to be paid"],
    arrive,
  ),
  async () => {
    const { orderId } = await orderAnew();
    const { created_at } = await fixture.service.detail(payer, orderId);
    const kept = {
      ...own,
      deadline: Date.parse(created_at ?? "") + 30 * 60_000,
      accountName: payer.name,
      packId: "1",
      productId: "monthly",
      packName: "Monthly",
    };
    const storage = { orders: JSON.stringify([kept]) };
    return browserUser(await fixture.phone({ account: payer, storage, foreseen }), paymentPlace(), order);
  },
);

/** The sandbox's networks are never behind; all else is the service's own answer. */
const claimed = otherwise(orderClaimed, ["is told the same of a network behind"], async (user) => {
  const detail = await fixture.service.detail(payer, own.orderId);
  await user.answer(paths.orderDetail, ok({ ...detail, network_behind: true }));
});
walk(claimed, async () => {
  await orderAnew();
  return browserUser(await fixture.phone({ account: payer, foreseen }), paymentPlace(), claimed);
});

walk(otherwise(bill, ["is told that it is confirmed"], arrive), async () => {
  const { orderId, amount } = await orderAnew();
  const phone = await fixture.phone({ account: payer, foreseen });
  return browserUser(phone, `/billDetail/${orderId}/0/${amount}/-`, bill);
});

const chosenPackage = async () => {
  const { data } = await fixture.service.call<object[][]>(paths.packages);
  return { selectedItem: JSON.stringify(data[2]?.[0]) };
};
walk(purchase, async () => {
  const storage = await chosenPackage();
  return browserUser(await fixture.phone({ account: payer, storage, foreseen }), "/pay/monthly", purchase);
});
/** An address that was typed has no place in the router's history: by Back, the screen would be left. */
const byKey = otherwise(purchaseAgain, ["closes the question"], (user) => user.press("{Escape}"));
walk(byKey, async () => {
  // The payer has nearly as many unpaid orders as are allowed in an hour.
  const account = await fixture.service.join(freshName());
  const orders = keptBefore.map((kept) => ({ ...kept, accountName: account.name }));
  const storage = { ...(await chosenPackage()), orders: JSON.stringify(orders) };
  const phone = await fixture.phone({ account, storage, foreseen });
  // Back leads there, within the document.
  const user = await browserUser(phone, "/buy", byKey);
  await user.visit("/pay/monthly");
  return user;
});

/** A member in front of the card screen. */
const phoneForCards = async (): Promise<Phone> =>
  fixture.phone({
    foreseen,
    account: await fixture.service.join(freshName()),
    storage: { selectedItem: JSON.stringify(offer) },
  });
walk(preparingCard, async () => browserUser(await phoneForCards(), "/razorpayDetail", preparingCard));

for (const { model, order } of payOnceModels) {
  const byEscape = otherwise(model, ["closes the question"], (user) => user.press("{Escape}"));
  walk(byEscape, async () => {
    const account = await fixture.service.join(freshName());
    const storage = {
      selectedItem: JSON.stringify(offer),
      orders: JSON.stringify([{ ...order, accountName: account.name }]),
    };
    return browserUser(await fixture.phone({ foreseen, account, storage }), "/razorpayDetail", byEscape);
  });
}

let cardPhone: Phone;
/** Here the bank asks, in a window of its own, and the service learns from it. */
const charge = async (user: User) => {
  await user.answer(provider, "real");
  const bank = cardPhone.context.pages().at(-1);
  await bank?.getByRole("button", { name: "Confirm payment" }).tap();
};
const payingAtTheBank = otherwise(payingByCard, ["the card is charged"], charge);
walk(payingAtTheBank, async () => {
  cardPhone = await phoneForCards();
  return browserUser(cardPhone, "/razorpayDetail", payingAtTheBank);
});

await runInBrowser(walks);
