/** Receiving addresses: the right ones for a public key, well-formed, made without any private key, and given out once, whatever database is put back. */
import { cp, rm } from "node:fs/promises";
import { pbkdf2Sync } from "node:crypto";
import { hexToBytes } from "@noble/hashes/utils.js";
import { HDKey } from "@scure/bip32";
import { sql } from "drizzle-orm";
import { Client } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { paymentAddress, rawAddress, toEthereumAddress, toTronAddress } from "../../src/contract/address.ts";
import { migrationsFolder } from "../../src/service/platform/project.ts";
import { addressesOf, openSeries, receivingAddresses } from "../../src/service/payments/addresses.ts";
import { openUsdtRail } from "../../src/service/payments/usdt.ts";
import { sandboxXpub } from "../../src/service/sandbox/sandbox.ts";
import { open } from "../../src/service/store/open.ts";
import type { Store } from "../../src/service/store/database.ts";
import { orders, storedSettings } from "../../src/service/store/schema.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import {
  annual,
  databases,
  emptyDatabase,
  emptyStore,
  monthly,
  serve,
  servers,
  START,
  newData,
  XPUB,
} from "./support.ts";

let store: Store;
beforeAll(async () => {
  store = await emptyStore();
});
afterAll(() => store.close());

/** The words every Ethereum development network begins with; BIP39 turns them into a seed. */
const words = "test test test test test test test test test test test junk";
const seed = pbkdf2Sync(words, "mnemonic", 2048, 64, "sha512");
const account = HDKey.fromMasterSeed(seed).derive("m/44'/60'/0'").publicExtendedKey;

test("the addresses of a well-known public key are the well-known ones", () => {
  const at = addressesOf(account);
  expect([0, 1, 2].map((index) => at("ERC20", 0, index).address)).toEqual([
    "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
    "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
    "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC",
  ]);
});

const bytes = (address: string) => hexToBytes(address.slice(2).toLowerCase());

test("on Tron the same account has Tron's form", () => {
  const at = addressesOf(account);
  expect(at("TRC20", 0, 0).address).toBe(toTronAddress(bytes(at("ERC20", 0, 0).address)));
  // Known for certain: the contracts of USDT itself.
  expect(toTronAddress(hexToBytes("a614f803b6fd780986a42c78ec9c7f77e6ded13c"))).toBe(
    "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
  );
  expect(toEthereumAddress(hexToBytes("dac17f958d2ee523a2206206994597c13d831ec7"))).toBe(
    "0xdAC17F958D2ee523a2206206994597C13D831ec7",
  );
});

test("BIP32's first vector derives publicly what it derives privately", () => {
  const root = HDKey.fromMasterSeed(hexToBytes("000102030405060708090a0b0c0d0e0f"));
  expect(root.derive("m/0'/1/2'").publicExtendedKey).toBe(XPUB);
  const at = addressesOf(XPUB);
  const fromPrivate = addressesOf(root.derive("m/0'/1/2'").privateExtendedKey);
  for (const [series, index] of [
    [0, 0],
    [28_339_200, 1],
    [2_147_483_647, 2_147_483_647],
  ] as const) {
    expect(at("TRC20", series, index)).toEqual(fromPrivate("TRC20", series, index));
    for (const network of ["TRC20", "ERC20"] as const) {
      const { address, raw } = at(network, series, index);
      expect(paymentAddress(network, address)).toBe(address);
      expect(rawAddress(network, address)).toBe(raw);
    }
  }
});

test("a process counts its addresses by itself, both networks together", () => {
  const [at, next] = [addressesOf(XPUB), receivingAddresses({ TRC20: XPUB, ERC20: XPUB }, 7)];
  expect([next("TRC20"), next("ERC20"), next("TRC20")]).toEqual([
    at("TRC20", 7, 0),
    at("ERC20", 7, 1),
    at("TRC20", 7, 2),
  ]);
});

