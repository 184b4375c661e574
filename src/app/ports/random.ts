/** Random values for keys that must be unique. */

/** 128 random bits in hexadecimal, also without a secure context. */
export function randomWord(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}
