/** Network addresses: parsed as proxies write them, and grouped into the networks that the limits count. */
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

const ADDRESSES_IN_WIDER_NETWORK = 4;

/** The address in a proxy's entry, with or without a port (`203.0.113.7:4711`, `[2001:db8::1]:4711`); undefined when it is invalid. */
export function addressIn(entry: string): string | undefined {
  const [, bracketed, , dotted] = /^\[([^\]]+)\](:\d+)?$|^([\d.]+):\d+$/.exec(entry) ?? [];
  const address = bracketed ?? dotted ?? entry;
  return isIP(address) === 0 ? undefined : address;
}

/**
 * The key that limits count an address under: an IPv4 address itself, an IPv6 address's /64. An IPv6 customer has at
 * least a /64, and so a new address for every attempt. Invalid input is returned unchanged.
 */
export function networkOf(address: string): string {
  if (isIP(address) === 0) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const prefix = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${prefix.join(":")}::/64`;
}

/** What a network may do; `key` names it. */
interface Share {
  key: string;
  most: number;
}

/**
 * What a network that `networkOf` answered may do, and what the /48 around a /64 may do: a customer may have a /48,
 * which is 65,536 of the networks that count as one address.
 * @param most what the network may do
 */
export function withWider(network: string, most: number): [Share, ...Share[]] {
  const own = { key: network, most };
  if (!network.endsWith("::/64")) return [own];
  const wider = `${network.split(":").slice(0, 3).join(":")}::/48`;
  return [own, { key: wider, most: most * ADDRESSES_IN_WIDER_NETWORK }];
}
