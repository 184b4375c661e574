/** Random lives of the ledger: orders, transfers, reorganisations, crashes, nodes that stand still, lag, refuse, time out and lie, two leading processes, restored databases, refunds, money that is kept, and the undoing of both, card payments that are contested and won. In the end what is credited is what is final on the chain, each once, to the right person, and what came for an order that was lost or removed is on the operator's list, by card, too. */
import * as fc from "fast-check";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CommandRefused } from "../../src/service/operations/admin/command.ts";
import { run } from "../../src/service/operations/admin/commands.ts";
import { receivingAddresses } from "../../src/service/payments/addresses.ts";
import { lookAhead } from "../../src/service/payments/look-ahead.ts";
import { shownAddress } from "../../src/service/payments/chain/blocks.ts";
import { NodeFailed, type Transport } from "../../src/service/payments/chain/json-rpc.ts";
import { openNode } from "../../src/service/payments/chain/node.ts";
import { openWatcher, type Watcher } from "../../src/service/payments/chain/watcher.ts";
import { CENT } from "../../src/service/payments/book.ts";
import { sweep, type Ledger } from "../../src/service/payments/ledger.ts";
import { OrderUnknown, reversePayment, takePayment } from "../../src/service/payments/provider.ts";
import { openRazorpay } from "../../src/service/payments/razorpay.ts";
import { RESOLVED_BY_ITSELF } from "../../src/service/payments/unmatched.ts";
import { readLists } from "../../src/service/payments/provider-lists.ts";
import { balancesAt, bookDifferences } from "../../src/service/payments/book-check.ts";
import { removeUnpaidOrders } from "../../src/service/payments/unpaid-orders.ts";
import type { Database, Store } from "../../src/service/store/database.ts";
import { orders } from "../../src/service/store/schema.ts";
import {
  SimulatedChain,
  TOKEN,
  type MinedBlock,
  type SimulatedLog,
  type Trouble,
} from "../support/simulated-chain.ts";
import { repeats } from "../support/lane.ts";
import { emptyStore, START, XPUB } from "./support.ts";

const OTHER_TOKEN = "00000000000000000000000000000000000fa6e0";
/** `npm run ledger` runs ten thousand. */
const RUNS = Number(process.env["LEDGER_RUNS"] ?? (repeats ? 60 : 30));
/** The same lives each time where the test decides whether a change lands; others with each `npm run ledger`. */
const SEED = process.env["LEDGER_RUNS"] === undefined ? { seed: 46 } : {};
const CONFIRMATIONS = 4;
const MEMBERS = 3;
const DAY = 86_400_000;
/** In cents: less than one is dust. */
const PRICES = [3n, 5n, 8n].map((cents) => cents * CENT);
/** Addresses that are watched beyond the last one given out. No life gives out as many after its backup. */
const AHEAD = 12;

/** Of an order by card, and of a note, -1 is the latest one. */
type Step =
  | { kind: "order"; member: number; price: number }
  | { kind: "pay"; order: number; amount: number; together: boolean }
  | { kind: "grow"; blocks: number }
  | { kind: "reorganise"; depth: number; again: boolean }
  /** The blocks of the last reorganisation take their place again. */
  | { kind: "return" }
  | { kind: "tick"; process: number }
  /** The process ends in the n-th transaction from here, before or after it is written. */
  | { kind: "crash"; process: number; transactions: number; written: boolean }
  /** The node fails after so many requests. */
  | { kind: "fail"; requests: number }
  | { kind: "expire" }
  | { kind: "backup" }
  | { kind: "restore" }
  | { kind: "sweep" }
  /** An operator notes that all that came for an order was given back, or that what came in part is kept; and takes one of these notes back. */
  | { kind: "refund"; order: number }
  | { kind: "keep"; order: number }
  | { kind: "undo"; note: number }
  /** The operator moves money on from an order's address, to an address of another order or to none of ours. */
  | { kind: "send"; order: number; to: number | null; amount: number }
  /** Orders that are unpaid so far are removed, as when they are old. */
  | { kind: "remove" }
  /** A node is in trouble from here on, or well again. */
  | { kind: "node"; node: number; trouble: keyof typeof troubles }
  /** The lease ends while both processes read. */
  | { kind: "both" }
  /** Another token's transfer to an address of ours. */
  | { kind: "spam"; order: number }
  /** By card: a new order; its payment, of a cent less where it is short, a dispute of it as it is told now, and a refund of some cents of it. */
  | { kind: "card"; member: number; price: number }
  | { kind: "capture"; order: number; isShort: boolean }
  | { kind: "dispute"; order: number; state: "open" | "void" | "lost" }
  | { kind: "giveBack"; order: number; cents: number }
  /** An operator notes that what came short by card is kept; and settles a row about kept money that went back, or came back. */
  | { kind: "keepCard"; order: number }
  | { kind: "see"; row: number };

