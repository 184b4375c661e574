/** What a user may do in a life on a faulty network, by name; each is possible in some states of the app alone. */
import type { AnyActorRef, AnyEventObject, AnyMachineSnapshot, SnapshotFrom } from "xstate";
import type { purchaseMachine } from "../../machines/purchase.ts";
import type { orderMachine } from "../../machines/order.ts";
import { isTransfer } from "../../machines/kept-orders.ts";
import { billOf, paymentOf } from "../../src/app/navigation/destinations.ts";
import type { Destination } from "../../src/app/navigation/routes.ts";
import type { HeadlessApp } from "./headless-app.ts";

export type Life = Pick<HeadlessApp, "app" | "screen" | "actors"> & {
  credentials: { account_name: string; password: string };
  /** Those of an account that does not exist in the beginning. */
  newcomer: { account_name: string; password: string };
  /** The user asked for an order: it is the same one while the word is the same. */
  intends: (rail: "usdt" | "stripe", word?: string) => void;
  tapped: () => void;
  transfer: (network: string, address: string, amount: string) => Promise<unknown>;
  /** The payment pages that were opened in a window of their own. */
  windows: string[];
  payAtStripe: (address: string) => Promise<unknown>;
  /** The card payments whose bank asked, and whose page the user closed. */
  bankPages: string[];
  /** The user says yes in the bank's own app. */
  payAtBank: (paymentId: string) => Promise<unknown> | undefined;
  pass: (ms: number) => Promise<void>;
};

export const snapshotOf = (actor: AnyActorRef) => actor.getSnapshot() as AnyMachineSnapshot;
export const chartOf = (actor: AnyActorRef): string => snapshotOf(actor).machine.id;
const find = (life: Life, chart: string) => life.actors().find((actor) => chartOf(actor) === chart);

type Action = (life: Life) => (() => unknown) | null;

const sends =
  (chart: string, event: AnyEventObject, before?: (life: Life, actor: AnyActorRef) => void): Action =>
  (life) => {
    const actor = find(life, chart);
    if (!actor || !snapshotOf(actor).can(event)) return null;
    return () => {
      before?.(life, actor);
      actor.send(event);
    };
  };

/** Tells every actor of the screen that understands one of the events. */
const tellsAll =
  (types: readonly string[], only: (snapshot: AnyMachineSnapshot) => boolean = () => true): Action =>
  (life) => {
    const told = life
      .actors()
      .flatMap((actor) =>
        types.flatMap((type) =>
          only(snapshotOf(actor)) && snapshotOf(actor).can({ type }) ? [{ actor, type }] : [],
        ),
      );
    return told.length === 0 ? null : () => told.forEach(({ actor, type }) => actor.send({ type }));
  };

const goes =
  (destination: Destination, when: (life: Life) => boolean = () => true): Action =>
  (life) =>
    life.screen() !== destination.to && when(life) ? () => life.app.navigation.navigate(destination) : null;

const isSignedIn = ({ app }: Life) => app.session.getSnapshot().matches("signedIn");

const fills =
  (card_number: string): Action =>
  (life) => {
    const card = find(life, "card");
    if (!card || !snapshotOf(card).matches("entering")) return null;
    const fields = { card_number, expiry: "12/30", cvv: "123", cardholder: "Anna Example" };
    return () => {
      for (const [field, text] of Object.entries(fields)) card.send({ type: "card.edited", field, text });
    };
  };

const paysInUsdt = sends("purchase", { type: "pay.requested" }, (life, actor) => {
  const { network } = (actor.getSnapshot() as SnapshotFrom<typeof purchaseMachine>).context;
  life.intends("usdt", `${actor.sessionId} ${network}`);
});

const sendsUsdt: Action = (life) => {
  const order = find(life, "order");
  const issued = order && (order.getSnapshot() as SnapshotFrom<typeof orderMachine>).context.issued;
  return issued ? () => life.transfer(issued.network, issued.address, issued.amount) : null;
};

const opensKept =
  (at: number): Action =>
  (life) => {
    const order = life.app.pendingOrders.getSnapshot().context.orders[at];
    if (!order || life.screen() !== "account") return null;
    return () => life.app.navigation.navigate(isTransfer(order) ? paymentOf(order) : billOf(order));
  };

