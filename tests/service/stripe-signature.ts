/** The `Stripe-Signature` header of any bytes. The library's own helper signs text alone. */
import { sign } from "../../src/service/payments/provider.ts";

/** @param now milliseconds */
export function stripeSignature(raw: Uint8Array, secret: string, now: number): string {
  const at = Math.floor(now / 1000);
  return `t=${at},v1=${sign(Buffer.concat([Buffer.from(`${at}.`), raw]), secret)}`;
}
