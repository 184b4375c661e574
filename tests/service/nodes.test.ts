/** Nodes are judged, not believed: those that stand still, lag, refuse, take too long or lie about logs; two processes that catch up at once; contracts that are not the token. */
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { hexToNumber, numberToHex, type Hex } from "viem";
import { positionOf } from "../../src/service/payments/chain/blocks.ts";
import {
  faultOf,
  httpTransport,
  NodeFailed,
  type Transport,
} from "../../src/service/payments/chain/json-rpc.ts";
import { openLease } from "../../src/service/payments/chain/lease.ts";
import { openNode } from "../../src/service/payments/chain/node.ts";
import { PACES } from "../../src/service/payments/chain/nodes.ts";
import { partsOf, Width } from "../../src/service/payments/chain/ranges.ts";
import type { Store } from "../../src/service/store/database.ts";
import { chainPositions } from "../../src/service/store/schema.ts";
import { SimulatedChain, TOKEN, type SimulatedLog, type Trouble } from "../support/simulated-chain.ts";
import { databases, emptyStore, START } from "./support.ts";
import { CONFIRMATIONS, final, payer, watchedChain } from "./watched-chain.ts";

const OTHER_TOKEN = "00000000000000000000000000000000000fa6e0";

/** A node that tells the time of its blocks as Tron's own API does. */
const inMilliseconds = (node: Transport): Transport => ({
  name: node.name,
  async request(asked) {
    const answer = await node.request(asked);
    if (asked.method !== "eth_getBlockByNumber") return answer;
    const block = answer as { timestamp: Hex };
    return { ...block, timestamp: numberToHex(hexToNumber(block.timestamp) * 1000) };
  },
});

