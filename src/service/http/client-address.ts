/** Where a request came from, past the proxies that are ours, and how the one who asks reaches this service. */
import type { Context } from "hono";
import { addressIn, networkOf } from "../limits/network.ts";
import type { Settings } from "../settings.ts";
import type { Env, Service } from "./service.ts";

/** What each proxy wrote of the request, the nearest one last. */
const hopsOf = (c: Pick<Context, "req">, header: string) =>
  (c.req.header(header) ?? "").split(",").map((hop) => hop.trim());

/** The network address of the one who asks, or their network where that is what counts; past as many proxies as are known to be ours. */
export function addressOf(
  c: Pick<Context<Env>, "req" | "env">,
  { settings }: { settings: Pick<Settings, "trustedProxies"> },
): string {
  const hops = hopsOf(c, "X-Forwarded-For");
  const forwarded = settings.trustedProxies > 0 ? hops.at(-settings.trustedProxies) : undefined;
  return networkOf(addressIn(forwarded ?? "") ?? c.env?.incoming?.socket.remoteAddress ?? "unknown");
}

/** The whole address of a path of this service, as the people who use it reach it. */
export function ownAddress(c: Context<Env>, { settings }: Service, path: string): string {
  if (settings.apiBaseUrl !== null) return settings.apiBaseUrl + path;
  return siteAddress(c, settings, path);
}

/** The protocol by which the client reached the nearest proxy; undefined where none is trusted, or it does not say. */
function forwardedProtocol(c: Context<Env>, { trustedProxies }: Pick<Settings, "trustedProxies">) {
  if (trustedProxies === 0) return undefined;
  const hops = hopsOf(c, "X-Forwarded-Proto");
  // Many a proxy writes this one anew instead of adding to it.
  const hop = (hops.at(-trustedProxies) ?? hops[0])?.toLowerCase();
  return hop === "https" || hop === "http" ? hop : undefined;
}

/** Whether the client came by https. */
export const isSecure = (c: Context<Env>, settings: Pick<Settings, "trustedProxies">): boolean =>
  (forwardedProtocol(c, settings) ?? c.req.url.slice(0, c.req.url.indexOf(":"))) === "https";

/** The whole address of a path of the site, as the client reaches it. */
export function siteAddress(
  c: Context<Env>,
  settings: Pick<Settings, "trustedProxies">,
  path: string,
): string {
  const address = new URL(path, c.req.url);
  // Before the nearest proxy the connection may be another one than people's.
  const protocol = forwardedProtocol(c, settings);
  if (protocol !== undefined) address.protocol = protocol;
  return address.href;
}
