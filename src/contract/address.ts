/** Payment addresses with the checksums of their networks: Base58Check for TRC20, EIP-55 for ERC20. The service creates them, the app refuses invalid ones. */
import { keccak_256 } from "@noble/hashes/sha3.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { createBase58check } from "@scure/base";
import type { Network } from "./calls.ts";

const base58check = createBase58check(sha256);
const TRON_PREFIX = 0x41;

/** The Tron address of a 20-byte account: 0x41 and the account in Base58Check. */
export function toTronAddress(account: Uint8Array): string {
  return base58check.encode(Uint8Array.from([TRON_PREFIX, ...account]));
}

/** The Ethereum address of a 20-byte account, with the EIP-55 checksum in its letter case. */
export function toEthereumAddress(account: Uint8Array): string {
  const hex = bytesToHex(account);
  const checksum = bytesToHex(keccak_256(utf8ToBytes(hex)));
  const cased = [...hex].map((digit, at) =>
    Number.parseInt(checksum[at] ?? "0", 16) >= 8 ? digit.toUpperCase() : digit,
  );
  return `0x${cased.join("")}`;
}

/**
 * A payment address in the checksummed form of `network`, or null when it is invalid. A one-case Ethereum address
 * has no checksum and gets one.
 */
export function paymentAddress(network: Network, address: string): string | null {
  if (network === "ERC20") {
    const [, account] = /^0x([\da-f]{40})$/i.exec(address) ?? [];
    if (account === undefined) return null;
    const written = toEthereumAddress(hexToBytes(account.toLowerCase()));
    const isChecked = account !== account.toLowerCase() && account !== account.toUpperCase();
    return isChecked && `0x${account}` !== written ? null : written;
  }
  try {
    const bytes = base58check.decode(address);
    return bytes.length === 21 && bytes[0] === TRON_PREFIX ? address : null;
  } catch {
    return null;
  }
}

/** The 20 bytes of a valid address, in hexadecimal digits, as both networks write it into a transfer. */
export function rawAddress(network: Network, address: string): string {
  return network === "ERC20"
    ? address.slice(2).toLowerCase()
    : bytesToHex(base58check.decode(address).slice(1));
}