/** As the service numbers its orders: a command finds no other. */
const numberOf = (letter: string, order: number) => `${letter}${String(order).padStart(15, "0")}`;

/** What operators noted and took back in all lives. */
const done = { refund: 0, keep: 0, keepCard: 0, undo: 0, see: 0 };

const changed = (change: Partial<Record<keyof SimulatedLog, unknown>>) => (logs: readonly SimulatedLog[]) =>
  logs.map((log) => ({ ...log, ...change }));

/** What a node may do wrong. */
const troubles = {
  none: () => ({}),
  "stands still": (head: number) => ({ pinned: head }),
  lags: () => ({ behind: 3 }),
  "lags far": () => ({ behind: 12 }),
  claims: () => ({ ahead: 500 }),
  refuses: () => ({ fails: new NodeFailed("HTTP 429: too many requests", "refused") }),
  "times out": () => ({ slowAbove: 2 }),
  "splits ranges": () => ({ widest: 1 }),
  "knows transfers late": () => ({ unindexed: 3 }),
  "tells twice": () => ({ logs: "twice" as const }),
  "tells of everything": () => ({ logs: "unfiltered" as const }),
  "lies about blocks": () => ({ changes: changed({ blockHash: `0x${"1".repeat(64)}` }) }),
  "lies about numbers": () => ({ changes: changed({ blockNumber: "0x1" }) }),
  "lies about amounts": () => ({ changes: changed({ data: `0x${"f".repeat(64)}` }) }),
} satisfies Record<string, (head: number) => Trouble>;
const troubleNames = Object.keys(troubles) as (keyof typeof troubles)[];

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("order"), member: fc.nat(MEMBERS - 1), price: fc.nat(2) }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("pay"),
      order: fc.nat(7),
      amount: fc.integer({ min: 0, max: 9 }),
      together: fc.boolean(),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("grow"), blocks: fc.integer({ min: 1, max: 6 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("reorganise"),
      depth: fc.integer({ min: 1, max: 10 }),
      again: fc.boolean(),
    }),
  },
  { weight: 14, arbitrary: fc.record({ kind: fc.constant("tick"), process: fc.nat(1) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("crash"),
      process: fc.nat(1),
      transactions: fc.nat(2),
      written: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("fail"), requests: fc.nat(5) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("return") }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("expire") }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("backup") }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("restore") }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("sweep") }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("remove") }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("refund"), order: fc.nat(7) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("keep"), order: fc.nat(7) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("undo"), note: fc.nat(7) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("node"),
      node: fc.nat(1),
      trouble: fc.constantFrom(...troubleNames),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("both") }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("spam"), order: fc.nat(7) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("card"), member: fc.nat(MEMBERS - 1), price: fc.nat(2) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("capture"), order: fc.nat(2), isShort: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("keepCard"), order: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("see"), row: fc.nat(3) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("dispute"),
      order: fc.nat(2),
      state: fc.constantFrom("open" as const, "void" as const, "lost" as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("giveBack"),
      order: fc.nat(2),
      cents: fc.integer({ min: 1, max: 9 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("send"),
      order: fc.nat(7),
      to: fc.option(fc.nat(7), { freq: 2 }),
      amount: fc.integer({ min: 1, max: 9 }),
    }),
  },
);

/** An order is paid, confirmed, and its money taken back by a reorganisation deeper than the confirmations. */
const overturned: fc.Arbitrary<Step[]> = fc
  .record({
    order: fc.nat(7),
    deeper: fc.integer({ min: 1, max: 4 }),
    again: fc.boolean(),
    process: fc.nat(1),
  })
  .map(({ order, deeper, again, process }) => [
    { kind: "pay", order, amount: 9, together: false },
    { kind: "grow", blocks: CONFIRMATIONS },
    { kind: "tick", process },
    { kind: "reorganise", depth: CONFIRMATIONS + deeper, again },
    { kind: "tick", process },
  ]);