describe.each(databases)("on the %s database", (kind) => {
  let store: Store;
  let accountId: number;
  beforeAll(async () => {
    store = await emptyStore(kind);
    accountId = await payer(store);
  });
  afterAll(() => store.close());

  test("a first node that stands still is told of and passed over", async () => {
    const trouble: Trouble = {};
    const { chain, watcher, to, statusOf, told } = await watchedChain(store, accountId, {
      nodesOf: (each) => [each.node("frozen", trouble), each.node("healthy")],
      options: { pace: PACES.ERC20 },
    });
    trouble.pinned = chain.head.number;
    chain.mine({ to, amount: 5n });
    chain.grow(200);
    for (let look = 0; look < 20; look += 1) await watcher.tick();
    expect(await statusOf()).toBe(1);
    expect(watcher.status()).toMatchObject({ position: 201, head: 201, lag: 0 });
    expect(told("node passed over")).toEqual([
      expect.stringContaining('"node":"frozen","reason":"it is 201 blocks behind"'),
    ]);
    trouble.pinned = Infinity;
    for (let look = 0; look < 20; look += 1) await watcher.tick();
    expect(told("node keeps up")).toHaveLength(1);
  });

  test("a first node that lags behind all the time is passed over, one that is near is not", async () => {
    const trouble: Trouble = { behind: 2 };
    const { chain, watcher, to, statusOf, told } = await watchedChain(store, accountId, {
      nodesOf: (each) => [each.node("slow", trouble), each.node("healthy")],
    });
    chain.grow(30);
    await watcher.tick();
    expect(watcher.status().position).toBe(28);
    trouble.behind = 25;
    chain.mine({ to, amount: 5n });
    chain.grow(CONFIRMATIONS);
    for (let look = 0; look < 10; look += 1) await watcher.tick();
    expect([await statusOf(), told("node passed over").length]).toEqual([1, 1]);
  });

  test("blocks that are old on every node are read all the same, and told of once", async () => {
    const { chain, clock, watcher, to, statusOf, told } = await watchedChain(store, accountId, {
      nodesOf: (each) => [each.node("one"), each.node("two")],
      options: { pace: PACES.ERC20 },
    });
    chain.timeOf = () => START / 1000;
    clock.now = START + 3_600_000;
    chain.mine({ to, amount: 5n });
    chain.grow(CONFIRMATIONS);
    await watcher.tick();
    await watcher.tick();
    expect(await statusOf()).toBe(1);
    expect(watcher.status()).toMatchObject({ headAge: 3_600, isBehind: true });
    expect([told("network stands still").length, told("node passed over").length]).toEqual([1, 0]);
    chain.timeOf = () => clock.now / 1000;
    chain.mine();
    await watcher.tick();
    expect(watcher.status()).toMatchObject({ headAge: 0, isBehind: false });
    expect(told("network goes on")).toHaveLength(1);
  });

  test("what a process does not read itself, it says to be behind by what the other one saw", async () => {
    const { chain, clock, open, watcher } = await watchedChain(store, accountId, {
      options: { pace: PACES.ERC20 },
    });
    chain.timeOf = () => START / 1000;
    await watcher.tick();
    const other = open([chain.node()], "second");
    await other.tick();
    expect([other.status().position, other.status().isBehind]).toEqual([null, false]);
    await store.db.update(chainPositions).set({ headNumber: chain.head.number + 100 });
    await other.tick();
    expect(other.status().isBehind).toBe(true);
    await store.db.update(chainPositions).set({ headNumber: chain.head.number, headAt: new Date(START) });
    clock.now += 200_000;
    await other.tick();
    expect(other.status().isBehind).toBe(true);
  });

  test("how much is left to read is told while it is read, also from a node that never comes to the end", async () => {
    let parts = 0;
    const trouble: Trouble = {
      widest: 100,
      changes: (logs) => {
        parts += 1;
        if (parts % 4 === 0) throw new Error("too many requests");
        return logs;
      },
    };
    const { chain, watcher } = await watchedChain(store, accountId, {
      nodesOf: (each) => [each.node("tired", trouble)],
    });
    await watcher.tick();
    const before = (await positionOf(store.db, "ERC20"))?.number ?? 0;
    chain.grow(5_000);
    for (let look = 0; look < 2; look += 1) await watcher.tick().catch(() => undefined);
    const position = await positionOf(store.db, "ERC20");
    const read = (position?.number ?? 0) - before;
    expect({ read: read > 0 && read < 5_000, head: position?.headNumber }).toEqual({
      read: true,
      head: chain.head.number,
    });
  });

  test("when a node answered is written down only after an answer", async () => {
    const trouble: Trouble = {};
    const { open, chain, watcher } = await watchedChain(store, accountId);
    await watcher.start()();
    await store.db.update(chainPositions).set({ checkedAt: null });
    trouble.down = true;
    await open([chain.node("down", trouble)], "second")
      .tick()
      .catch(() => undefined);
    expect((await positionOf(store.db, "ERC20"))?.checkedAt).toBeNull();
  });

  test("a process whose nodes all fail lets another one read", async () => {
    const { open, chain, watcher, to, statusOf } = await watchedChain(store, accountId);
    await watcher.start()();
    await open([chain.node("down", { down: true })], "second")
      .tick()
      .catch(() => undefined);
    chain.mine({ to, amount: 5n });
    chain.grow(CONFIRMATIONS);
    await open([chain.node()], "third").tick();
    expect(await statusOf()).toBe(1);
  });

  test("of blocks that no longer change, which are not shown one by one, a node that tells of a replaced one too is not believed", async () => {
    const trouble: Trouble = {};
    const { chain, watcher, to, found, told } = await watchedChain(store, accountId, {
      nodesOf: (each) => [each.node("muddled", trouble), each.node("honest")],
    });
    chain.grow(20);
    chain.mine({ to, amount: 5n });
    chain.grow(200);
    // As a node does that forgot to take back what was in a block that was replaced.
    trouble.changes = (logs) => [
      ...logs,
      ...logs.map((log) => ({ ...log, blockHash: `0x${"1".repeat(64)}` })),
    ];
    await watcher.tick();
    expect([await found(), told("node failed")]).toEqual([
      final,
      [expect.stringContaining('"node":"muddled","error":"logs of two blocks 21"')],
    ]);
  });

  test("a node that tells the time of blocks in milliseconds is not believed, and another one is read", async () => {
    const { chain, watcher, to, statusOf, told } = await watchedChain(store, accountId, {
      nodesOf: (each) => [each.node("honest", { behind: 1 }), inMilliseconds(each.node("backup"))],
    });
    chain.mine({ to, amount: 5n });
    chain.grow(CONFIRMATIONS + 1);
    await watcher.tick();
    const real = performance.now.bind(performance);
    const later = vi.spyOn(performance, "now").mockImplementation(() => real() + 60_000);
    onTestFinished(() => later.mockRestore());
    // The lease is renewed, and what was seen is written down with it.
    await watcher.tick();
    await watcher.tick();
    expect([await statusOf(), (await positionOf(store.db, "ERC20"))?.headNumber]).toEqual([
      1,
      chain.head.number - 1,
    ]);
    expect(told("node failed")[0]).toContain('"node":"backup","error":"no proper timestamp"');
  });

  test("a newest block that cannot be written down stops one look, and no later one", async () => {
    const { watcher } = await watchedChain(store, accountId);
    await watcher.start()();
    const lease = openLease(store.db, "ERC20", "second", 10);
    lease.saw({ number: 1, hash: "", parentHash: "", timestamp: START });
    await expect(lease.position()).rejects.toThrow("Failed query");
    expect(await lease.position()).toMatchObject({ holder: "second" });
  });

  test("of two processes with a slow node, one catches up while the other one waits", async () => {
    const { chain, open, watcher, to, statusOf } = await watchedChain(store, accountId, {
      options: { lease: 1.5 },
    });
    await watcher.start()();
    chain.mine({ to, amount: 5n });
    chain.grow(6_000);
    const second = open([chain.node("quick")], "b");
    const holders = new Set<string | null | undefined>();
    // Longer than the lease in all. The other process looks between any two answers.
    const slow = chain.node("slow", { takes: 40, widest: 100 });
    const request: Transport["request"] = async (asked) => {
      if (asked.method === "eth_getLogs") {
        await second.tick();
        holders.add((await positionOf(store.db, "ERC20"))?.holder);
      }
      return slow.request(asked);
    };
    await open([{ name: "slow", request }], "a").tick();
    expect(await statusOf()).toBe(1);
    expect([...holders]).toEqual(["a"]);
  });

  test("a block of Tron costs three questions at most, with the looks at the other node", async () => {
    const { chain, watcher, open } = await watchedChain(store, accountId);
    await watcher.start()();
    const clock = { at: START / 1000 };
    chain.timeOf = () => clock.at;
    const tron = open([chain.node("one"), chain.node("two")], "second", {
      confirmations: null,
      pace: PACES.TRC20,
    });
    chain.grow(2 * chain.depth);
    await tron.tick();
    chain.requests.clear();
    for (let block = 0; block < 20; block += 1) {
      chain.mine();
      await tron.tick();
    }
    const asked = Object.fromEntries(chain.requests);
    const questions = Object.values(asked).reduce((sum, each) => sum + each, 0);
    expect([Math.ceil(questions / 20), Object.keys(asked).toSorted()]).toEqual([
      3,
      ["eth_getBlockByNumber", "eth_getLogs"],
    ]);
    // A look that finds nothing new costs one, once it is known what is final.
    await tron.tick();
    chain.requests.clear();
    await tron.tick();
    expect(Object.fromEntries(chain.requests)).toEqual({ eth_getBlockByNumber: 1 });
  });

  test("every part is written as soon as it is read", async () => {
    const trouble: Trouble = {};
    const { chain, watcher } = await watchedChain(store, accountId, {
      nodesOf: (each) => [each.node("only", trouble)],
    });
    chain.grow(2_000);
    let answers = 0;
    trouble.changes = (logs) => {
      answers += 1;
      if (answers > 3) throw new Error("connection reset");
      return logs;
    };
    await expect(watcher.tick()).rejects.toThrow(NodeFailed);
    expect((await positionOf(store.db, "ERC20"))?.number).toBe(16 + 32 + 64);
  });

  test("what a catch-up read as final is looked at once more a minute later, by another process too", async () => {
    const trouble: Trouble = { unindexed: 150 };
    const { chain, clock, open, watcher, to, found, statusOf } = await watchedChain(store, accountId);
    await watcher.start()();
    chain.grow(200);
    chain.mine({ to, amount: 5n });
    chain.grow(105);
    const second = open([chain.node("only", trouble)], "second");
    await second.tick();
    await second.start()();
    expect(await found()).toEqual([]);
    trouble.unindexed = 0;
    clock.now += 60_000;
    await open([chain.node()], "third").tick();
    expect([await found(), await statusOf()]).toEqual([final, 1]);
    expect(await positionOf(store.db, "ERC20")).toMatchObject({ againFrom: null, againAt: null });
  });

  test("a second catch-up far from the first one loses nothing of it", async () => {
    const trouble: Trouble = { unindexed: 250 };
    const { chain, open, watcher, to, found } = await watchedChain(store, accountId);
    await watcher.start()();
    chain.grow(200);
    chain.mine({ to, amount: 5n });
    chain.grow(105);
    const second = open([chain.node("only", trouble)], "second");
    await second.tick();
    expect(await found()).toEqual([]);
    trouble.unindexed = 0;
    chain.grow(1_000);
    await second.tick();
    expect(await found()).toEqual(final);
  });

  test("a token's transfers that a node was not asked for credit nothing, and are told of once", async () => {
    const { chain, watcher, to, found, told } = await watchedChain(store, accountId, {
      nodesOf: (each) => [each.node("careless", { logs: "unfiltered" })],
    });
    for (let block = 0; block < 2 * CONFIRMATIONS; block += 1) {
      chain.mine({ to, amount: 5n, contract: OTHER_TOKEN });
      await watcher.tick();
    }
    expect(await found()).toEqual([]);
    expect(told("foreign transfers")).toHaveLength(1);
  });

  test.each<[string, (log: SimulatedLog) => unknown]>([
    ["of another kind", (log) => ({ ...log, topics: [`0x${"1".repeat(64)}`, ...log.topics.slice(1)] })],
    ["with another number of topics", (log) => ({ ...log, topics: log.topics.slice(0, 2) })],
  ])("logs %s are left out", async (_, change) => {
    const trouble: Trouble = {};
    const { chain, watcher, to, found, told } = await watchedChain(store, accountId, {
      nodesOf: (each) => [each.node("liar", trouble)],
    });
    chain.grow(1);
    await watcher.tick();
    trouble.changes = (logs) => logs.map(change);
    chain.mine({ to, amount: 5n });
    await watcher.tick();
    expect([await found(), told("foreign transfers").length]).toEqual([[], 1]);
  });

  const changed = (change: Partial<Record<keyof SimulatedLog, unknown>>) => (logs: readonly SimulatedLog[]) =>
    logs.map((log) => ({ ...log, ...change }));
  test.each<[string, (logs: readonly SimulatedLog[]) => unknown, string]>([
    ["no list", () => ({}), "logs that are no list"],
    ["nothing", () => null, "logs that are no list"],
    ["logs that are none", () => [null], "a log that is none"],
    ["no block hash", changed({ blockHash: null }), "a log without a proper block hash"],
    ["no index", changed({ logIndex: null }), "no proper index in a log"],
    ["a huge index", changed({ logIndex: "0xffffffff" }), "no proper index in a log"],
    ["no transaction", changed({ transactionHash: undefined }), "a log without a proper transaction hash"],
    ["no amount", changed({ data: "0x" }), "a log without a proper amount"],
    ["a huge amount", changed({ data: `0x${"f".repeat(64)}` }), "more than there can be"],
    [
      "a block that was not asked for",
      changed({ blockNumber: "0x1f4" }),
      "a log of block 500, which is none",
    ],
    ["a replaced block", changed({ removed: true }), "a log of a block that was replaced meanwhile"],
    [
      "an address that is too long",
      (logs) => logs.map((log) => ({ ...log, topics: [...log.topics.slice(0, 2), `0x${"1".repeat(64)}`] })),
      "a log without a proper recipient",
    ],
    [
      "two blocks of one number",
      (logs) => [...logs, ...changed({ blockHash: `0x${"1".repeat(64)}` })(logs)],
      "logs of two blocks 1",
    ],
    [
      "another block than it showed",
      changed({ blockHash: `0x${"1".repeat(64)}` }),
      "in other blocks than it showed",
    ],
  ])("a node that answers %s is not believed, in words", async (_, change, words) => {
    const { chain, watcher, to, found, statusOf } = await watchedChain(store, accountId, {
      nodesOf: (each) => [each.node("liar", { changes: change })],
    });
    chain.mine({ to, amount: 5n });
    await expect(watcher.tick()).rejects.toThrow(words);
    expect([await found(), await statusOf(), watcher.status().trouble]).toEqual([
      [],
      0,
      expect.stringContaining(words),
    ]);
  });

  test.each<[string, Partial<SimulatedChain["token"]>, string]>([
    [
      "of eighteen decimals",
      { decimals: 18, symbol: "BSC-USD" },
      "BSC-USD at 0x00000000000000000000000000000000005D7000 (ERC20_CONTRACT) has 18 decimals, and only a token with 6 can be taken.",
    ],
    [
      "that is none",
      { decimals: null, symbol: "" },
      "knows no token at 0x00000000000000000000000000000000005D7000",
    ],
  ])("a contract %s closes the network, in one sentence", async (_, token, words) => {
    const { chain, open, watcher, told } = await watchedChain(store, accountId);
    await watcher.start()();
    await store.db.execute(sql`TRUNCATE chain_positions`);
    Object.assign(chain.token, token);
    const refused = open([chain.node("one"), chain.node("two")], "second");
    await expect(refused.tick()).rejects.toThrow(words);
    expect(refused.status().refusal).toContain(words);
    expect(told("network closed")).toHaveLength(1);
    expect(await store.db.$count(chainPositions)).toBe(0);
  });

  test("several contracts are read, and one that its issuer has replaced is told of", async () => {
    const { chain, watcher, to, statusOf, told } = await watchedChain(store, accountId, {
      options: { contracts: [TOKEN, OTHER_TOKEN] },
    });
    expect(told("token deprecated")).toEqual([]);
    chain.mine({ to, amount: 2n }, { to, amount: 3n, contract: OTHER_TOKEN });
    chain.grow(CONFIRMATIONS);
    await watcher.tick();
    expect(await statusOf()).toBe(1);
    const again = await watchedChain(store, accountId, {
      nodesOf: (each) => {
        each.token.successor = OTHER_TOKEN;
        return [each.node()];
      },
    });
    expect(again.told("token deprecated")).toEqual([
      expect.stringContaining('"successor":"0x00000000000000000000000000000000000Fa6E0"'),
    ]);
    expect(again.watcher.status().deprecated).toHaveLength(1);
  });
});

