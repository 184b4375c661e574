/** The watcher on bad days: nodes that fail, lag, lie or belong to another chain, outages of hours, and several processes. No payment is lost, none counts twice. */
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { advance, lead, positionOf, PositionMoved } from "../../src/service/payments/chain/blocks.ts";
import { NodeFailed, type Transport } from "../../src/service/payments/chain/json-rpc.ts";
import type { Store } from "../../src/service/store/database.ts";
import { chainBlocks, chainPositions } from "../../src/service/store/schema.ts";
import { SimulatedChain, type Trouble } from "../support/simulated-chain.ts";
import { emptyStore, everyDatabase } from "./support.ts";
import { CONFIRMATIONS, final, payer, watchedChain } from "./watched-chain.ts";

describe.each(everyDatabase)("on the %s database", (kind) => {
  let store: Store;
  let accountId: number;
  beforeAll(async () => {
    store = await emptyStore(kind);
    accountId = await payer(store);
  });
  afterAll(() => store.close());

  /** A chain of which nothing is known yet, with an order to pay on it. */
  const begin = (nodesOf?: (chain: SimulatedChain) => Transport[]) =>
    watchedChain(store, accountId, { nodesOf });

  test("the next node is asked when one is down, and the first again when it is back", async () => {
    const [one, two]: Trouble[] = [{ down: true }, {}];
    const { chain, watcher, to, statusOf, lines } = await begin((each) => [
      each.node("one", one),
      each.node("two", two),
    ]);
    chain.mine({ to, amount: 5n });
    chain.grow(CONFIRMATIONS);
    await watcher.tick();
    expect(await statusOf()).toBe(1);
    expect(watcher.status()).toMatchObject({ lag: 0, trouble: null });
    expect(lines.filter((line) => line.includes('"node failed"'))).toEqual([
      expect.stringContaining('"node":"one","error":"connection refused"'),
    ]);
  });

  test("a payment made while every node was down for hours is found when one is back", async () => {
    const trouble: Trouble = {};
    const { chain, watcher, to, found, statusOf } = await begin((each) => [each.node("only", trouble)]);
    trouble.down = true;
    await expect(watcher.tick()).rejects.toThrow(NodeFailed);
    expect(watcher.status().trouble).toContain("connection refused");
    chain.grow(3_000);
    chain.mine({ to, amount: 5n });
    chain.grow(9_000);
    trouble.down = false;
    // A node of Tron answers for so many blocks at most.
    trouble.widest = 1_000;
    await expect.poll(() => watcher.tick().then(statusOf)).toBe(1);
    expect(await found()).toEqual(final);
    expect(await positionOf(store.db, "ERC20")).toMatchObject({
      number: 12_001,
      finalNumber: 12_001 - CONFIRMATIONS + 1,
    });
  });

  test.each<[string, Trouble]>([
    ["twice", { logs: "twice" }],
    ["in the opposite order", { logs: "reversed" }],
    ["in ranges of one block", { widest: 1 }],
  ])("a node that tells of transfers %s changes nothing", async (_, trouble) => {
    const { chain, watcher, to, found, statusOf } = await begin((each) => [each.node("odd", trouble)]);
    chain.mine({ to, amount: 2n }, { to, amount: 3n });
    chain.grow(CONFIRMATIONS);
    await watcher.tick();
    expect(await statusOf()).toBe(1);
    expect((await found()).map(({ amount }) => Number(amount)).toSorted((one, other) => one - other)).toEqual(
      [2, 3],
    );
  });

  test("a node that lags behind another takes nothing back", async () => {
    const trouble: Trouble = {};
    const { chain, watcher, to, found, statusOf } = await begin((each) => [each.node("slow", trouble)]);
    chain.mine({ to, amount: 5n });
    chain.grow(CONFIRMATIONS);
    await watcher.tick();
    trouble.behind = 6;
    await watcher.tick();
    expect([await statusOf(), await found()]).toEqual([1, final]);
  });

  test("a node that claims blocks that are not there is not believed", async () => {
    const trouble: Trouble = {};
    const { chain, watcher, to, found, statusOf } = await begin((each) => [
      each.node("liar", trouble),
      each.node("honest"),
    ]);
    chain.mine({ to, amount: 5n });
    trouble.ahead = 500;
    await watcher.tick();
    expect([await statusOf(), await found()]).toEqual([0, [{ state: "seen", amount: 5n }]]);
    expect(await positionOf(store.db, "ERC20")).toMatchObject({ number: 1, headNumber: null });
    expect(watcher.status()).toMatchObject({ head: 1, lag: 0 });
  });

  test("a node of another chain is not asked", async () => {
    const { watcher, lines, statusOf } = await begin(() => {
      const other = new SimulatedChain(2);
      return [other.node("foreign")];
    });
    await expect(watcher.tick()).resolves.toBeUndefined();
    expect(lines).toContainEqual(expect.stringContaining("foreign is on chain 2, not 1."));
    expect(await store.db.$count(chainPositions)).toBe(0);
    expect(await statusOf()).toBe(0);
  });

  test("a reorganisation of what is not final is followed, whatever its depth", async () => {
    const { chain, watcher, to, found, statusOf } = await begin();
    for (let depth = 1; depth < CONFIRMATIONS; depth += 1) {
      chain.mine({ to, amount: 1n });
      chain.grow(depth - 1);
      await watcher.tick();
      chain.drop(depth);
      chain.grow(depth + 1);
      await watcher.tick();
    }
    expect((await found()).every(({ state }) => state === "orphaned")).toBe(true);
    chain.mine({ to, amount: 5n });
    chain.grow(CONFIRMATIONS);
    await watcher.tick();
    expect(await statusOf()).toBe(1);
    const kept = await store.db.select().from(chainBlocks).orderBy(chainBlocks.number);
    expect(kept.map(({ hash }) => hash)).toEqual(chain.blocks.slice(0, kept.length).map(({ hash }) => hash));
  });

  test("a payment that a reorganisation moved to another block, final by the next look, is credited once", async () => {
    const { chain, watcher, to, found, statusOf, lines } = await begin();
    chain.mine({ to, amount: 5n });
    chain.grow(1);
    await watcher.tick();
    chain.drop(2);
    chain.mine({ to, amount: 5n });
    chain.grow(CONFIRMATIONS);
    await watcher.tick();
    expect(await statusOf()).toBe(1);
    expect((await found()).map(({ state }) => state).toSorted()).toEqual(["final", "orphaned"]);
    // It went to its new block before it was final, not as something final that was taken back.
    expect(lines.map((line) => (JSON.parse(line) as { event: string }).event)).toEqual(["chain reorganised"]);
  });

  test("a node alone cannot take back what is final when another one contradicts it", async () => {
    const fork = new SimulatedChain(1);
    let forked = false;
    const { chain, watcher, to, statusOf, lines } = await begin((each) => {
      const [honest, other] = [each.node("honest"), fork.node("forked")];
      const request = ((asked: never) => (forked ? other : honest).request(asked)) as Transport["request"];
      return [{ name: "forked", request }, each.node("honest")];
    });
    fork.blocks.splice(0, 1, ...chain.blocks);
    chain.mine({ to, amount: 5n });
    chain.grow(CONFIRMATIONS);
    await watcher.tick();
    fork.grow(CONFIRMATIONS + 3);
    forked = true;
    await watcher.tick();
    expect(await statusOf()).toBe(1);
    expect(lines).toContainEqual(
      expect.stringContaining("forked contradicts honest about the final block 1."),
    );
  });

  test("one process leads, another one waits, and takes over within seconds of the last sign of life", async () => {
    const { chain, open, watcher, to, statusOf, ledger } = await begin();
    const second = open([chain.node()], "second");
    chain.mine({ to, amount: 5n });
    chain.grow(CONFIRMATIONS);
    await second.tick();
    expect(await statusOf()).toBe(0);
    // The first one has died.
    await store.db.update(chainPositions).set({ leaseUntil: sql`clock_timestamp() - interval '1 second'` });
    await second.tick();
    expect(await statusOf()).toBe(1);
    // It was only asleep, and goes on with what it knew.
    const known = { ...(await positionOf(store.db, "ERC20")), holder: "first" } as never;
    await expect(advance(ledger, "ERC20", known, [], [], 0)).rejects.toThrow(PositionMoved);
    expect(await lead(store.db, "ERC20", "first", 10)).toBeNull();
    await watcher.tick();
    expect(await positionOf(store.db, "ERC20")).toMatchObject({ holder: "second" });
  });

  test("a clock that is set back leaves no network to one that has died", async () => {
    const { watcher } = await begin();
    await watcher.tick();
    await store.db
      .update(chainPositions)
      .set({ holder: "first", leaseUntil: sql`clock_timestamp() + interval '6 hours'` });
    expect(await lead(store.db, "ERC20", "second", 10)).toMatchObject({ holder: "second" });
    expect(await lead(store.db, "ERC20", "first", 10)).toBeNull();
  });

  test("stopped in order, it lets another process lead at once", async () => {
    const { chain, open, watcher, to, statusOf } = await begin();
    const stop = watcher.start();
    await stop();
    chain.mine({ to, amount: 5n });
    chain.grow(CONFIRMATIONS);
    await open([chain.node()], "second").tick();
    expect(await statusOf()).toBe(1);
  });

  test("on Tron the node's finalized block decides", async () => {
    const { chain, open, to, statusOf, watcher } = await begin();
    await watcher.start()();
    const tron = open([chain.node()], "second", { confirmations: null, finality: 1 });
    chain.mine({ to, amount: 5n });
    chain.grow(chain.depth - 1);
    await tron.tick();
    expect(await statusOf()).toBe(0);
    chain.grow(1);
    await tron.tick();
    expect(await statusOf()).toBe(1);
  });

  test("a node that shows a block before it knows its transfers loses none: they are asked for again when they are final", async () => {
    const trouble: Trouble = { unindexed: 2 };
    const { chain, watcher, to, found, statusOf, lines } = await begin((each) => [
      each.node("only", trouble),
    ]);
    for (let block = 0; block < 4; block += 1) {
      chain.mine({ to, amount: block === 1 ? 5n : 0n });
      await watcher.tick();
    }
    expect(await found()).toEqual([]);
    for (let block = 0; block < CONFIRMATIONS; block += 1) {
      chain.mine();
      await watcher.tick();
    }
    expect([await found(), await statusOf()]).toEqual([final, 1]);
    expect(lines).toEqual([]);
  });

  test.each([
    ["by confirmations", CONFIRMATIONS],
    ["by the node's finalized block", null],
  ])("an outage before the block is final loses none either, %s", async (_, confirmations) => {
    const trouble: Trouble = { unindexed: 2 };
    const { chain, open, watcher, to, found, statusOf } = await begin();
    await watcher.start()();
    const second = open([chain.node("only", trouble)], "second", { confirmations });
    chain.mine({ to, amount: 5n });
    await second.tick();
    expect(await found()).toEqual([]);
    chain.grow(200);
    await second.tick();
    expect([await found(), await statusOf()]).toEqual([final, 1]);
  });

  test("the confirmations hold after an outage, too, however many they are", async () => {
    const { chain, open, watcher, to, found, statusOf } = await begin();
    await watcher.start()();
    const patient = open([chain.node()], "second", { confirmations: 200 });
    chain.mine({ to, amount: 5n });
    chain.grow(198);
    await patient.tick();
    expect([await found(), await statusOf()]).toEqual([[{ state: "seen", amount: 5n }], 0]);
    chain.grow(1);
    await patient.tick();
    expect([await found(), await statusOf()]).toEqual([final, 1]);
  });

  test("the requests for a block do not depend on the orders", async () => {
    const { chain, watcher } = await begin();
    chain.grow(2 * CONFIRMATIONS);
    await watcher.tick();
    chain.requests.clear();
    for (let block = 0; block < 10; block += 1) {
      chain.mine();
      await watcher.tick();
      await watcher.tick();
    }
    expect(Object.fromEntries(chain.requests)).toEqual({ eth_getBlockByNumber: 20, eth_getLogs: 20 });
  });
});
