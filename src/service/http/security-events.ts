/** Security events, for the operator: log-ins, refusals and changes of an account, from which network and in which request; no secrets. */
import type { Context } from "hono";
import { addressOf } from "./client-address.ts";
import type { Env, Service } from "./service.ts";
import { securityEvents, type SecurityEvent } from "../store/schema.ts";
import { factsOf } from "../platform/log.ts";

/** Writes one down. What it belongs to has happened, and does not fail because of it. @param accountId null: none is known */
export async function recordEvent(
  c: Context<Env>,
  service: Service,
  event: SecurityEvent,
  accountId: number | null,
): Promise<void> {
  const { db, now, log } = service;
  const request = c.var.requestId;
  const network = addressOf(c, service);
  if (accountId !== null) c.set("account", accountId);
  await db
    .insert(securityEvents)
    .values({ at: new Date(now()), event, accountId, network, request })
    .catch((error: unknown) => log("security event lost", { request, ...factsOf(error) }, "error"));
}
