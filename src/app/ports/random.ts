/** Chance, for keys that must never meet again. */

/** 128 random bits in hexadecimal; also where the page is not a secure context. */
export function randomWord(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}