const waits =
  (ms: number): Action =>
  (life) =>
  () =>
    life.pass(ms);

const logsIn =
  (who: "credentials" | "newcomer"): Action =>
  (life) =>
    sends("login", { type: "form.submitted", ...life[who] })(life);

/** What leads on is done more often than what leads elsewhere. */
const LEADS_ON = 4;
const elsewhere = new Set([
  "opens the login page",
  "opens the registration",
  "opens the packages",
  "opens the account",
  "goes home",
  "logs out",
  "chooses ERC20",
  "picks the year",
  "comes back to the page",
  "waits for a second",
  "waits for twelve seconds",
  "waits for seventy seconds",
]);

/** The names of the actions that are possible now, each as often as it is likely. */
export const possibleIn = (life: Life): string[] =>
  Object.entries(actions).flatMap(([name, action]) =>
    action(life) === null ? [] : Array.from({ length: elsewhere.has(name) ? 1 : LEADS_ON }, () => name),
  );

export const actions: Readonly<Record<string, Action>> = {
  "opens the login page": goes({ to: "login" }, (life) => !isSignedIn(life)),
  "logs in": logsIn("credentials"),
  "logs in with the new account": logsIn("newcomer"),
  "opens the registration": goes({ to: "register" }, (life) => !isSignedIn(life)),
  registers: (life) => sends("register", { type: "form.submitted", ...life.newcomer, agreement: true })(life),
  "opens the packages": goes({ to: "packages" }),
  "opens the account": goes({ to: "account" }),
  "goes home": goes({ to: "landing" }),
  "picks the month": sends("catalogue", { type: "offer.picked", productId: "monthly" }),
  "picks the year": sends("catalogue", { type: "offer.picked", productId: "annual" }),
  "takes the package": sends("catalogue", { type: "offer.taken" }),
  "asks how to pay": (life) =>
    life.screen() === "account"
      ? sends("catalogue", { type: "methods.requested", productId: "monthly" })(life)
      : null,
  "chooses USDT": sends("catalogue", { type: "method.chosen", method: "EbPay" }),
  "chooses the card": sends("catalogue", { type: "method.chosen", method: "Razorpay" }),
  "chooses Stripe": sends("catalogue", { type: "method.chosen", method: "Stripe" }, (life) =>
    life.intends("stripe"),
  ),
  "chooses ERC20": sends("purchase", { type: "network.chosen", network: "ERC20" }),
  "pays in USDT": paysInUsdt,
  "pays all the same": sends("payOnce", { type: "earlier.passed" }),
  "sees the earlier payment": sends("payOnce", { type: "earlier.followed" }),
  "dismisses the question": sends("payOnce", { type: "earlier.dismissed" }),
  "types a good card": fills("4012888888881881"),
  "types a card that is declined": fills("4100280000060003"),
  "types a card whose bank asks": fills("4111111111111111"),
  "pays by card": sends("card", { type: "pay.requested" }, (life) => life.tapped()),
  "closes the result": sends("card", { type: "close.requested" }),
  "sends the USDT": sendsUsdt,
  "pays at Stripe": (life) => {
    const address = life.windows.at(-1);
    return address === undefined ? null : () => life.payAtStripe(address);
  },
  "says yes to the bank": (life) => {
    const paymentId = life.bankPages.at(-1);
    return paymentId === undefined ? null : () => life.payAtBank(paymentId);
  },
  "completes the payment": sends("orderCheck", { type: "pay.completed" }),
  "opens the latest kept order": opensKept(0),
  "opens the kept order before": opensKept(1),
  "asks again": tellsAll(["retry", "retry", "retry"]),
  "stops waiting": tellsAll(["cancel"], (snapshot) => snapshot.hasTag("slow")),
  "comes back to the page": tellsAll(["page.visible", "screen.activated"]),
  "waits for a second": waits(1_000),
  "waits for twelve seconds": waits(12_000),
  "waits for seventy seconds": waits(70_000),
  "logs out": sends("session", { type: "logout.requested" }),
};
