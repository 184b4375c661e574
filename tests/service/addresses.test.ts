/** Receiving addresses: the right ones for a public key, well-formed, and made without any private key. */
import { pbkdf2Sync } from "node:crypto";
import { hexToBytes } from "@noble/hashes/utils.js";
import { HDKey } from "@scure/bip32";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isWellFormed, toEthereumAddress, toTronAddress } from "../../src/contract/address.ts";
import { receivingAddresses, sandboxXpub } from "../../src/service/rails/addresses.ts";
import type { Store } from "../../src/service/store/open.ts";
import { keepsakes } from "../../src/service/store/schema.ts";
import { emptyStore, XPUB } from "./support.ts";

let store: Store;
beforeAll(async () => {
  store = await emptyStore("embedded");
});
afterAll(() => store.close());

/** The words every Ethereum development network begins with; BIP39 turns them into a seed. */
const words = "test test test test test test test test test test test junk";
const seed = pbkdf2Sync(words, "mnemonic", 2048, 64, "sha512");
const account = HDKey.fromMasterSeed(seed).derive("m/44'/60'/0'").publicExtendedKey;

test("the addresses of a well-known public key are the well-known ones", () => {
  const at = receivingAddresses(account);
  expect([0, 1, 2].map((index) => at("ERC20", index))).toEqual([
    "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
    "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
    "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC",
  ]);
});

const bytes = (address: string) => hexToBytes(address.slice(2).toLowerCase());

test("on Tron the same account has Tron's form", () => {
  const at = receivingAddresses(account);
  expect(at("TRC20", 0)).toBe(toTronAddress(bytes(at("ERC20", 0))));
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
  expect(root.derive("m/0'").publicExtendedKey).toBe(XPUB);
  const at = receivingAddresses(XPUB);
  const fromPrivate = receivingAddresses(root.derive("m/0'").privateExtendedKey);
  for (const index of [0, 1, 2_147_483_647]) {
    expect(at("TRC20", index)).toBe(fromPrivate("TRC20", index));
    expect(isWellFormed("TRC20", at("TRC20", index))).toBe(true);
    expect(isWellFormed("ERC20", at("ERC20", index))).toBe(true);
  }
});

test("the sandbox keeps one public key for a database, and no private one", async () => {
  const keys = await Promise.all([sandboxXpub(store.db), sandboxXpub(store.db)]);
  expect(keys[1]).toBe(keys[0]);
  expect(HDKey.fromExtendedKey(keys[0]).privateKey).toBeNull();
  expect(await store.db.select().from(keepsakes)).toEqual([{ key: "sandbox_xpub", value: keys[0] }]);
});
