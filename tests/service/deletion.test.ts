/** Deleting an account: which data is removed and which kept, which open payments refuse it, and how late payments are held. */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { rawAddress } from "../../src/contract/address.ts";
import { run } from "../../src/service/operations/admin/commands.ts";
import { deleteExpired } from "../../src/service/operations/retention.ts";
import { announceEnds } from "../../src/service/payments/membership.ts";
import { sweep } from "../../src/service/payments/ledger.ts";
import { bookDifferences, unsettledAt } from "../../src/service/payments/book-check.ts";
import type { Store } from "../../src/service/store/database.ts";
import {
  accounts,
  attempts,
  orders,
  outboxEvents,
  securityEvents,
  sessions,
  unmatchedPayments,
} from "../../src/service/store/schema.ts";
import { SimulatedChain } from "../support/simulated-chain.ts";
import { fresh, providerShop } from "./provider-shop.ts";
import {
  chainsOf,
  emptyStore,
  freshName,
  everyDatabase,
  monthly,
  PASSWORD,
  refusalOf,
  START,
  success,
  zh,
} from "./support.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
const FINAL = 20;
const PRICE = 3_990_000n;
const SIGNED_OUT = 4001;

describe.each(everyDatabase)("on the %s database", (kind) => {
  let store: Store;
  const chains = { TRC20: new SimulatedChain(1), ERC20: new SimulatedChain(2) };
  beforeAll(async () => {
    store = await emptyStore(kind);
  });
  afterAll(() => store.close());
  beforeEach(async () => {
    await store.db.delete(outboxEvents);
    await store.db.delete(unmatchedPayments);
    await store.db.delete(attempts);
  });

  /** A member with everything set, and a shop where all ways to pay are open. */
  async function begin(changes: Parameters<typeof providerShop>[1] = {}) {
    const shop = await providerShop(store, { chains: chainsOf(chains), ...changes });
    const { call, settle, token, clock, ledger } = shop;
    await settle();
    const { data } = await call("/api/user/center", { token });
    const name = (data as { user: { account_name: string } }).user.account_name;
    const [found] = await store.db.select().from(accounts).where(eq(accounts.name, name));
    if (!found) throw new Error("The member is there.");
    const { id } = found;
    const row = async () => (await store.db.select().from(accounts).where(eq(accounts.id, id)))[0];
    const remove = (password = PASSWORD, headers = {}) =>
      call("/api/user/delete", { token, body: { password }, headers });
    const send = (address: string, amount = PRICE) =>
      chains.TRC20.mine({ to: rawAddress("TRC20", address), amount });
    /** Has it arrived, and be final. */
    async function arrive() {
      chains.TRC20.grow(FINAL);
      await settle();
    }
    const rows = () =>
      store.db
        .select({
          rail: unmatchedPayments.rail,
          reason: unmatchedPayments.reason,
          orderId: unmatchedPayments.orderId,
          amount: unmatchedPayments.amount,
        })
        .from(unmatchedPayments);
    const told = async () =>
      (await store.db.select().from(outboxEvents))
        .map(({ body }) => JSON.parse(body) as { type: string; data: Record<string, unknown> })
        .filter(({ data: about }) => about["account_id"] === String(id))
        .toSorted((one, other) => Number(one.data["sequence"]) - Number(other.data["sequence"]));
    const admin = (command: string, args: string[] = [], options: Record<string, string> = {}) =>
      run(command, { ledger, args, options, actor: "anna" });
    return { ...shop, name, id, row, remove, send, arrive, rows, told, admin, clock };
  }

  test("nothing of the person is left: name, particulars, secrets and sessions; the name is free again", async () => {
    const { call, token, name, id, row, remove } = await begin();
    const logIn = () => call("/api/login", { body: { account_name: name, password: PASSWORD } });
    const other = ((await logIn()).data as { token: string }).token;
    await call("/api/user/update_info", {
      token,
      body: { name: "Anna", sex: "woman", birth_date: "1990-02-28" },
    });
    const [question = ""] = (await call("/api/security_problem_list")).data as string[];
    await call("/api/user/save_security_problem", {
      token,
      body: { security_problem: question, security_problem_value: "the harbour", password: PASSWORD },
    });
    const before = await row();
    expect(await remove(PASSWORD, zh)).toEqual(success(null, "账号已注销。"));
    const after = await row();
    expect(after).toEqual({
      ...before,
      name: `Deleted account ${id}`,
      nameKey: `Deleted account ${id}`,
      passwordHash: expect.stringMatching(/^\$argon2id\$/) as string,
      nickname: null,
      sex: null,
      birthDate: null,
      securityProblem: null,
      securityAnswerHash: null,
      deletedAt: new Date(START),
      eventSequence: START,
    });
    expect(after?.passwordHash).not.toBe(before?.passwordHash);
    expect(await store.db.$count(sessions, eq(sessions.accountId, id))).toBe(0);
    for (const one of [token, other])
      expect(await call("/api/user/center", { token: one })).toMatchObject({ code: SIGNED_OUT });
    expect(await logIn()).toMatchObject({ code: 1 });
    expect(await call("/api/register", { body: { account_name: name, password: PASSWORD } })).toMatchObject({
      code: 200,
    });
    // It is another person's now.
    expect(((await logIn()).data as { token: string }).token).toMatch(/^[\w-]{43}$/);
    const [event] = await store.db
      .select()
      .from(securityEvents)
      .where(eq(securityEvents.event, "account deleted"));
    expect(event).toMatchObject({ accountId: id });
  });

  test("the password is asked for, and cannot be guessed", async () => {
    const { remove, row, name, id } = await begin({ loginFailuresPerMinute: 2 });
    const wrong = refusalOf("password", "The password is incorrect. Please check it and try again.");
    expect(await remove("")).toEqual(refusalOf("password", "Please enter your password."));
    expect([await remove("a wrong guess"), await remove("another guess")]).toEqual([wrong, wrong]);
    expect(await remove()).toMatchObject({
      code: 1,
      message: "Too many attempts. Please wait a minute and try again.",
    });
    expect(await row()).toMatchObject({ id, name, deletedAt: null });
  });

  test("other systems are told once more, with the name; the membership that ran is over", async () => {
    const { order, token, send, arrive, remove, told, name, id, clock, admin, row } = await begin();
    const made = await order(token);
    send(made.address);
    await arrive();
    clock.now += DAY;
    await remove();
    expect(
      (await told()).map(({ type, data: { active, deleted, account_name } }) => ({
        type,
        active,
        deleted,
        account_name,
      })),
    ).toEqual([
      { type: "membership.extended", active: true, deleted: false, account_name: name },
      { type: "membership.revoked", active: false, deleted: false, account_name: name },
      { type: "member.deleted", active: false, deleted: true, account_name: name },
    ]);
    expect((await row())?.membershipEndsAt).toEqual(new Date(clock.now));
    // That its membership is over was told with it.
    clock.now += DAY;
    expect(await announceEnds(store.db, clock.now)).toBe(0);
    expect(await admin("member", [`Deleted account ${id}`])).toContainEqual(
      expect.objectContaining({ facts: expect.stringContaining("deleted by its holder") as string }),
    );
  });

  test.each([
    [
      "an order can still be paid",
      async ({ order, token }: Fixture) => void (await order(token)),
      "You have an order that can still be paid. Please finish it, or wait until its thirty minutes are over, then delete the account.",
    ],
    [
      "an order is partly paid",
      async ({ order, token, send, arrive, clock }: Fixture) => {
        send((await order(token)).address, PRICE / 2n);
        await arrive();
        clock.now += 40 * MINUTE;
      },
      "One of your orders is partly paid. Please pay the rest, or ask customer support for your money back, then delete the account.",
    ],
    [
      "too much was paid",
      async ({ order, token, send, arrive, clock }: Fixture) => {
        send((await order(token)).address, PRICE * 2n);
        await arrive();
        clock.now += 40 * MINUTE;
      },
      "You paid more than an order cost. Please ask customer support for the rest, then delete the account.",
    ],
    [
      "a payment is not final yet",
      async ({ order, token, send, settle, clock }: Fixture) => {
        send((await order(token)).address);
        await settle();
        clock.now += 40 * MINUTE;
      },
      "A payment of yours is still being confirmed or checked. Please try again once that is done; customer support can tell you more.",
    ],
    [
      "a bank contests a payment",
      async ({ cardOrder, razorpayEvent, clock }: Fixture) => {
        const made = await cardOrder();
        await made.captured();
        await razorpayEvent("payment.dispute.created", made.dispute("disp_1"));
        clock.now += 40 * MINUTE;
      },
      "A bank is still looking into one of your payments. The account can be deleted once that is decided.",
    ],
  ])("it has to wait while %s, and nothing has changed", async (_, happen, words) => {
    const fixture = await begin();
    await happen(fixture);
    const before = await fixture.row();
    expect(await fixture.remove()).toMatchObject({ code: 1, message: words });
    expect(await fixture.row()).toEqual(before);
    expect(await fixture.call("/api/user/center", { token: fixture.token })).toMatchObject({ code: 200 });
  });
  type Fixture = Awaited<ReturnType<typeof begin>>;

  test("a deletion that has to wait is no wrong password, however often it is tried", async () => {
    const { order, token, remove } = await begin();
    await order(token);
    const words = new Set<string>();
    for (let time = 0; time < 7; time += 1) words.add((await remove()).message);
    expect([...words]).toEqual([expect.stringMatching(/^You have an order that can still be paid/)]);
  });

  test("a deleted account is found by what it is called, also where an earlier release let another be called like it", async () => {
    const { member, remove, id, row, admin } = await begin();
    const name = freshName();
    await member(name);
    const called = { name: `deleted account ${id}`, nameKey: `deleted account ${id}` };
    await store.db.update(accounts).set(called).where(eq(accounts.name, name));
    await remove();
    const shown = (await admin("member", [(await row())?.name ?? ""])) as { facts: string }[];
    expect(shown[0]?.facts).toBe(`Deleted account ${id}`);
  });

  test("what the providers know of an open order counts, although their word was lost", async () => {
    const { cardOrder, remove, clock, row } = await begin();
    const made = await cardOrder();
    made.known();
    clock.now += 40 * MINUTE;
    await remove();
    const [order] = await store.db.select().from(orders).where(eq(orders.id, made.id));
    // It was paid, which settles it: there is nothing to wait for.
    expect({ status: order?.status, deleted: (await row())?.deletedAt !== null }).toEqual({
      status: 1,
      deleted: true,
    });
  });

  test("a dispute that was lost stands in no one's way", async () => {
    const { cardOrder, razorpayEvent, remove, clock, row } = await begin();
    const made = await cardOrder();
    await made.captured();
    const payload = made.dispute(fresh("disp"));
    await razorpayEvent("payment.dispute.created", payload, 1);
    await razorpayEvent("payment.dispute.lost", payload, 2);
    clock.now += 40 * MINUTE;
    await remove();
    expect((await row())?.deletedAt).toEqual(new Date(clock.now));
  });

  test("USDT that comes too late is held for the operator, pays no order and gives no days", async () => {
    const { order, token, send, arrive, remove, clock, rows, row, id, admin, ledger } = await begin();
    const made = await order(token);
    clock.now += 40 * MINUTE;
    await remove();
    send(made.address);
    await arrive();
    expect(await rows()).toEqual([
      { rail: "usdt", reason: "account deleted", orderId: made.id, amount: String(PRICE) },
    ]);
    expect(await row()).toMatchObject({ membershipEndsAt: null });
    expect(await admin("order", [made.id])).toContainEqual(
      expect.objectContaining({ what: `ordered by Deleted account ${id}` }),
    );
    const [{ id: unmatched } = { id: 0 }] = await store.db.select().from(unmatchedPayments);
    await expect(admin("unmatched-credit", [String(unmatched)], { reason: "paid" })).rejects.toThrow(
      `The account of order ${made.id} was deleted: give the money back.`,
    );
    await admin("unmatched-resolve", [String(unmatched)], {
      returned: `0x${"ab".repeat(32)}`,
      reason: "gave it back",
    });
    expect(await bookDifferences(ledger)).toEqual([]);
  });

  test("a card payment that comes too late is held for the operator, however often it is told of", async () => {
    const { cardOrder, remove, clock, rows, admin, row } = await begin();
    const made = await cardOrder();
    clock.now += 40 * MINUTE;
    await remove();
    await made.captured();
    await made.captured();
    expect(await rows()).toEqual([
      { rail: "card", reason: "account deleted", orderId: made.id, amount: "399" },
    ]);
    expect((await row())?.membershipEndsAt).toBeNull();
    const [{ id } = { id: 0 }] = await store.db.select().from(unmatchedPayments);
    await expect(admin("unmatched-credit", [String(id)], { reason: "paid" })).rejects.toThrow("was deleted");
    await admin("unmatched-resolve", [String(id)], { reason: "refunded at the provider" });
  });

  test.each([
    ["was given back whole", "refund.processed", 399, null],
    ["was taken by a bank for good", "payment.dispute.lost", 399, null],
    ["was given back in part", "refund.processed", 100, "299"],
    ["is contested", "payment.dispute.created", 399, "399"],
    ["was not given back after all", "refund.failed", 399, "399"],
  ])(
    "a card payment that comes too late and %s is asked for by what is left of it",
    async (_, event, amount, left) => {
      const { cardOrder, razorpayEvent, remove, clock, rows } = await begin();
      const made = await cardOrder();
      clock.now += 40 * MINUTE;
      await remove();
      await razorpayEvent(event, { ...made.refund(amount), ...made.dispute(fresh("disp")) }, 1);
      for (let time = 0; time < 2; time += 1) await made.captured();
      const row = { rail: "card", reason: "account deleted", orderId: made.id, amount: left };
      expect(await rows()).toEqual(left === null ? [] : [row]);
    },
  );

  test("a part payment that is kept stands in no one's way", async () => {
    const { order, token, send, arrive, remove, row, admin, clock } = await begin();
    const made = await order(token);
    send(made.address, PRICE / 2n);
    await arrive();
    clock.now += 40 * MINUTE;
    expect(await remove()).toMatchObject({ code: 1 });
    await admin("keep", [made.id], { reason: "Days instead" });
    expect(await remove()).toMatchObject({ code: 200 });
    expect(await row()).toMatchObject({ deletedAt: new Date(clock.now) });
  });

  test.each([
    ["a refund failed", ["refund.created"], ["refund.failed"]],
    ["a dispute was won", [], ["payment.dispute.created", "payment.dispute.won"]],
  ])(
    "a card payment of a deleted account that comes back because %s gives no days, and is the operator's",
    async (_, before, after) => {
      const { cardOrder, razorpayEvent, remove, clock, rows, row, told, admin, ledger } = await begin();
      const made = await cardOrder();
      await made.captured();
      const payload = { ...made.refund(399), ...made.dispute(fresh("disp")) };
      for (const [at, event] of before.entries()) await razorpayEvent(event, payload, at + 1);
      clock.now += 40 * MINUTE;
      await remove();
      const endsAt = (await row())?.membershipEndsAt;
      for (const [at, event] of after.entries()) await razorpayEvent(event, payload, at + 10);
      const [order] = await store.db.select().from(orders).where(eq(orders.id, made.id));
      expect({ status: order?.status, endsAt: (await row())?.membershipEndsAt }).toEqual({
        status: 9,
        endsAt,
      });
      expect((await told()).at(-1)).toMatchObject({ data: { deleted: true, active: false } });
      expect(await rows()).toEqual([{ rail: "card", reason: "surplus", orderId: made.id, amount: "399" }]);
      expect(await sweep(ledger)).toBe(0);
      const [{ id } = { id: 0 }] = await store.db.select().from(unmatchedPayments);
      await admin("unmatched-resolve", [String(id)], { kept: "", reason: "The account is gone." });
      const unsettled = await unsettledAt(store.db, new Date(clock.now + DAY));
      expect(unsettled.filter(({ orderId }) => orderId === made.id)).toEqual([]);
      expect(await bookDifferences(ledger)).toEqual([]);
    },
  );

  test("an operator sees a deleted account by its number, and changes nothing of it", async () => {
    const { remove, admin, id } = await begin();
    await remove();
    const name = `Deleted account ${id}`;
    for (const [command, ...args] of [
      ["credit", "30"],
      ["lock"],
      ["unlock"],
      ["clear-question"],
      ["end-sessions"],
    ] as const)
      await expect(admin(command, [name, ...args], { reason: "asked" })).rejects.toThrow(
        `${name} was deleted by its holder at ${new Date(START).toISOString()}.`,
      );
  });

  test("what gave a deleted account days again cannot be undone into it", async () => {
    const { remove, admin, id, name, row } = await begin();
    await admin("credit", [name, "30"], { reason: "a gift" });
    await admin("revoke", [name, "30"], { reason: "a mistake" });
    await remove();
    const audit = (await admin("audit")) as { id: number; action: string }[];
    const revoked = audit.find(({ action }) => action === "revoke");
    await expect(admin("undo", [String(revoked?.id)], { reason: "asked" })).rejects.toThrow(
      `Deleted account ${id} was deleted by its holder, and would be a member again: nothing was done.`,
    );
    expect((await row())?.membershipEndsAt?.getTime()).toBe(START);
  });

  test("if anything of it fails, nothing of it has happened", async () => {
    const { remove, row, id, told } = await begin();
    const taken = `Deleted account ${id}`;
    // The last of its statements fails.
    await store.db
      .insert(accounts)
      .values({ name: taken, nameKey: taken, passwordHash: "", createdAt: new Date(START) });
    const before = await row();
    await remove();
    expect(await row()).toEqual(before);
    expect(await store.db.$count(sessions, eq(sessions.accountId, id))).toBe(1);
    expect(await told()).toEqual([]);
  });

  test("of a deletion and an order, a log-in or another password at the same time, none is left half", async () => {
    for (let round = 0; round < 3; round += 1) {
      const { call, order, token, name, remove, row, id, service } = await begin();
      const changed = { new_password: "another harbour 8", new_password_confirmation: "another harbour 8" };
      await Promise.all([
        remove(),
        order(token, monthly).catch(() => null),
        call("/api/login", { body: { account_name: name, password: PASSWORD } }),
        call("/api/user/change_password", { token, body: { old_password: PASSWORD, ...changed } }),
        call("/api/user/update_info", { token, body: { name: "Anna", sex: "man", birth_date: "" } }),
      ]);
      const after = await row();
      const open = await service.db.$count(orders, eq(orders.accountId, id));
      const live = await service.db.$count(sessions, eq(sessions.accountId, id));
      const nothing = { open: 0, live: 0, nickname: null, sex: null };
      const left = { open, live, nickname: after?.nickname ?? null, sex: after?.sex ?? null };
      const isDeleted = after?.deletedAt !== null;
      expect({ left: isDeleted ? left : nothing, name: after?.name }).toEqual({
        left: nothing,
        name: isDeleted ? `Deleted account ${id}` : name,
      });
    }
  });

  test("names in events for other systems are kept for ninety days, those that wait for longer", async () => {
    const { remove } = await begin();
    await remove();
    const types = async () => (await store.db.select().from(outboxEvents)).map(({ type }) => type);
    await deleteExpired(store.db, START + 91 * DAY);
    expect(await types()).toEqual(["member.deleted"]);
    await store.db.update(outboxEvents).set({ nextAttemptAt: null, deliveredAt: new Date(START) });
    await deleteExpired(store.db, START + 89 * DAY);
    expect(await types()).toEqual(["member.deleted"]);
    await deleteExpired(store.db, START + 91 * DAY);
    expect(await types()).toEqual([]);
  });
});
