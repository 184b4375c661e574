/** How PostgreSQL finds what is asked for: no statement that the service sends, from registering to a refund, for the operator and in the jobs, reads a whole table that grows with the members, but where that is meant. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { expect, onTestFinished, test, vi } from "vitest";
import { rawAddress } from "../../src/contract/address.ts";
import { paths } from "../../src/contract/calls.ts";
import { consoleCalls, filters } from "../../src/contract/console.ts";
import { buildConsole } from "../../src/service/console/app.ts";
import { followCatalogue } from "../../src/service/catalogue-versions.ts";
import { chainCommands } from "../../src/service/operations/admin/chain.ts";
import { commands, isPreviewed, run } from "../../src/service/operations/admin/commands.ts";
import { AlarmBoard, openAlarms, troublesOf } from "../../src/service/operations/alerts/alarms.ts";
import { removeOld, sendMessages } from "../../src/service/operations/alerts/messages.ts";
import { tellSummary } from "../../src/service/operations/alerts/summary.ts";
import { backlogOf, countPending } from "../../src/service/operations/backlog.ts";
import { backupReceived } from "../../src/service/operations/backup-download.ts";
import { deleteExpired } from "../../src/service/operations/retention.ts";
import { announceNext } from "../../src/service/events/account-events.ts";
import { sweep } from "../../src/service/payments/ledger.ts";
import { lookAhead } from "../../src/service/payments/look-ahead.ts";
import { announceEnds, retractEnds } from "../../src/service/payments/membership.ts";
import { deliverEvents } from "../../src/service/events/outbox.ts";
import { refreshOpenOrders } from "../../src/service/payments/provider-job.ts";
import { readLists } from "../../src/service/payments/provider-lists.ts";
import { removeUnpaidOrders } from "../../src/service/payments/unpaid-orders.ts";
import { catalogueFile, migrationsFolder } from "../../src/service/platform/project.ts";
import { open } from "../../src/service/store/open.ts";
import { SimulatedChain } from "../support/simulated-chain.ts";
import { providerShop } from "./provider-shop.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { chainsOf, emptyDatabase, freshName, PASSWORD, servers, START, textOf, XPUB } from "./support.ts";
import { faultsOf, indexesOf, recorded } from "./statement-plans.ts";

const DAY = 86_400_000;
const NOW = START / 1_000;
const PRICE = 3_990_000n;
const FINAL = 20;

/** Statements that read large tables whole by their nature. Everything else is held to the rule, also what is written later. */
const meant: Readonly<Record<string, RegExp>> = {
  "a backup holds every row": /^DECLARE backup CURSOR/,
  "a restore empties the tables of a database without accounts": /^delete from "\w+"$/,
  "end-sessions --all ends every session": /^(delete|select count\(\*\) as count) from "sessions";?$/,
  "clear-question --all concerns every account with a question":
    /^update "accounts" set "security_problem" = \$1, "security_answer_hash" = \$2 where "accounts"."security_problem" is not null$/,
  "addresses holds what every address received against what left it":
    /left join \(select "network", "sender", sum/,
  "a list without a condition counts no more than some thousands of the rows that it does not show":
    /^select count\(\*\) as count from \(select 1 as "one" from "\w+" limit \$1\)/,
  "what an earlier release left contested is looked for once in a database":
    /^select distinct "payments"."order_id" from "reversals"/,
};

/** The live service with all its rails, and what was called of it. */
async function fixture(store: Awaited<ReturnType<typeof recorded>>["store"]) {
  const chains = { TRC20: new SimulatedChain(1), ERC20: new SimulatedChain(2) };
  const made = await providerShop(store, { chains: chainsOf(chains) });
  const { app, ledger, order, settle } = made;
  const requested = vi.spyOn(app, "request");
  await settle();
  const ran = new Set<string>();
  return {
    ...made,
    chains,
    ran,
    called: () => new Set(requested.mock.calls.map(([path]) => path)),
    usdt: (token: string) => order(token, undefined, { "Idempotency-Key": "key" }),
    async pay(address: string, amount = PRICE) {
      chains.TRC20.mine({ to: rawAddress("TRC20", address), amount });
      chains.TRC20.grow(FINAL);
      await settle();
    },
    admin(command: string, args: string[] = [], options: Record<string, string> = {}) {
      ran.add(command);
      const given = isPreviewed(command) ? { reason: "Ticket 7", ...options } : options;
      return run(command, { ledger, args, options: given, actor: "anna", catalogue: catalogueFile() });
    },
    async newest(): Promise<string> {
      const [row] = (await run("unmatched", { ledger, args: [], options: {}, actor: "anna" })) as {
        id: number;
      }[];
      return String(row?.id);
    },
  };
}
type Fixture = Awaited<ReturnType<typeof fixture>>;

/** An account, all that its holder can do with it, and an order in USDT. */
async function membersLife({ call, member, usdt, pay, chains, settle }: Fixture, name: string) {
  const token = await member(name);
  await call(paths.login, { body: { account_name: name, password: "wrong guess" } });
  for (const path of [paths.centre, paths.packages, paths.paymentMethods, paths.contact])
    await call(path, { token });
  const [question = ""] = (await call(paths.securityProblems)).data as string[];
  const answer = { security_problem: question, security_problem_value: "the harbour" };
  await call(paths.saveSecurityProblem, { token, body: { ...answer, password: PASSWORD } });
  await call(paths.updateProfile, { token, body: { name: "Anna", sex: "", birth_date: "" } });
  const made = await usdt(token);
  await usdt(token);
  await pay(made.address, 1n);
  await pay(made.address);
  await call(paths.orderDetail, { token, body: { order_id: made.id } });
  const list = { state: "unsettled", order_ids: [made.id], idempotency_key: "key" };
  await call(paths.orderList, { token, body: list });
  await call(paths.orderList, { token, body: { state: "all" } });
  await call(paths.orderList, { token, body: { state: "all", cursor: `${NOW * 1_000}.${made.id}` } });
  chains.TRC20.drop(FINAL + 1);
  chains.TRC20.grow(FINAL + 2);
  await settle();
  await call(paths.sessions, { token });
  await call(paths.endSession, { token, body: { session_id: crypto.randomUUID(), password: PASSWORD } });
  await call(paths.endOtherSessions, { token, body: { password: PASSWORD } });
  const changed = { new_password: "another harbour 8", new_password_confirmation: "another harbour 8" };
  await call(paths.changePassword, { token, body: { password: PASSWORD, ...changed } });
  await call(paths.recover, { body: { account_name: name, ...answer, ...changed } });
  await call(paths.logout, { token, body: {} });
  const leaving = await member(`${name}-leaving`);
  await call(paths.deleteAccount, { token: leaving, body: { password: PASSWORD } });
  return made;
}

/** Orders by card and at Stripe: paid, refunded in part and whole, contested, failed; webhook events that come, and those that are lost. */
async function providersLife(shop: Fixture) {
  const {
    call,
    token,
    cardOrder,
    stripeOrder,
    razorpayEvent,
    stripeEvent,
    provider,
    service,
    ledger,
    clock,
  } = shop;
  const { card, stripe, rails } = service;
  if (!card || !stripe || !rails.card || !rails.stripe) throw new Error("Both are open.");
  await call(paths.cardKey, { token });
  const open = await cardOrder();
  await open.seen();
  open.known();
  await open.verify();
  const paid = await cardOrder();
  await paid.captured();
  await razorpayEvent("refund.processed", paid.refund(100));
  await razorpayEvent("payment.dispute.created", paid.dispute("disp_1"));
  await razorpayEvent("payment.dispute.won", paid.dispute("disp_1"));
  await paid.captured({ id: "pay_unknown", order_id: "order_unknown" });
  await paid.captured({ id: "pay_rupees", currency: "INR" });

  const session = await stripeOrder();
  await session.seen();
  await session.completed();
  await session.refunded(2_999);
  await session.disputed("created", "needs_response");
  const failed = await stripeOrder();
  await stripeEvent("checkout.session.expired", { ...failed.session, status: "expired" });
  const missed = await stripeOrder();
  missed.known();

  const listed = { payment_id: paid.payment, amount: 399, currency: "USD", created_at: NOW };
  provider.refunds.push({ ...listed, id: "rfnd_lost", status: "processed" });
  provider.disputes.push({ ...listed, id: "disp_lost", status: "open" });
  const charge = { ...session.charge, amount_refunded: 2_999 };
  provider.events.push({ id: "evt_lost", type: "charge.refunded", created: NOW, data: { object: charge } });
  clock.now += 60 * 60_000;
  await cardOrder();
  for (const rail of ["card", "stripe"] as const) {
    await refreshOpenOrders(ledger, rail, (order) => rails[rail]?.refresh(order) ?? Promise.resolve());
    expect(await readLists(ledger, rail, (rail === "card" ? card : stripe).lists)).toBeGreaterThan(0);
  }
  return { card: paid.id, stripe: session.id };
}

async function operatorsLife(
  shop: Fixture,
  name: string,
  made: { id: string; address: string },
  cardId: string,
) {
  const { admin, newest, pay, clock, member, usdt } = shop;
  const latestEntry = async () => {
    const [entry] = (await admin("audit")) as { id: number }[];
    return String(entry?.id);
  };
  await admin("status");
  for (const word of [made.id, made.address]) await admin("order", [word]);
  await expect(admin("order", ["unknown"])).rejects.toThrow("No order");
  for (const options of [{}, { member: name }, { "pending-days": "1" }]) await admin("orders", [], options);
  await admin("member", [name]);
  for (const options of [{}, { all: "" }]) await admin("unmatched", [], options);
  await admin("credit", [name, "30"]);
  await admin("revoke", [name, "10"], { ticket: "7-1" });
  await admin("set-end", [name, "2027-01-31"]);
  await expect(admin("refund", [cardId])).rejects.toThrow("Nothing that came");
  for (const [args, options] of [
    [[name], {}],
    [[], { all: "" }],
  ] as const) {
    await admin("clear-question", [...args], options);
    await admin("end-sessions", [...args], options);
  }
  for (const options of [{}, { all: "" }, { network: "TRC20", since: "2026-11-01" }])
    await admin("addresses", [], options);
  await textOf(await admin("export", ["2026-11"]));
  await admin("reconcile", ["2026-11"]);
  await admin("series-add", ["1"]);
  await admin("events");
  for (const args of [[], ["unknown"]]) await admin("replay-events", args);
  for (const args of [[], [name]]) await admin("security", args);
  await admin("announce-members");
  await admin("alarms");
  await expect(admin("alert-test")).rejects.toThrow("No way is set.");
  await admin("audit");
  for (const list of ["unmatched", "events", "audit", "backups", "security", "packages-versions"])
    await admin(list, [], { limit: "1" });
  for (const options of [{}, { member: name }, { "pending-days": "1" }, { "part-paid": "" }])
    await admin("orders", [], { ...options, limit: "1" });
  await admin("unmatched-resolve", [await newest()]);
  const short = await usdt(await member());
  await pay(short.address, PRICE / 2n);
  await admin("keep", [short.id]);
  await admin("undo", [await latestEntry()]);
  clock.now += 40 * DAY;
  await pay(made.address);
  await admin("unmatched-credit", [await newest()]);
  await admin("undo", [await latestEntry()]);
  await admin("refund", [made.id]);
  await admin("package-set", ["monthly"], { "buy-price": "4.49" });
  await admin("undo", [await latestEntry()]);
  await admin("packages-restore", ["1"]);
  for (const command of ["packages", "packages-versions"]) await admin(command);
  for (const command of ["lock", "unlock"]) await admin(command, [name]);
  await admin("undo", [await latestEntry()]);
}

async function jobsLife({ ledger, usdt, member, pay, clock }: Fixture) {
  const { db, now } = ledger;
  const unpaid = await usdt(await member());
  await sweep(ledger);
  await sweep({ ...ledger, tolerance: ledger.tolerance + 1n });
  await lookAhead(db, [XPUB], 5);
  await backlogOf(db, now(), true);
  await countPending(db);
  const troubles = await troublesOf(db, now(), {
    read: ["TRC20", "card"],
    missing: [],
    hasReceiver: true,
    backupHours: 26,
  });
  const telling = { channels: ["ntfy"], page: null } as const;
  await new AlarmBoard(db, telling).compare(troubles, now());
  await openAlarms(db);
  await tellSummary(db, now(), { hour: 7, hasReceiver: true }, telling);
  await sendMessages(
    db,
    now,
    "ntfy",
    () => Promise.resolve(),
    () => undefined,
    AbortSignal.timeout(1_000),
  );
  await removeOld(db, now());
  await announceNext(db, now());
  const receiver = createServer((_, response) => void response.end()).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const to = { url, secrets: ["whsec_c2VjcmV0"] };
  await deliverEvents(db, now, to, () => undefined, AbortSignal.timeout(1_000));
  receiver.close();
  await (await followCatalogue(catalogueFile(), db, () => undefined)).stop();
  clock.now += 400 * DAY;
  await retractEnds(db, now());
  await announceEnds(db, now());
  await deleteExpired(db, now());
  await removeUnpaidOrders(db, now(), 365);
  await pay(unpaid.address);
}

/** Every call of the operator's page, with every filter, and from the second page on. */
async function consoleLife(shop: Fixture, name: string, made: { id: string; address: string }) {
  const { ledger, service, admin } = shop;
  const page = { host: "127.0.0.1", port: 3001, url: null, directory: temporaryDirectory() };
  const settings = { ...service.settings, database: temporaryDirectory() };
  const app = buildConsole({ ledger, settings, page });
  await admin("operator-add", ["anna", "money"]);
  await admin("operator-list");
  shop.ran.add("console");
  const printed = await run("console", { ledger, console: page, args: [], options: {}, actor: "anna" });
  let cookie = "";
  const call = async (path: string, body: unknown = {}) => {
    const headers = { "Content-Type": "application/json", Origin: "http://127.0.0.1:3001", Cookie: cookie };
    const response = await app.request(path, { method: "POST", body: JSON.stringify(body), headers });
    expect(response.status, `${path} ${JSON.stringify(body)}`).toBe(200);
    cookie = response.headers.get("Set-Cookie")?.split(";")[0] ?? cookie;
  };
  const credit = { command: "credit", args: [name, "1"], options: { reason: "Ticket 8" } };
  await call(consoleCalls.enter, { link: /#(\S+)/.exec(String(printed))?.[1] });
  await call(consoleCalls.whoami);
  await call(consoleCalls.today);
  for (const text of [made.id, made.address, name, "ab".repeat(32), "pay_1"])
    await call(consoleCalls.find, { text });
  for (const [list, known] of Object.entries(filters))
    for (const filter of known)
      for (const cursor of [null, `${NOW * 1_000}.1`])
        await call(consoleCalls.list, { list, filter, cursor });
  await call(consoleCalls.order, { order: made.id });
  await call(consoleCalls.member, { name });
  await call(consoleCalls.packages);
  await call(consoleCalls.backups);
  await backupReceived(ledger.db, "anna", 1);
  await call(consoleCalls.ask, { command: "status", args: [], options: {} });
  await call(consoleCalls.preview, credit);
  await call(consoleCalls.leave);
  await admin("operator-passkeys-remove", ["anna"]);
  await admin("operator-remove", ["anna"]);
}

test.skipIf(servers.length === 0)(
  "no statement of a payment, an operator's command or job reads a table whole that grows with the members, unless meant",
  async () => {
    const other = await emptyDatabase();
    onTestFinished(other.drop);
    await (await open(other.url, migrationsFolder())).close();
    const { url, store, sent } = await recorded();
    const shop = await fixture(store);
    const name = freshName();
    const made = await membersLife(shop, name);
    const orders = await providersLife(shop);
    await operatorsLife(shop, name, made, orders.card);
    await jobsLife(shop);
    await consoleLife(shop, name, made);
    const file = join(temporaryDirectory(), "backup.gz");
    await shop.admin("backup", [file]);
    await shop.admin("backups");
    const restored = await open(other.url, migrationsFolder());
    onTestFinished(() => restored.close());
    const ledger = { ...shop.ledger, db: restored.db };
    shop.ran.add("restore");
    await run("restore", { ledger, args: [file], options: { reason: "moved" }, actor: "anna" });
    // Of a restore it does the end alone, there where nothing else is done.
    shop.ran.add("after-restore");
    await run("after-restore", { ledger, args: [], options: { reason: "moved" }, actor: "anna" });

    // What is added to the API or to the operator's commands has to be called here, too.
    expect([...shop.called()]).toEqual(expect.arrayContaining(Object.values(paths)));
    // Those about a network ask its nodes: nodes.test.ts has them.
    const local = Object.keys(commands).filter((command) => !Object.hasOwn(chainCommands, command));
    expect([...shop.ran].toSorted()).toEqual(local.toSorted());
    expect(sent.size).toBeGreaterThan(150);
    const found = await faultsOf(url, sent);
    const isMeant = (text: string) => Object.values(meant).some((statement) => statement.test(text));
    expect(found.filter(({ text }) => !isMeant(text))).toEqual([]);
    for (const [what, statement] of Object.entries(meant))
      expect(
        found.filter(({ text }) => statement.test(text)),
        what,
      ).not.toEqual([]);
  },
);

test.skipIf(servers.length === 0)(
  "ends that are to be told, or told otherwise, are not looked for among those that are right",
  async () => {
    const { url, store, sent } = await recorded();
    // Told and over, untold and to come, and of each kind one that is looked for.
    await store.db.execute(sql`
      INSERT INTO accounts (name, name_key, password_hash, created_at, membership_ends_at, membership_end_announced)
      SELECT 'm' || n, 'm' || n, '', now(), ends, CASE WHEN n % 2 = 0 THEN ends END
      FROM (
        SELECT n, now() + CASE WHEN n < 3 THEN n - 1.5 ELSE n % 2 - 0.5 END * interval '1 year' AS ends
        FROM generate_series(1, 4000) n) each`);
    await store.db.execute(sql`VACUUM ANALYZE accounts`);
    sent.clear();
    expect(await announceEnds(store.db, Date.now())).toBe(1);
    expect(await retractEnds(store.db, Date.now())).toBe(1);
    const searched = [...sent].filter(([text]) => /^select .*skip locked$/.test(text));
    expect(await indexesOf(url, new Map(searched))).toEqual(["accounts_end_untold", "accounts_end_told"]);
  },
);