/** A part of an order's price comes and is kept; then more of it, a reorganisation that takes it away, or the undoing of the note. */
const keptInPart: fc.Arbitrary<Step[]> = fc
  .record({
    order: fc.nat(7),
    amount: fc.integer({ min: 1, max: 2 }),
    process: fc.nat(1),
    event: fc.constantFrom("pay" as const, "reorganise" as const, "undo" as const),
    again: fc.boolean(),
  })
  .map(({ order, amount, process, event, again }) => {
    const next: Record<typeof event, Step> = {
      pay: { kind: "pay", order, amount: 9 - amount, together: again },
      reorganise: { kind: "reorganise", depth: 2 * CONFIRMATIONS, again },
      undo: { kind: "undo", note: -1 },
    };
    return [
      { kind: "pay", order, amount, together: false },
      { kind: "grow", blocks: CONFIRMATIONS },
      { kind: "tick", process },
      { kind: "keep", order },
      next[event],
      { kind: "tick", process },
    ];
  });
/** Less than an order costs comes by card and is kept; then it goes and comes, and operators see to it or not. */
const keptByCard: fc.Arbitrary<Step[]> = fc
  .record({
    member: fc.nat(MEMBERS - 1),
    price: fc.nat(2),
    events: fc.array(
      fc.constantFrom<Step>(
        { kind: "dispute", order: -1, state: "open" },
        { kind: "dispute", order: -1, state: "void" },
        { kind: "dispute", order: -1, state: "lost" },
        { kind: "giveBack", order: -1, cents: 1 },
        { kind: "see", row: 0 },
        { kind: "keepCard", order: -1 },
        { kind: "undo", note: -1 },
      ),
      { maxLength: 8 },
    ),
  })
  .map(({ member, price, events }) => [
    { kind: "card", member, price },
    { kind: "capture", order: -1, isShort: true },
    { kind: "keepCard", order: -1 },
    ...events,
  ]);
const moves = fc.oneof(
  { weight: 20, arbitrary: step.map((one) => [one]) },
  { weight: 1, arbitrary: overturned },
  { weight: 1, arbitrary: keptInPart },
  { weight: 1, arbitrary: keptByCard },
);

let store: Store;
beforeAll(async () => {
  store = await emptyStore();
  for (let id = 1; id <= MEMBERS; id += 1) {
    await store.db.execute(
      sql`INSERT INTO accounts (name, name_key, password_hash, created_at) VALUES (${`m${id}`}, ${`m${id}`}, '', now())`,
    );
  }
});
afterAll(() => store.close());

const TABLES = [
  "orders",
  "transfers",
  "payments",
  "reversals",
  "chain_positions",
  "chain_blocks",
  "address_series",
  "receiving_addresses",
  "membership_entries",
  "movements",
  "sweeps",
  "unmatched_payments",
  "audit_entries",
  "outbox_events",
  "webhook_events",
] as const;
let emptied = 0;
/** To delete is ten times as fast as to truncate, but what was deleted stays in the files until then. */
const empty = async () => {
  emptied += 1;
  if (emptied % 100 === 0) {
    await store.db.execute(sql.raw(`TRUNCATE ${TABLES.join(", ")}`));
    await store.db.execute(sql`CHECKPOINT`);
  }
  for (const table of TABLES.toReversed()) await store.db.execute(sql.raw(`DELETE FROM ${table}`));
};
type Row = Record<string, unknown>;
const rowsOf = async (query: ReturnType<typeof sql>) =>
  ((await store.db.execute(query)) as { rows: Row[] }).rows;

class Crash extends Error {}

/** A database whose process ends in one of its transactions. */
function mortal(db: Database, plan: { left: number; written: boolean }): Database {
  return new Proxy(db, {
    get(target, name, receiver) {
      if (name !== "transaction") return Reflect.get(target, name, receiver) as unknown;
      return async (act: (tx: Database) => Promise<unknown>, options: never) => {
        plan.left -= 1;
        if (plan.left > 0) return target.transaction(act, options);
        const result = await target.transaction(async (tx) => {
          const done = await act(tx);
          if (!plan.written) throw new Crash();
          return done;
        }, options);
        if (plan.written) throw new Crash();
        return result;
      };
    },
  });
}

/** An order by card as its provider knows it. */
interface Card {
  id: string;
  /** What the order costs, and what was paid. */
  amount: bigint;
  paid: bigint;
  worth: number;
  isTaken: boolean;
  dispute: "open" | "void" | "lost" | null;
  refunded: bigint;
}

let told = 0;
/** The provider tells of a payment as it stands, as often as it likes. */
async function tellOf(ledger: Ledger, { id, paid: amount, isTaken, dispute, refunded }: Card): Promise<void> {
  if (!isTaken) return;
  told += 1_000;
  const named = { rail: "card" as const, paymentId: `pay_${id}` };
  const asOf = START + told;
  try {
    await takePayment(ledger, { ...named, reference: `order_${id}`, orderId: id, amount });
  } catch (error) {
    // A restored database does not know the order.
    if (!(error instanceof OrderUnknown)) throw error;
    return;
  }
  if (dispute !== null)
    await reversePayment(ledger, {
      ...named,
      kind: "dispute",
      reversalId: `disp_${id}`,
      amount,
      state: dispute,
      asOf,
    });
  if (refunded > 0n)
    await reversePayment(ledger, {
      ...named,
      kind: "total",
      reversalId: `refunds_${id}`,
      amount: refunded,
      state: "open",
      asOf,
    });
}

