/** Live payments against real chain nodes: whatever is interrupted, reorganised or down, in the end the ledger says what the token's contract says. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { HDKey } from "@scure/bip32";
import { eq, ne, sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, inject, onTestFinished, test } from "vitest";
import { rawAddress } from "../../src/contract/address.ts";
import { migrationsFolder } from "../../src/service/platform/project.ts";
import { open } from "../../src/service/store/open.ts";
import { membershipEntries, orders, transfers } from "../../src/service/store/schema.ts";
import { hasAnvil, liveSettings, quickLooks, startAnvil, type Anvil } from "../support/anvil.ts";
import { killAll, startProcess } from "../support/service-process.ts";
import { annual, databases, emptyDatabase, type Envelope, monthly, PASSWORD, newData } from "./support.ts";

const FINAL = 14;
const BLOCK_SECONDS = 12;

let tron: Anvil;
let ethereum: Anvil;
beforeAll(async () => {
  if (!hasAnvil) return;
  [tron, ethereum] = await Promise.all([startAnvil(), startAnvil()]);
});
afterEach(() => {
  killAll();
  tron?.goOn();
  ethereum?.goOn();
});
afterAll(async () => {
  await Promise.all([tron?.stop(), ethereum?.stop()]);
});

/** A database, a service on it that can be killed and started again, and a member. */
async function begin(kind: string, settings: Record<string, string> = {}) {
  const place: Record<string, string> =
    kind === "embedded"
      ? { DATA_DIR: newData() }
      : { DATABASE_URL: (await emptyDatabase(inject("empty").template)).url };
  const env = {
    // Of its own: services that start within one second on empty databases give out the same addresses of one key.
    ...liveSettings(HDKey.fromMasterSeed(randomBytes(32)), tron, ethereum),
    ...quickLooks,
    // The first one is never there.
    TRC20_NODES: `http://127.0.0.1:1,${tron.url}`,
    REGISTRATIONS_PER_MINUTE: "0",
    ...settings,
    ...place,
  };
  let service = startProcess(env);
  let origin = await service.started;

  async function call(path: string, body?: unknown, token = ""): Promise<Envelope> {
    const answer = await fetch(origin + path, {
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}` },
    });
    return (await answer.json()) as Envelope;
  }
  const account = { account_name: "payer", password: PASSWORD };
  await call("/api/register", account);
  const { token } = (await call("/api/login", account)).data as { token: string };

  return {
    call,
    output: () => service.output(),
    order: async (product: typeof monthly) => {
      const { data } = await call("/api/order/create", product, token);
      const { order, payData } = data as { order: { order_id: string }; payData: { address: string } };
      const network = product.coin_type === 2 ? ("ERC20" as const) : ("TRC20" as const);
      return { id: order.order_id, raw: rawAddress(network, payData.address) };
    },
    detail: async (id: string) =>
      (await call("/api/order/detail", { order_id: id }, token)).data as {
        status: number;
        paid_amount: string;
        transfers: { confirmations: number; tx_hash: string }[];
      },
    /** Killed without a word, and started again. */
    async crash() {
      service.child.kill("SIGKILL");
      await service.closed;
      service = startProcess(env);
      origin = await service.started;
    },
    /** Stops it, and reads what it left in the database. */
    async ledger() {
      service.child.kill("SIGTERM");
      await service.closed;
      const store = await open(place["DATABASE_URL"] ?? place["DATA_DIR"] ?? "", migrationsFolder());
      const credited = await store.db
        .select({
          id: orders.id,
          raw: orders.rawAddress,
          status: orders.status,
          sum: sql<string>`sum(${transfers.amount})`,
        })
        .from(transfers)
        .innerJoin(orders, eq(orders.id, transfers.orderId))
        .where(ne(transfers.state, "orphaned"))
        .groupBy(orders.id);
      const entries = await store.db
        .select({ id: membershipEntries.orderId, days: sql<string>`sum(${membershipEntries.days})` })
        .from(membershipEntries)
        .groupBy(membershipEntries.orderId);
      await store.close();
      return { credited, entries };
    },
  };
}

interface Asked {
  method: string;
  params: unknown[];
}
interface Log {
  address: string;
  topics: string[];
  blockHash: string;
}

/** A node that hands each question on to a real one, and may change question and answer. */
async function nodeBefore(url: string) {
  const trouble: {
    asked?: (asked: Asked) => Promise<Asked>;
    logs?: (logs: Log[]) => Log[];
  } = {};
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Asked;
      const asked = { ...body, ...(await trouble.asked?.(body)) };
      const answer = await fetch(url, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(asked),
      });
      const said = (await answer.json()) as { result?: unknown };
      if (body.method === "eth_getLogs" && trouble.logs) said.result = trouble.logs(said.result as Log[]);
      response.setHeader("Content-Type", "application/json");
      response.end(JSON.stringify(said));
    })().catch(() => response.destroy());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, trouble };
}

type Node = Awaited<ReturnType<typeof nodeBefore>>;

/** Has it show another block as its newest one. */
function showing({ trouble }: Node, newest: () => Promise<number>) {
  trouble.asked = async ({ method, params }) => {
    const [block, ...rest] = params;
    const isHead = method === "eth_getBlockByNumber" && (block === "latest" || block === "finalized");
    return { method, params: isHead ? [`0x${(await newest()).toString(16)}`, ...rest] : params };
  };
}

/** Has it tell of a transfer to `raw` wherever there is one. */
function inventing({ trouble }: Node, raw: string, change: (log: Log) => Log) {
  const recipient = `0x${raw.padStart(64, "0")}`;
  trouble.logs = (logs) => [
    ...logs,
    ...logs.map((log) => change({ ...log, topics: [...log.topics.slice(0, 2), recipient] })),
  ];
}

describe.skipIf(!hasAnvil).each(databases)("on the %s database", (kind) => {
  test.each([
    ["TRC20", monthly, 3_990_000n, () => tron],
    ["ERC20", annual, 29_990_000n, () => ethereum],
  ] as const)("a transfer on %s is seen, counted and credited", async (network, product, amount, chainOf) => {
    const chain = chainOf();
    const { order, detail, output } = await begin(kind);
    expect(output()).toContain("Payments are LIVE");
    expect(output()).not.toContain("SANDBOX");
    expect(output()).toContain(`${network}: compare 0/0`);
    const { id, raw } = await order(product);
    const hash = await chain.transfer(raw, amount);
    await expect
      .poll(() => detail(id))
      .toMatchObject({
        status: 0,
        transfers: [{ tx_hash: network === "TRC20" ? hash.slice(2) : hash, confirmations: 1 }],
      });
    await chain.mine(FINAL);
    await expect.poll(() => detail(id)).toMatchObject({ status: 1 });
  });

  test.each<[string, (node: Node, unpaid: string) => Promise<void>, string]>([
    [
      "stands still",
      async (node) => {
        const pinned = await ethereum.headNumber();
        showing(node, async () => pinned);
      },
      "node passed over",
    ],
    [
      "lags behind",
      async (node) => showing(node, async () => (await ethereum.headNumber()) - FINAL),
      "node passed over",
    ],
    [
      "tells of a transfer in a block that there is not",
      async (node, unpaid) =>
        inventing(node, unpaid, (log) => ({ ...log, blockHash: `0x${"1".repeat(64)}` })),
      "node failed",
    ],
    [
      "tells of another token's transfer",
      async (node, unpaid) => inventing(node, unpaid, (log) => ({ ...log, address: `0x${"f".repeat(40)}` })),
      "foreign transfers",
    ],
  ])(
    "a real node, and before it one that %s: what was paid is credited once, and nothing else",
    async (_, spoil, told) => {
      const node = await nodeBefore(ethereum.url);
      const settings = { ERC20_NODES: `${node.url},${ethereum.url}` };
      const { order, detail, output, ledger } = await begin(kind, settings);
      const [paid, unpaid] = [await order(annual), await order(annual)];
      await spoil(node, unpaid.raw);
      await ethereum.transferTwice(paid.raw, 9_990_000n, 20_000_000n);
      // As far apart as the network's blocks are: a node whose newest block is a second old lags behind nothing.
      await ethereum.mine(FINAL, BLOCK_SECONDS);
      await expect.poll(() => detail(paid.id), { timeout: 60_000 }).toMatchObject({ status: 1 });
      expect(await detail(unpaid.id)).toMatchObject({ status: 0, paid_amount: "0.00" });
      await expect.poll(output).toContain(`"event":"${told}"`);
      const { credited, entries } = await ledger();
      expect(credited.map(({ id, sum }) => [id, BigInt(sum)])).toEqual([
        [paid.id, await ethereum.balanceOf(paid.raw)],
      ]);
      expect(entries.map(({ id, days }) => [id, Number(days)])).toEqual([[paid.id, 365]]);
    },
    120_000,
  );

  test("no route and no word of the sandbox is there", async () => {
    const { call } = await begin(kind);
    for (const path of ["/sandbox/wallet", "/sandbox/card.js", "/sandbox/support", "/sandbox/transfers"]) {
      expect(await call(path)).toMatchObject({ code: 1, message: "There is nothing at this address." });
    }
    expect(await call("/config.json")).not.toHaveProperty("sandbox", true);
  });

  test("killed between any two steps, with reorganisations and a node that is down, the ledger equals the chain", async () => {
    const { order, detail, crash, ledger } = await begin(kind);
    const [one, two, three, four] = [
      await order(annual),
      await order(annual),
      await order(monthly),
      await order(monthly),
    ];
    if (!one || !two || !three || !four) throw new Error("Four orders were made.");
    await crash();
    await ethereum.transferTwice(one.raw, 10_000_000n, 19_990_000n);
    await crash();
    await tron.transfer(three.raw, 2_000_000n);
    // This one is replaced by an empty block, and paid again.
    await ethereum.transfer(two.raw, 29_990_000n);
    await expect.poll(async () => (await detail(two.id)).paid_amount).toBe("29.99");
    await ethereum.reorganise(1);
    await crash();
    await expect.poll(async () => (await detail(two.id)).paid_amount).toBe("0.00");
    tron.pause();
    await ethereum.mine(FINAL);
    await expect.poll(async () => (await detail(one.id)).status).toBe(1);
    await crash();
    await ethereum.transfer(two.raw, 29_990_000n);
    tron.goOn();
    await tron.transfer(three.raw, 1_990_000n);
    await ethereum.mine(FINAL);
    await crash();
    await tron.mine(FINAL);
    await crash();
    await expect.poll(async () => (await detail(two.id)).status).toBe(1);
    await expect.poll(async () => (await detail(three.id)).status).toBe(1);
    expect(await detail(four.id)).toMatchObject({ status: 0, paid_amount: "0.00" });

    const { credited, entries } = await ledger();
    const chainOf = (id: string | null) => (id === three.id || id === four.id ? tron : ethereum);
    for (const { id, raw, sum } of credited) {
      expect(BigInt(sum)).toBe(await chainOf(id).balanceOf(raw ?? ""));
    }
    expect(Object.fromEntries(credited.map(({ id, status }) => [id, status]))).toEqual(
      Object.fromEntries([one, two, three].map(({ id }) => [id, 1])),
    );
    expect(Object.fromEntries(entries.map(({ id, days }) => [id, Number(days)]))).toEqual({
      [one.id]: 365,
      [two.id]: 365,
      [three.id]: 30,
    });
  }, 300_000);
});
