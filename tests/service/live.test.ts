/** Live payments against real chain nodes: whatever is interrupted, reorganised or down, in the end the ledger says what the token's contract says. */
import { HDKey } from "@scure/bip32";
import { eq, ne, sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { rawAddress } from "../../src/contract/address.ts";
import { migrationsFolder } from "../../src/service/platform/project.ts";
import { open } from "../../src/service/store/open.ts";
import { membershipEntries, orders, transfers } from "../../src/service/store/schema.ts";
import { hasAnvil, liveSettings, startAnvil, type Anvil } from "../support/anvil.ts";
import { killAll, startProcess } from "../support/service-process.ts";
import { annual, databases, emptyDatabase, type Envelope, monthly, PASSWORD, newData } from "./support.ts";

const wallet = HDKey.fromMasterSeed(Uint8Array.from({ length: 32 }, (_, at) => at));
const FINAL = 14;

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
async function begin(kind: string) {
  const place: Record<string, string> =
    kind === "embedded" ? { DATA_DIR: newData() } : { DATABASE_URL: (await emptyDatabase()).url };
  const env = {
    ...liveSettings(wallet, tron, ethereum),
    // The first one is never there.
    TRC20_NODES: `http://127.0.0.1:1,${tron.url}`,
    REGISTRATIONS_PER_MINUTE: "0",
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
