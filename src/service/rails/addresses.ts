/** Receiving addresses, derived from a public key alone: the service can show where to pay and can spend nothing. */
import { ECDH, randomBytes } from "node:crypto";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { HDKey } from "@scure/bip32";
import { toEthereumAddress, toTronAddress } from "../../contract/address.ts";
import type { Network } from "../../contract/calls.ts";
import type { Database } from "../store/open.ts";
import { keepsake } from "../store/keepsake.ts";

export type Receiving = (network: Network, index: number) => string;

/**
 * The addresses `0/0`, `0/1`, … below an account-level key (BIP44: external chain).
 * @param xpub BIP32 extended public key
 */
export function receivingAddresses(xpub: string): Receiving {
  const chain = HDKey.fromExtendedKey(xpub).deriveChild(0);
  return (network, index) => {
    const compressed = chain.deriveChild(index).publicKey;
    if (!compressed) throw new Error("The extended public key holds no public key.");
    const point = ECDH.convertKey(compressed, "secp256k1", undefined, undefined, "uncompressed");
    // Both networks name an account by the last 20 bytes of keccak-256 of the point, without its leading 0x04.
    const account = keccak_256(Uint8Array.from(Buffer.from(point).subarray(1))).slice(-20);
    return network === "TRC20" ? toTronAddress(account) : toEthereumAddress(account);
  };
}

/** The sandbox's own public key, made once for a database. Its private half is thrown away at once: nobody can ever spend from it. */
export async function sandboxXpub(db: Database): Promise<string> {
  return keepsake(
    db,
    "sandbox_xpub",
    HDKey.fromMasterSeed(randomBytes(32)).derive("m/44'/195'/0'").publicExtendedKey,
  );
}