const contract = "0xdAC17F958D2ee523a2206206994597C13D831ec7";
test.each([
  [contract, contract],
  [contract.toLowerCase(), contract],
  [`0x${contract.slice(2).toUpperCase()}`, contract],
  [contract.toUpperCase(), contract],
  [contract.replace("dAC", "DAC"), null],
  [contract.replace("dAC", "dac"), null],
  [contract.slice(0, -1), null],
  [`${contract}0`, null],
  [contract.slice(2), null],
  [contract.replace("7F", "7G"), null],
  ["", null],
])(
  "on Ethereum an address of one letter case is given its checksum, and a wrong one is refused: %s",
  (said, address) => {
    expect(paymentAddress("ERC20", said)).toBe(address);
  },
);

test("the sandbox keeps one public key for a database, and no private one", async () => {
  const keys = await Promise.all([sandboxXpub(store.db), sandboxXpub(store.db)]);
  expect(keys[1]).toBe(keys[0]);
  expect(HDKey.fromExtendedKey(keys[0]).privateKey).toBeNull();
  expect(await store.db.select().from(storedSettings)).toEqual([{ key: "sandbox_xpub", value: keys[0] }]);
});

const SECOND = 1_000;
const DAY = 86_400 * SECOND;
/** The series of a start at START. */
const SERIES = (START - Date.UTC(2026, 0)) / SECOND;

/** A database that can be kept as it is now and put back later, with what happens in it stopped meanwhile. */
async function restorable(kind: string) {
  if (kind === "embedded") {
    const [data, kept] = [newData(), temporaryDirectory()];
    const copy = async (from: string, to: string) => {
      await rm(to, { recursive: true });
      await cp(from, to, { recursive: true });
    };
    return { location: data, keep: () => copy(data, kept), putBack: () => copy(kept, data) };
  }
  const [data, kept] = [await emptyDatabase(), await emptyDatabase()];
  onTestFinished(data.drop);
  onTestFinished(kept.drop);
  const copy = async (from: { url: string }, to: { url: string }) => {
    const [source, target] = [from, to].map(({ url }) => new URL(url).pathname.slice(1));
    const client = new Client({ connectionString: servers[0] });
    await client.connect();
    await client.query(`DROP DATABASE ${target}`);
    await client.query(`CREATE DATABASE ${target} TEMPLATE ${source}`);
    await client.end();
  };
  return { location: data.url, keep: () => copy(data, kept), putBack: () => copy(kept, data) };
}

