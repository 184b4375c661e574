/** One random life of the app on a faulty network, in front of the real service: what a user does, with which faults, and what must hold all the while and in the end. */
import { sql } from "drizzle-orm";
import { vi } from "vitest";
import type { AnyActorRef } from "xstate";
import { openStorage } from "../../src/app/ports/storage.ts";
import { maybePaidOf } from "../../machines/rank-earlier.ts";
import { isTransfer } from "../../machines/kept-orders.ts";
import { paths } from "../../src/contract/calls.ts";
import type { Emitted } from "../../src/app/runtime/effects.ts";
import type { serve } from "../service/support.ts";
import { charge } from "./card-charge.ts";
import { actions, chartOf, possibleIn, snapshotOf, type Life } from "./fault-actions.ts";
import { faultyFetch, type FaultName, type Request } from "./faults.ts";
import { emptyArea, isMachine, openHeadless } from "./headless-app.ts";

/**
 * `does` is what the user wants to do; where that is not possible at the moment, `pick` chooses among what is. The
 * faults are those of the calls that follow, in order.
 */
export type Step = { does: string | null; pick: number; faults: readonly FaultName[] };

export type Fixture = Awaited<ReturnType<typeof serve>>;

export const PASSWORD = "lamplight & harbour 7";
/** As long as the latest answer may still be on its way, and every check of a screen comes once, in ms. */
const SETTLING = 130_000;
/** The app tells of a wait after ten seconds; three seconds later it must have been noticed here, in ms. */
const SAID = 13_000;

/** Each leads to one order at most. */
const ordering = new Set(["pays in USDT", "pays all the same", "chooses Stripe"]);

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

export class Violation extends Error {}

let lives = 0;
/** The actions that were taken, in all lives. */
export const done = new Set<string>();