const chain = new SimulatedChain(1);
chain.grow(6_000);
/** The widths of the parts in which blocks are asked for. */
async function widthsOf(trouble: Trouble, width = new Width(), from = 0, to = 5_999): Promise<number[]> {
  const widths: number[] = [];
  const node = openNode(chain.node("only", trouble), [TOKEN]);
  for await (const part of partsOf({ node, width }, from, to, () => undefined)) {
    widths.push(part.to - part.from + 1);
  }
  return widths;
}

test("a range that is refused as too large is split at once, and the width that worked is remembered", async () => {
  const width = new Width();
  const widths = await widthsOf({ widest: 100 }, width);
  expect(Math.max(...widths)).toBe(64);
  expect(width.blocks).toBeLessThanOrEqual(100);
});

test("a range that takes too long is asked for in half the next time", async () => {
  const width = new Width();
  await expect(widthsOf({ slowAbove: 20 }, width)).rejects.toThrow("no answer within 10 seconds");
  expect(width.blocks).toBe(16);
  await expect(widthsOf({ slowAbove: 20 }, width, 0, 500)).resolves.toHaveLength(32);
});

test("what a node refuses is not split", async () => {
  const refusal = new NodeFailed("HTTP 429: too many requests", "refused");
  const width = new Width();
  await expect(widthsOf({ fails: refusal }, width)).rejects.toThrow(refusal);
  expect(width.blocks).toBe(16);
});