describe.each(databases)("on the %s database", (kind) => {
  let store: Store;
  beforeAll(async () => {
    store = await emptyStore(kind);
  });
  afterAll(() => store.close());
  const forget = () =>
    store.db.execute(
      sql`TRUNCATE orders, movements, sweeps, transfers, payments, membership_entries, unmatched_payments, address_series`,
    );
  beforeEach(forget);

  test("a series is the second of its start, and above all that the database knows", async () => {
    const { db } = store;
    expect(await openSeries(db, START + 0.9 * SECOND, [])).toEqual({ series: SERIES, ahead: 0 });
    expect(await openSeries(db, START + 60 * SECOND, [])).toEqual({ series: SERIES + 60, ahead: 0 });
    // By a clock that is a little behind.
    expect(await openSeries(db, START + 20 * SECOND, [])).toEqual({ series: SERIES + 61, ahead: 41 });
  });

  test("processes that start in one second have a series each", async () => {
    const { db } = store;
    const opened = await Promise.all(Array.from({ length: 8 }, () => openSeries(db, START, [])));
    expect(opened.map(({ series }) => series).toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: 8 }, (_, at) => SERIES + at),
    );
  });

  test("where the clock was set back, the series next to the latest are skipped, for a backup may not know them", async () => {
    const { db } = store;
    await openSeries(db, START + DAY, []);
    const latest = SERIES + DAY / SECOND;
    const { series, ahead } = await openSeries(db, START, []);
    expect(series).toBeGreaterThan(latest);
    expect(series).toBeLessThanOrEqual(latest + 65_536);
    expect(ahead).toBe(series - SERIES);
    // Before the first second there is.
    expect((await openSeries(db, 0, [])).series).toBeGreaterThan(series);
  });

  test("an order keeps where its address is below the account's key; only one in USDT has one", async () => {
    const { order, member, call } = await serve(store);
    const token = await member();
    const at = addressesOf(await sandboxXpub(store.db));
    const made = [await order(token), await order(token, annual)];
    await call("/api/razorpay/order/create", {
      body: { pack_id: "1", product_id: "monthly", payment_method: "razorpay" },
      token,
    });
    expect(made.map(({ address }) => address)).toEqual([
      at("TRC20", SERIES, 0).address,
      at("ERC20", SERIES, 1).address,
    ]);
    const { address, addressSeries: series, addressIndex: index } = orders;
    expect(await store.db.select({ address, series, index }).from(orders).orderBy(index)).toEqual([
      { address: made[0]?.address, series: SERIES, index: 0 },
      { address: made[1]?.address, series: SERIES, index: 1 },
      { address: null, series: null, index: null },
    ]);
  });

  test("two services on one database, started in one second, give out no address twice", async () => {
    const [one, other] = [await serve(store), await serve(store)];
    const tokens = [await one.member(), await other.member()];
    const made = await Promise.all(
      [one, other, one, other].flatMap(({ order }, at) =>
        [monthly, annual].map((product) => order(tokens[at % 2] ?? "", product)),
      ),
    );
    expect(new Set(made.map(({ address }) => address)).size).toBe(8);
  });

  test("an address that an order has is passed over", async () => {
    const xpub = await sandboxXpub(store.db);
    const { order, member, ledger, payments } = await serve(store);
    const token = await member();
    const [first, second] = [await order(token), await order(token)];
    const receiving = receivingAddresses({ TRC20: xpub, ERC20: xpub }, SERIES);
    const { TRC20: watcher } = payments.watchers;
    if (!watcher) throw new Error("The sandbox has both networks.");
    const rail = openUsdtRail(ledger.db, {
      network: "TRC20",
      receiving: async () => receiving,
      watcher,
      isReadDue: () => false,
    });
    const [made] = await store.db.select().from(orders);
    const third = made && (await rail.open(made, false));
    expect([first.address, second.address]).not.toContain(third?.address);
    expect(third?.address).toBe(addressesOf(xpub)("TRC20", SERIES, 2).address);
  });

  test("a database that is put back knows nothing of some addresses, and none of them is given out again", async () => {
    const { location, keep, putBack } = await restorable(kind);
    /** Starts, sells to a new member on both networks, and stops. */
    const sold = async (startsAt: number) => {
      const opened = await open(location, migrationsFolder());
      const { member, order, sandbox } = await serve(opened, { startsAt });
      const token = await member();
      const made = [await order(token), await order(token, annual), await order(token)];
      sandbox?.stop();
      await opened.close();
      return made.map(({ address }) => address);
    };
    const before = await sold(START);
    await keep();
    const lost = await sold(START + 5 * SECOND);
    await putBack();
    const after = await sold(START + 10 * SECOND);
    expect(new Set([...before, ...lost, ...after]).size).toBe(9);
  }, 120_000);

  test("tables that are put back under a running service change nothing about the next address", async () => {
    const { order, member } = await serve(store);
    const lost = [await order(await member()), await order(await member(), annual)];
    await forget();
    await store.db.execute(sql`ALTER SEQUENCE address_index_trc20 RESTART`);
    await store.db.execute(sql`ALTER SEQUENCE address_index_erc20 RESTART`);
    const next = await serve(store, { startsAt: START + 5 * SECOND });
    const token = await member();
    const made = [
      await order(token),
      await order(token, annual),
      await next.order(token),
      await next.order(token, annual),
    ];
    expect(new Set([...lost, ...made].map(({ address }) => address)).size).toBe(6);
  });

  test("an earlier release that still runs beside this one counts on by itself, in a series of its own", async () => {
    const { rows } = (await store.db.execute(sql`SELECT nextval('address_index_trc20') AS index`)) as {
      rows: { index: unknown }[];
    };
    expect(Number(rows[0]?.index)).toBe(0);
    expect((await openSeries(store.db, Date.UTC(2026, 0), [])).series).toBeGreaterThan(0);
  });
});