/** Lives that life; throws a `Violation` with the story of it where something did not hold. */
export async function liveWithFaults(fixture: Fixture, steps: readonly Step[]): Promise<void> {
  const number = (lives += 1);
  const story: string[] = [];
  let first: Violation | undefined;
  const wrong = (what: string): never => {
    first ??= new Violation(`${what}\n${story.map((line, at) => `  ${at + 1}. ${line}`).join("\n")}`);
    throw first;
  };
  const rows = async (query: ReturnType<typeof sql>) =>
    ((await fixture.service.db.execute(query)) as { rows: Record<string, unknown>[] }).rows;

  let coming: FaultName[] = [];
  const reach = ({ path, method, headers, body }: Request) => {
    fixture.clock.now = Date.now();
    const sent = { method, headers, ...(body === null ? {} : { body }) };
    return Promise.resolve(
      fixture.app.request(path, sent, { incoming: { socket: { remoteAddress: "192.0.2.1" } } }),
    );
  };
  /** How often the app has asked for an order since the user's last action, and how often a user has. */
  const asked = { card: 0, order: 0, verified: 0, byUser: 0 };
  const network = faultyFetch(reach, ({ path }) => {
    if (path === paths.createOrder && (asked.order += 1) > asked.byUser)
      wrong("An order is asked for twice.");
    if (path === paths.createCardOrder && (asked.card += 1) > 1)
      wrong("An order by card is asked for twice.");
    if (path === paths.verifyCard && (asked.verified += 1) > charges.sent) wrong("A proof is sent twice.");
    const fault = coming.shift() ?? "none";
    if (fault !== "none") story.push(`  ${path}: ${fault}`);
    return fault;
  });
  vi.stubGlobal("fetch", network.fetch);

  const credentials = { account_name: `Life${number}`, password: PASSWORD };
  const newcomer = { account_name: `Newcomer${number}`, password: PASSWORD };
  await fixture.call(paths.register, { body: credentials });
  const { data } = await fixture.call(paths.login, { body: credentials });
  const area = emptyArea({
    user_name: credentials.account_name,
    user_key: JSON.stringify({ account_name: credentials.account_name }),
    user_token: (data as { token: string }).token,
  });

  /* What the test itself knows of the money. */
  const intents = { usdt: new Set<string>(), stripe: 0, isStripeOpen: false };
  const charges = { taps: 0, sent: 0 };
  const settled = new Set<string>();
  const paidAsSaid: string[] = [];
  const told = new Set<string>();
  const windows: string[] = [];
  const bankPages: string[] = [];
  /** Orders that were confirmed when the app last looked for earlier payments. */
  let confirmed: readonly string[] = [];
  let guarded: readonly string[] = [];
  const untold = (among: readonly string[]) => among.filter((id) => !told.has(id) && !settled.has(id));
  const asksForMoney = (how: string) => {
    const [id] = untold(guarded);
    if (id !== undefined) wrong(`${how} while order ${id} is paid, and the user was not told of it.`);
  };

  const heard = (event: Emitted) => {
    if (event.type === "order.settled") {
      settled.add(event.orderId);
      if (event.isPaid) paidAsSaid.push(event.orderId);
    }
    if (event.type === "earlier.followed") told.add(event.earlier.order.orderId);
    if (event.type === "session.began") intents.isStripeOpen = false;
    if (event.type === "order.issued") asksForMoney("An address is issued");
    if (event.type === "payment.begun") {
      intents.isStripeOpen = false;
      asksForMoney("A payment page is opened");
    }
  };

  const headless = openHeadless({
    area,
    heard,
    payByCard: async (order, key, card) => {
      charges.sent += 1;
      if (charges.sent > charges.taps) wrong("A card is sent to the provider without a tap.");
      asksForMoney("A card is charged");
      return charge(network.fetch, order, key, card, (paymentId) => bankPages.push(paymentId));
    },
    openWindow: async (find) => {
      windows.push(await find());
      return { blocked: null };
    },
  });
  const { app } = headless;

  /** Lets everything happen that needs no more time, and what a faultless call needs. */
  const settle = async () => {
    for (let still = 0; still < 3; still += 1) {
      await vi.advanceTimersByTimeAsync(1);
      await turn();
      while (network.count.working > 0) {
        still = 0;
        await turn();
      }
    }
  };
  const busySince = new Map<AnyActorRef, number>();
  /** No wait is long without a word, and a way to end it. */
  const checkWaits = () => {
    const actors = headless.actors();
    const isSaid = (actor: AnyActorRef) => snapshotOf(actor).hasTag("slow");
    for (const actor of actors) {
      const isBusy = snapshotOf(actor).hasTag("busy") && !actors.some(isSaid);
      if (!isBusy) busySince.delete(actor);
      else if (!busySince.has(actor)) busySince.set(actor, Date.now());
      else if (Date.now() - (busySince.get(actor) ?? 0) > SAID)
        wrong(`${chartOf(actor)} has been busy without a word: ${JSON.stringify(snapshotOf(actor).value)}.`);
    }
  };
  const pass = async (ms: number) => {
    const end = Date.now() + ms;
    while (Date.now() < end) {
      await vi.advanceTimersByTimeAsync(Math.min(2_000, end - Date.now()));
      await settle();
      checkWaits();
    }
    fixture.clock.now = Date.now();
    await fixture.settle();
  };
  const life: Life = {
    ...headless,
    credentials,
    newcomer,
    windows,
    bankPages,
    pass,
    tapped: () => (charges.taps += 1),
    intends: (rail, word = "") => {
      guarded = confirmed;
      if (rail === "usdt") intents.usdt.add(word);
      else if (!intents.isStripeOpen) {
        intents.isStripeOpen = true;
        intents.stripe += 1;
      }
    },
    transfer: async (network_, address, amount) => {
      const { code, message } = await fixture.call("/sandbox/transfers", {
        body: { network: network_, address, amount },
      });
      if (code !== 200) wrong(`The test wallet does not send: ${message}`);
    },
    payAtStripe: async (address) => {
      const reference = /checkout\/(\w+)/.exec(address)?.[1] ?? "";
      await fixture.sandbox?.stripe.decide(reference, "captured");
    },
    payAtBank: (paymentId) => fixture.sandbox?.card.decide(paymentId, "captured", "en"),
  };
  const keptOrders = () => openStorage(area).readAll("order");
  const ours = sql`SELECT id FROM accounts WHERE name IN (${credentials.account_name}, ${newcomer.account_name})`;

  const act = async (name: string) => {
    const does = actions[name]?.(life);
    if (!does) wrong(`It is not possible here (${headless.screen()}): ${name}.`);
    story.push(name);
    asked.card = 0;
    if (ordering.has(name)) asked.byUser += 1;
    done.add(name);
    await does?.();
    await settle();
  };

  /** What must hold after each step. */
  const check = async (shownBefore: string | undefined) => {
    // The app may have taken it for a failure of a call.
    if (first) throw first;
    checkWaits();
    for (const actor of headless.actors()) {
      if (chartOf(actor) !== "payOnce" || !snapshotOf(actor).matches("telling")) continue;
      const { earlier } = snapshotOf(actor).context as { earlier: { order: { orderId: string } } };
      told.add(earlier.order.orderId);
    }
    if (headless.screen() === "cardPayment" && shownBefore !== "cardPayment") guarded = confirmed;
    const paid = await rows(sql`SELECT id FROM orders WHERE status = 1 AND account_id IN (${ours})`);
    const ids = new Set(paid.map(({ id }) => String(id)));
    for (const id of paidAsSaid) if (!ids.has(id)) wrong(`Order ${id} is called paid, and is not.`);
    const { userName } = app.session.getSnapshot().context;
    confirmed = maybePaidOf(keptOrders(), userName, [])
      .map(({ orderId }) => orderId)
      .filter((id) => ids.has(id));
  };

  /** What must hold when every answer has come. */
  const checkEnd = async () => {
    if (network.count.waiting > 0) wrong(`${network.count.waiting} calls are never answered.`);
    for (const actor of headless.actors()) {
      const { value, children } = snapshotOf(actor);
      const waits = Object.entries<AnyActorRef>(children)
        .filter(([, child]) => !isMachine(child) && child.getSnapshot().status === "active")
        .map(([id]) => id);
      if (waits.length > 0)
        wrong(`${chartOf(actor)} waits for ever in ${JSON.stringify(value)}: ${waits.join(", ")}.`);
    }
    const made = await rows(sql`
      SELECT id, account_id AS account, rail, amount, address, network, product_id AS product, status,
        (SELECT count(*) FROM payments p WHERE p.order_id = o.id) AS payments
      FROM orders o WHERE account_id IN (${ours})`);
    const of = (rail: string) => made.filter((order) => order["rail"] === rail);
    if (of("usdt").length > intents.usdt.size)
      wrong(`${of("usdt").length} orders in USDT of ${intents.usdt.size} intents.`);
    if (of("stripe").length > intents.stripe)
      wrong(`${of("stripe").length} orders at Stripe of ${intents.stripe} intents.`);
    const open = of("card").filter((order) => order["status"] === 0 && Number(order["payments"]) === 0);
    for (const { account, product } of open)
      if (open.filter((order) => order["account"] === account && order["product"] === product).length > 1)
        wrong(`Two orders by card are open for ${String(product)}.`);
    for (const { id, payments } of made)
      if (Number(payments) > 1) wrong(`Order ${String(id)} was paid twice.`);
    for (const kept of keptOrders()) {
      const order = made.find(({ id }) => id === kept.orderId);
      const isSame =
        order &&
        BigInt(String(order["amount"])) === BigInt(kept.amount.replace(".", "")) * 10_000n &&
        (!isTransfer(kept) || (order["address"] === kept.address && order["network"] === kept.network));
      if (!isSame) wrong(`The service does not have order ${kept.orderId} as this browser keeps it.`);
    }
  };

  /** With the faults over, the user can buy. */
  const buys = async () => {
    if (!app.session.getSnapshot().matches("signedIn")) {
      if (headless.screen() !== "login") await act("opens the login page");
      await act("logs in");
    }
    if (headless.screen() !== "landing") await act("goes home");
    await act("opens the packages");
    await act("picks the month");
    await act("takes the package");
    await act("pays in USDT");
    // Earlier payments that may still go through are told first, one after the other.
    for (const passes of ["pays all the same", "pays all the same"]) {
      if (!possibleIn(life).includes(passes)) break;
      await check(headless.screen());
      await act(passes);
    }
    if (headless.screen() !== "payment") wrong(`The purchase ends on ${headless.screen()}.`);
    await act("sends the USDT");
    await act("waits for twelve seconds");
    if (headless.screen() === "payment") await act("completes the payment");
    const isConfirmed = () =>
      headless.actors().some((actor) => chartOf(actor) === "bill" && snapshotOf(actor).hasTag("settled"));
    for (let minute = 0; minute < 3 && !isConfirmed(); minute += 1) await act("waits for seventy seconds");
    await check(headless.screen());
    if (!isConfirmed()) {
      const states = headless
        .actors()
        .map((actor) => [chartOf(actor), snapshotOf(actor).value, snapshotOf(actor).context]);
      wrong(
        `What was paid is not confirmed on ${headless.screen()}: ${JSON.stringify(states)}. ${fixture.lines.slice(-8).join("\n")}`,
      );
    }
  };

  try {
    await headless.start();
    await settle();
    let latest = "";
    for (const { does, pick, faults } of steps) {
      coming = [...faults];
      // What is not possible yet is tried again: after the step before, done once more, or after something else.
      for (const attempt of [0, 1]) {
        const possible = possibleIn(life);
        const wanted = [does, latest].find((name) => name !== null && possible.includes(name));
        const name = does === null ? possible[pick % possible.length] : wanted;
        const before = headless.screen();
        await act(name ?? possible[(pick + attempt) % possible.length] ?? "waits for a second");
        await check(before);
        if (does === null || name === does) break;
      }
      latest = does ?? latest;
    }
    coming = [];
    story.push("the faults are over");
    await pass(SETTLING);
    await check(headless.screen());
    await checkEnd();
    await buys();
    await checkEnd();
  } finally {
    headless.close();
    window.sessionStorage.clear();
  }
}