test.each([
  ["query returned more than 10000 results", undefined, -32_005, "large"],
  ["exceed max block range: 5000", undefined, -32_602, "large"],
  ["eth_getLogs is limited to a 10,000 range", undefined, -32_614, "large"],
  [
    "Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range",
    400,
    -32_602,
    "large",
  ],
  ["block range is too wide", undefined, -32_600, "large"],
  ["limit exceeded", undefined, -32_005, "refused"],
  ["daily request count exceeded, request rate limited", undefined, -32_005, "refused"],
  [
    "The key exceeds the frequency limit(20), and the query server is suspended for 30s",
    403,
    undefined,
    "refused",
  ],
  ["Your app has exceeded its compute units per second capacity", 429, 429, "refused"],
  ["Unauthorized", 401, undefined, "refused"],
  ["query timeout exceeded", undefined, -32_000, "slow"],
  ["", 504, undefined, "slow"],
  ["", 413, undefined, "large"],
  ["internal error", 500, -32_603, "failed"],
] as const)("%s (HTTP %s, code %s) means %s", (words, status, code, fault) => {
  expect(faultOf(words, status, code)).toBe(fault);
});

/** A node that answers by HTTP, and what it was sent. */
async function listening(answer: RequestListener) {
  const server = createServer(answer).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("headers go to the node, and neither they nor the address are told", async () => {
  const keys: unknown[] = [];
  const host = await listening((asked, answer) => {
    keys.push(asked.headers["tron-pro-api-key"], asked.headers.authorization);
    answer
      .writeHead(401)
      .end(`no: ${asked.url} ${String(asked.headers["tron-pro-api-key"])} http://${host}/x`);
  });
  const node = httpTransport({
    url: `http://anna:secret@${host}/v2/0123456789abcdef?token=t0ken`,
    headers: { "TRON-PRO-API-KEY": "k3y-of-mine" },
  });
  const failure = await node.request({ method: "eth_chainId" }).catch((error: unknown) => error);
  expect(keys).toEqual(["k3y-of-mine", `Basic ${Buffer.from("anna:secret").toString("base64")}`]);
  expect(failure).toMatchObject({ message: "HTTP 401: no: /v2/…?token=… … …", fault: "refused" });
  expect(node.name).toBe(host);
});

test.each([
  [429, { "Retry-After": "7" }, "slow down", 7_000],
  [503, { "Retry-After": "120" }, "busy", 120_000],
  [403, {}, "the query server is suspended for 5 s", 5_000],
  [429, { "Retry-After": "999999" }, "never again", 3_600_000],
  [429, {}, "slow down", null],
])("HTTP %s with %o is waited for", async (status, headers, words, wait) => {
  const host = await listening((_, answer) => void answer.writeHead(status, headers).end(words));
  const node = httpTransport({ url: `http://${host}`, headers: {} });
  await expect(node.request({ method: "eth_chainId" })).rejects.toMatchObject({ fault: "refused", wait });
});

test("a node is left alone for as long as it asks for", async () => {
  const store = await emptyStore();
  onTestFinished(() => store.close());
  const trouble: Trouble = {};
  const {
    chain: own,
    watcher,
    told,
  } = await watchedChain(store, await payer(store), {
    nodesOf: (each) => [each.node("busy", trouble)],
  });
  trouble.fails = new NodeFailed("HTTP 429, code -32005: limit exceeded", "refused", 3_600_000);
  own.mine();
  await expect(watcher.tick()).rejects.toThrow(NodeFailed);
  trouble.fails = undefined as never;
  await watcher.tick();
  expect(watcher.status().trouble).toContain("limit exceeded");
  expect(told("node failed")).toHaveLength(1);
});

test("an answer by HTTP that is another address, no JSON, or an error is told in the node's words", async () => {
  const answers: [number, string, string][] = [
    [301, "", "HTTP 301"],
    [200, "<html>hello</html>", "<html>hello</html>"],
    [200, '{"error":{"code":-32000,"message":"header not found"}}', "code -32000: header not found"],
    [502, "bad gateway", "HTTP 502: bad gateway"],
  ];
  let at = 0;
  const host = await listening((_, answer) => {
    const [status = 500, body = ""] = answers[at] ?? [];
    answer.writeHead(status, status === 301 ? { Location: "https://elsewhere.example" } : {}).end(body);
  });
  const node = httpTransport({ url: `http://${host}`, headers: {} });
  for (const [, , words] of answers) {
    await expect(node.request({ method: "eth_chainId" })).rejects.toThrow(words);
    at += 1;
  }
});
