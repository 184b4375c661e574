/** Network addresses, as proxies write them and as limits count them. */
import { isIP, isIPv6 } from "node:net";

/** The address in what a proxy wrote, `203.0.113.7:4711` and `[2001:db8::1]:4711` included; undefined when there is none. */
export function addressIn(written: string): string | undefined {
  const [, bracketed, , dotted] = /^\[([^\]]+)\](:\d+)?$|^([\d.]+):\d+$/.exec(written) ?? [];
  const address = bracketed ?? dotted ?? written;
  return isIP(address) === 0 ? undefined : address;
}

/**
 * What of a network address is counted. A customer of IPv6 has at least a /64 to themselves, and a new address out of it
 * for every try; an IPv4 address stays one however it is written. What is no address stays as it is.
 */
export function networkOf(address: string): string {
  const [bare = ""] = address.split("%", 1);
  if (!isIPv6(bare)) return address;
  // As a URL's host it is written in one way: lower case, hexadecimal throughout, zeros left out.
  const [before = [], after = []] = new URL(`http://[${bare}]`).hostname
    .slice(1, -1)
    .split("::")
    .map((part) => part.split(":").filter((word) => word !== ""));
  const zeros = Array<string>(8 - before.length - after.length).fill("0");
  const words = [...before, ...zeros, ...after].map((word) => Number.parseInt(word, 16));
  const [high = 0, low = 0] = words.slice(6);
  if (words.slice(0, 6).join() === "0,0,0,0,0,65535") {
    return [high >> 8, high & 255, low >> 8, low & 255].join(".");
  }
  const network = words.slice(0, 4).map((word) => word.toString(16));
  return `${network.join(":")}::/64`;
}
