/** Whether a payment address is well-formed for its network: Base58Check for TRC20, EIP-55 for ERC20. The service makes them, the app refuses what fails. */
import { keccak_256 } from "@noble/hashes/sha3.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { createBase58check } from "@scure/base";
import type { Network } from "./calls.ts";

const base58check = createBase58check(sha256);
const TRON_PREFIX = 0x41;

/** The Tron address of a 20-byte account: 0x41 and the account, Base58Check. */
export function toTronAddress(account: Uint8Array): string {
  return base58check.encode(Uint8Array.from([TRON_PREFIX, ...account]));
}

/** The Ethereum address of a 20-byte account, its letter case carrying the EIP-55 checksum. */
export function toEthereumAddress(account: Uint8Array): string {
  const hex = bytesToHex(account);
  const checksum = bytesToHex(keccak_256(utf8ToBytes(hex)));
  const cased = [...hex].map((digit, at) =>
    Number.parseInt(checksum[at] ?? "0", 16) >= 8 ? digit.toUpperCase() : digit,
  );
  return `0x${cased.join("")}`;
}

/** True when `address` is one that wallets of `network` take, checksum included. An all-lower-case Ethereum address has none and is refused. */
export function isWellFormed(network: Network, address: string): boolean {
  if (network === "ERC20") {
    return (
      /^0x[0-9a-fA-F]{40}$/.test(address) &&
      toEthereumAddress(hexToBytes(address.slice(2).toLowerCase())) === address
    );
  }
  try {
    const bytes = base58check.decode(address);
    return bytes.length === 21 && bytes[0] === TRON_PREFIX;
  } catch {
    return false;
  }
}