/** The provider's own list of payments, and its orders, as it answers questions about them. */
function listsOf(ledger: Ledger, cards: readonly Card[]) {
  const payments = cards
    .filter(({ isTaken }) => isTaken)
    .map(({ id, paid, refunded }) => ({
      id: `pay_${id}`,
      order_id: `order_${id}`,
      amount: Number(paid / CENT),
      amount_refunded: Number(refunded / CENT),
      currency: "USD",
      status: "captured",
      created_at: START / 1_000 - 3_600,
    }));
  const answer = ({ pathname }: URL) => {
    if (!pathname.startsWith("/v1/orders/")) return { items: pathname === "/v1/payments" ? payments : [] };
    const reference = pathname.replace("/v1/orders/", "");
    const receipt = reference.replace("order_", "");
    return { id: reference, receipt, notes: { order_id: receipt } };
  };
  return openRazorpay(ledger, {
    account: { keyId: "", keySecret: "", webhookSecret: "" },
    apiUrl: "http://provider",
    fetch: async (url) => Response.json(answer(new URL(String(url)))),
    timeout: 1_000,
  }).lists;
}

/** Runs one life, and returns what is wrong in the end. */
async function live(steps: readonly Step[]): Promise<void> {
  await empty();
  await store.db.execute(sql`UPDATE accounts SET membership_ends_at = NULL, membership_end_announced = NULL`);
  const chain = new SimulatedChain(1);
  const made: { id: string; raw: string; member: number; price: bigint }[] = [];
  /** Orders that the database knows nothing of: it was restored, or they were removed unpaid. Their addresses are still paid to. */
  const lost: typeof made = [];
  /** After the database's orders have changed: some may have gone, or have come back. */
  const compareOrders = async () => {
    const known = new Set((await rowsOf(sql`SELECT id FROM orders`)).map(({ id }) => id));
    const all = [...made.splice(0), ...lost.splice(0)];
    for (const one of all) (known.has(one.id) ? made : lost).push(one);
  };
  const issued = new Set<string>();
  let series = 1;
  /** As a process that starts does, and as an operator does after a restore with the series of the log. */
  const openSeries = async () => {
    for (let known = 1; known <= series; known += 1) {
      await store.db.execute(sql`INSERT INTO address_series VALUES (${known}, now()) ON CONFLICT DO NOTHING`);
    }
    await lookAhead(store.db, [XPUB], AHEAD);
  };
  let receiving = receivingAddresses({ TRC20: undefined, ERC20: XPUB }, series);
  const trouble = { requests: Infinity };
  /** What is wrong with each node for now. */
  const nodes: Trouble[] = [{}, {}];
  const heal = (one: Trouble) => {
    for (const name of Object.keys(one) as (keyof Trouble)[]) delete one[name];
  };
  const reached = nodes.map((wrong, at): Transport => {
    const node = chain.node(`node ${at}`, wrong);
    return {
      name: node.name,
      request: async (asked: never) => {
        trouble.requests -= 1;
        if (trouble.requests < 0) throw new Error("The node is down.");
        return node.request(asked);
      },
    };
  });
  /** Orders by card, and what their provider knows of them, whatever the database does. */
  const cards: Card[] = [];
  const clock = { now: START };
  const ledgerOn = (db: Database): Ledger => ({
    db,
    now: () => clock.now,
    log: () => undefined,
    tolerance: 0n,
    lateDays: 30,
  });
  let holders = 0;
  const plans = [
    { left: Infinity, written: false },
    { left: Infinity, written: false },
  ];
  const process = (at: number): Watcher => {
    plans[at] = { left: Infinity, written: false };
    holders += 1;
    return openWatcher(ledgerOn(mortal(store.db, plans[at])), {
      network: "ERC20",
      nodes: reached.map((each) => openNode(each, [TOKEN])),
      chainId: 1,
      contracts: [TOKEN],
      pace: null,
      confirmations: CONFIRMATIONS,
      interval: 1,
      holder: `process ${holders}`,
    });
  };
  const processes = [process(0), process(1)];
  let left: MinedBlock[] = [];
  let backup: Map<string, Row[]> | undefined;
  /** Transfers that an operator noted as given back or kept, by the note. A restored database knows the notes of its backup alone. */
  let notes: {
    kind: "refund" | "keep" | "see";
    order?: string;
    auditId: number;
    transfers: readonly string[];
    /** Of a part that came by card. */
    kept?: bigint;
  }[] = [];
  let notesThen: typeof notes = [];
  const finalOf = async (id: string) =>
    (await rowsOf(sql`SELECT tx_hash AS key FROM transfers WHERE order_id = ${id} AND state = 'final'`)).map(
      ({ key }) => String(key),
    );
  const tick = async (at: number) => {
    try {
      await processes[at]?.tick();
    } catch (error) {
      if (error instanceof Crash) processes[at] = process(at);
    }
  };
  await openSeries();
  // A network is read before its first order is made.
  await tick(0);

  for (const each of steps) {
    switch (each.kind) {
      case "order": {
        const { raw, index, fingerprint } = receiving("ERC20");
        if (index >= AHEAD) break;
        if (issued.has(raw)) throw new Error("An address was issued twice.");
        issued.add(raw);
        const id = numberOf("D", issued.size);
        const price = PRICES[each.price] ?? CENT;
        await store.db.insert(orders).values({
          id,
          accountId: each.member + 1,
          packId: "1",
          productId: "monthly",
          packName: { en: "Monthly", "zh-CN": "包月" },
          days: 30 + each.price,
          rail: "usdt",
          network: "ERC20",
          address: raw,
          rawAddress: raw,
          addressSeries: series,
          addressIndex: index,
          keyFingerprint: fingerprint,
          amount: price,
          status: 0,
          createdAt: new Date(START),
        });
        made.push({ id, raw, member: each.member + 1, price });
        break;
      }
      case "pay": {
        const payable = [...made, ...lost];
        const order = payable[each.order % Math.max(1, payable.length)];
        if (!order) break;
        const payment = { to: order.raw, amount: BigInt(each.amount) * CENT };
        if (each.together) chain.mine(payment, { ...payment, amount: CENT });
        else chain.mine(payment);
        break;
      }
      case "grow":
        chain.grow(each.blocks);
        break;
      case "reorganise": {
        left = chain.fork(each.depth);
        const gone = left.flatMap(({ payments }) => payments);
        // Mined again in one block, and in another order.
        if (each.again) chain.mine(...gone.toReversed());
        chain.grow(each.depth + (each.again ? 0 : 1));
        break;
      }
      case "return":
        chain.adopt(left);
        break;
      case "tick":
        await tick(each.process);
        break;
      case "crash": {
        const plan = plans[each.process];
        if (plan) Object.assign(plan, { left: each.transactions + 1, written: each.written });
        await tick(each.process);
        break;
      }
      case "fail":
        trouble.requests = each.requests;
        await tick(0);
        trouble.requests = Infinity;
        break;
      case "expire":
        await store.db.execute(sql`UPDATE chain_positions SET lease_until = NULL`);
        break;
      case "backup":
        backup = new Map();
        notesThen = [...notes];
        for (const table of TABLES)
          backup.set(table, await rowsOf(sql.raw(`SELECT to_jsonb(t) AS row FROM ${table} t`)));
        break;
      case "restore": {
        if (!backup) break;
        await empty();
        for (const [table, rows] of backup) {
          if (rows.length === 0) continue;
          const all = JSON.stringify(rows.map(({ row }) => row));
          await store.db.execute(
            sql`INSERT INTO ${sql.raw(table)} OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_recordset(NULL::${sql.raw(table)}, ${all}::jsonb)`,
          );
        }
        notes = [...notesThen];
        // Orders that the backup does not know are gone; and the service starts anew.
        await compareOrders();
        series += 1;
        await openSeries();
        receiving = receivingAddresses({ TRC20: undefined, ERC20: XPUB }, series);
        processes[0] = process(0);
        processes[1] = process(1);
        break;
      }
      case "sweep":
        if ((await sweep(ledgerOn(store.db))) > 0) throw new Error("An order was paid and not confirmed.");
        break;
      case "refund":
      case "keep":
      case "keepCard": {
        const card = cards.at(each.order % Math.max(1, cards.length));
        const order = each.kind === "keepCard" ? card : made[each.order % Math.max(1, made.length)];
        if (!order) break;
        const kind = each.kind === "refund" ? "refund" : "keep";
        const there = await finalOf(order.id);
        const noted = new Set(notes.flatMap((note) => note.transfers));
        const call = { ledger: ledgerOn(store.db), args: [order.id], options: { reason: "x" }, actor: "x" };
        try {
          await run(kind, call);
        } catch (error) {
          // Some of it is not final yet, or nothing of it is there or came in part.
          if (!(error instanceof CommandRefused)) throw error;
          break;
        }
        done[each.kind] += 1;
        // As far as this database was told: a restored one may not know yet what went back of it.
        const [audit] = await rowsOf(sql`
          SELECT a.id, (SELECT sum(amount) FROM movements WHERE audit_id = a.id) AS amount
          FROM audit_entries a ORDER BY a.id DESC LIMIT 1`);
        notes.push({
          kind,
          order: order.id,
          auditId: Number(audit?.["id"]),
          transfers: there.filter((key) => !noted.has(key)),
          ...(order === card && { kept: BigInt(String(audit?.["amount"])) }),
        });
        break;
      }
      case "undo": {
        const note = notes.at(each.note % Math.max(1, notes.length));
        if (!note) break;
        const args = [String(note.auditId)];
        try {
          await run("undo", { ledger: ledgerOn(store.db), args, options: { reason: "x" }, actor: "x" });
        } catch (error) {
          // A reorganisation took away what was given back or kept.
          if (!(error instanceof CommandRefused)) throw error;
          break;
        }
        notes = notes.filter((one) => one !== note);
        done.undo += 1;
        break;
      }
      case "see": {
        const rows = await rowsOf(sql`
          SELECT id FROM unmatched_payments WHERE reason IN ('kept went back', 'kept came back')
          AND resolved_at IS NULL ORDER BY id`);
        const row = rows[each.row % Math.max(1, rows.length)];
        if (!row) break;
        const args = [String(row["id"])];
        const call = { ledger: ledgerOn(store.db), args, options: { reason: "x" }, actor: "x" };
        const [resolved] = (await run("unmatched-resolve", call)) as { audit: number }[];
        notes.push({ kind: "see", auditId: Number(resolved?.audit), transfers: [] });
        done.see += 1;
        break;
      }
      case "send": {
        const order = made[each.order % Math.max(1, made.length)];
        const receiver = each.to === null ? undefined : made[each.to % Math.max(1, made.length)];
        const to = receiver?.raw ?? "f".repeat(40);
        if (order) chain.mine({ from: order.raw, to, amount: BigInt(each.amount) * CENT });
        break;
      }
      case "node": {
        const wrong = nodes[each.node];
        if (!wrong) break;
        heal(wrong);
        Object.assign(wrong, troubles[each.trouble](chain.head.number));
        break;
      }
      case "both": {
        const expired = store.db.execute(sql`UPDATE chain_positions SET lease_until = NULL`);
        await Promise.all([tick(0), expired, tick(1)]);
        break;
      }
      case "spam": {
        const order = made[each.order % Math.max(1, made.length)];
        if (order) chain.mine({ to: order.raw, amount: 9n * CENT, contract: OTHER_TOKEN });
        break;
      }
      case "card": {
        const card = {
          id: numberOf("C", cards.length + 1),
          amount: PRICES[each.price] ?? CENT,
          worth: 40 + each.price,
        };
        cards.push({ ...card, paid: 0n, isTaken: false, dispute: null, refunded: 0n });
        await store.db.insert(orders).values({
          id: card.id,
          accountId: each.member + 1,
          packId: "1",
          productId: "monthly",
          packName: { en: "Monthly", "zh-CN": "包月" },
          days: card.worth,
          rail: "card",
          thirdReferenceId: `order_${card.id}`,
          amount: card.amount,
          currency: "USD",
          status: 0,
          createdAt: new Date(START),
        });
        break;
      }
      case "capture":
      case "dispute":
      case "giveBack": {
        const card = cards.at(each.order % Math.max(1, cards.length));
        if (!card) break;
        if (each.kind === "capture" && !card.isTaken)
          Object.assign(card, { isTaken: true, paid: each.isShort ? card.amount - CENT : card.amount });
        // What is lost stays lost, unless it is won after all.
        else if (
          each.kind === "dispute" &&
          card.isTaken &&
          (card.dispute !== "lost" || each.state === "void")
        )
          card.dispute = each.state;
        else if (each.kind === "giveBack" && card.isTaken) {
          const most = card.paid - card.refunded;
          const given = BigInt(each.cents) * CENT;
          card.refunded += given < most ? given : most;
        }
        await tellOf(ledgerOn(store.db), card);
        break;
      }
      case "remove":
        await removeUnpaidOrders(store.db, START + 2 * DAY, 1);
        await compareOrders();
        break;
    }
  }

  nodes.forEach(heal);
  chain.grow(CONFIRMATIONS);
  await store.db.execute(sql`UPDATE chain_positions SET lease_until = NULL`);
  const last = process(0);
  await last.tick();
  // What was final at first sight is looked at once more.
  clock.now += 61_000;
  await last.tick();
  // Whatever a restored database forgot, the provider's list has: twice, as in two hours.
  for (let hour = 0; hour < 2; hour += 1) {
    await store.db.execute(sql`DELETE FROM provider_positions`);
    await readLists(ledgerOn(store.db), "card", listsOf(ledgerOn(store.db), cards));
  }
  const orderless = await rowsOf(sql`
    SELECT payment_id AS id, amount FROM unmatched_payments
    WHERE reason = 'order unknown' AND resolved_at IS NULL ORDER BY payment_id`);
  const known = new Set((await rowsOf(sql`SELECT id FROM orders`)).map(({ id }) => id));
  expect(orderless).toEqual(
    cards
      .filter(({ id, isTaken, refunded, paid }) => isTaken && refunded < paid && !known.has(id))
      .map(({ id, paid }) => ({ id: `pay_${id}`, amount: String(paid / CENT) }))
      .toSorted((one, other) => (one.id < other.id ? -1 : 1)),
  );
  // Of those that it knows, it is told again what became of them.
  for (const card of cards) await tellOf(ledgerOn(store.db), card);
  const balance = (...names: string[]) => {
    const those = sql.raw(names.map((name) => `'${name}'`).join(", "));
    return sql`(SELECT coalesce(sum(CASE WHEN to_balance IN (${those}) THEN amount ELSE 0 END)
      - sum(CASE WHEN from_balance IN (${those}) THEN amount ELSE 0 END), 0) FROM movements WHERE order_id = o.id)`;
  };
  /** What went of kept money by the operator's list, less what came back by it. */
  const wentBack = sql`(SELECT coalesce(sum(CASE reason WHEN 'kept went back' THEN amount::bigint
      WHEN 'kept came back' THEN -amount::bigint ELSE 0 END), 0) FROM unmatched_payments u
    WHERE u.order_id = o.id AND u.resolution IS DISTINCT FROM ${RESOLVED_BY_ITSELF})::int`;
  const byCard = await rowsOf(sql`
    SELECT o.id, o.status, coalesce((SELECT sum(days) FROM membership_entries e WHERE e.order_id = o.id), 0)::int AS days,
      ${balance("open", "credited", "surplus")}::int AS paying, ${balance("kept")}::int AS kept, ${wentBack} AS gone
    FROM orders o WHERE o.rail = 'card'`);
  expect(byCard).toEqual(
    byCard.map(({ id }) => {
      const card = cards.find((each) => each.id === id);
      if (!card?.isTaken) return { id, status: 0, days: 0, paying: 0, kept: 0, gone: 0 };
      const isContested = (card.dispute ?? "void") !== "void";
      const there = isContested ? 0n : card.paid - card.refunded;
      const noted = notes.find(({ order }) => order === id)?.kept ?? 0n;
      const kept = noted < there ? noted : there;
      const isPaid = card.paid === card.amount && there > 0n;
      return {
        id,
        // Less than it costs waits for the operator, and asks for nothing once none of it is left to pay.
        status: isPaid ? 1 : there > kept ? 0 : 9,
        days: isPaid ? card.worth : 0,
        paying: Number(there - kept),
        kept: Number(kept),
        gone: Number((noted - kept) / CENT),
      };
    }),
  );

  const notedAs = (kind: "refund" | "keep") =>
    new Set(notes.filter((note) => note.kind === kind).flatMap((note) => note.transfers));
  const [returned, kept] = [notedAs("refund"), notedAs("keep")];
  const keptFor = new Set(notes.filter(({ kind }) => kind === "keep").map(({ order }) => order));
  const sums = () => new Map<string, bigint>();
  const onChain = sums();
  /** What pays an order, was given back, and is kept. */
  const [standing, back, stays] = [sums(), sums(), sums()];
  const sent = sums();
  let movedOn = 0n;
  const add = (sums: Map<string, bigint>, key: string, amount: bigint) =>
    void sums.set(key, (sums.get(key) ?? 0n) + amount);
  for (const { payments } of chain.blocks) {
    for (const { to, from, amount, contract, txHash } of payments) {
      if (contract !== TOKEN) continue;
      if (from !== undefined) add(sent, from, amount);
      if (from !== undefined && !issued.has(to)) movedOn += amount;
      // What comes from an address of ours pays nothing.
      if (from !== undefined) continue;
      add(onChain, to, amount);
      add(returned.has(txHash) ? back : kept.has(txHash) ? stays : standing, to, amount);
    }
  }
  const credited = await rowsOf(sql`
    SELECT o.id, o.raw_address AS raw, o.status, o.account_id AS member,
      (SELECT coalesce(sum(amount), 0) FROM transfers t WHERE t.order_id = o.id AND t.state = 'final') AS paid,
      (SELECT coalesce(sum(days), 0) FROM membership_entries e WHERE e.order_id = o.id AND e.account_id = o.account_id) AS days,
      (SELECT count(*) FROM membership_entries e WHERE e.order_id = o.id AND e.account_id <> o.account_id) AS astray,
      (SELECT count(*) FROM membership_entries e WHERE e.order_id = o.id) AS given,
      ${balance("open", "credited", "surplus")} AS paying, ${balance("returned")} AS returned, ${balance("kept")} AS kept,
      o.days AS worth
    FROM orders o WHERE o.rail = 'usdt'`);
  const wrong = credited.flatMap((row) => {
    const { id, status, days, worth } = row;
    const [raw, amounts] = [String(row["raw"]), (name: string) => BigInt(String(row[name]))];
    const owed = onChain.get(raw) ?? 0n;
    const paying = standing.get(raw) ?? 0n;
    const isPaid = paying >= (made.find((one) => one.id === id)?.price ?? 0n);
    // What came in part for one that never was paid, and is kept, settles it until more comes.
    const isSettled = paying === 0n && keptFor.has(String(id));
    const right =
      amounts("paid") === owed &&
      [amounts("paying"), amounts("returned"), amounts("kept")].join() ===
        [paying, back.get(raw) ?? 0n, stays.get(raw) ?? 0n].join() &&
      // What was paid and given back has failed; what never was paid is pending.
      (isPaid ? Number(status) === 1 : Number(status) !== 1) &&
      (Number(row["given"]) > 0 || Number(status) === (isSettled ? 9 : 0)) &&
      Number(days) === (isPaid ? Number(worth) : 0) &&
      Number(row["astray"]) === 0;
    return right ? [] : [{ ...row, owed, standing: paying, back: back.get(raw), stays: stays.get(raw) }];
  });
  expect(wrong).toEqual([]);
  // What came for the orders that were lost or removed stands on the operator's list.
  const listed = await rowsOf(sql`
    SELECT reference, sum(amount::bigint)::bigint AS amount FROM unmatched_payments
    WHERE reason = 'no order' AND resolved_at IS NULL GROUP BY reference`);
  const arrived = lost
    .map(({ raw }) => ({ reference: shownAddress("ERC20", raw), amount: onChain.get(raw) ?? 0n }))
    .filter(({ amount }) => amount > 0n);
  const byAddress = (rows: readonly Row[]) =>
    Object.fromEntries(rows.map(({ reference, amount }) => [reference, Number(amount)]));
  expect(byAddress(listed)).toEqual(byAddress(arrived));
  expect(await sweep(ledgerOn(store.db))).toBe(0);
  // The book is what the chain has: what came, what went on, and of what came every unit on one balance.
  expect(await bookDifferences(ledgerOn(store.db))).toEqual([]);
  const swept = await rowsOf(
    sql`SELECT sender, sum(amount)::bigint AS amount FROM sweeps WHERE state = 'final' GROUP BY sender`,
  );
  expect(swept.filter(({ sender, amount }) => BigInt(String(amount)) !== sent.get(String(sender)))).toEqual(
    [],
  );
  const rails = await balancesAt(store.db, new Date(START + DAY));
  for (const { rail, balances } of rails) {
    const { received, swept: gone, ...parts } = balances;
    expect(gone).toBe(rail === "usdt" ? movedOn : 0n);
    expect(Object.values(parts).reduce((sum, part) => sum + part, 0n)).toBe(received);
    expect(Object.entries(parts).filter(([, part]) => part < 0n)).toEqual([]);
  }
}

test(
  `what is credited is what is final on the chain, once, to the right person, in ${RUNS} random lives`,
  async () => {
    const steps = fc.array(moves, { minLength: 30, maxLength: 80, size: "max" });
    const begun: Step[] = [0, 1, 2].map((member) => ({ kind: "order", member, price: member }));
    const life = fc.asyncProperty(steps, (rest) => live([...begun, ...rest.flat()]));
    await fc.assert(life, { numRuns: RUNS, ...SEED });

    // No life shows anything of what never happens in one.
    expect(Object.values(done).filter((times) => times === 0)).toEqual([]);
  },
  Math.max(120_000, RUNS * 3_000),
);
