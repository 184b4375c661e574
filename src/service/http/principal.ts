/** Who asks: the account whose session the request's token opens. */
import type { Context } from "hono";
import {
  principalQuery,
  readSession,
  type Principal,
  type OpenedQuery,
  type OpenedRow,
} from "../accounts/sessions.ts";
import { allow } from "../platform/errors.ts";
import type { Env, Service } from "./service.ts";

/** The token of the Authorization header, or null. */
export function tokenOf(c: Context): string | null {
  return /^Bearer +(\S+) *$/i.exec(c.req.header("Authorization") ?? "")?.[1] ?? null;
}

/**
 * Runs a prepared query of the session that the request's token opens. The request counts for its account, once.
 * @param values of further placeholders
 * @returns null when no user is signed in
 * @throws ApiError when the account has asked for too much
 */
export async function readAuthenticated<Row extends OpenedRow>(
  c: Context<Env>,
  { db, now, requests }: Service,
  query: OpenedQuery<Row>,
  values: Record<string, unknown> = {},
): Promise<Row | null> {
  const token = tokenOf(c);
  const found = token === null ? null : await readSession(db, query, token, now(), values);
  if (found && c.var.account === undefined) {
    const { accountId } = found.session;
    c.set("account", accountId);
    allow(requests.countAccount(accountId));
  }
  return found;
}

/**
 * The holder of the session that the request's token opens, or null.
 * @throws ApiError when the account has asked for too much
 */
export const principalFor = async (c: Context<Env>, service: Service): Promise<Principal | null> =>
  (await readAuthenticated(c, service, principalQuery(service.db)))?.account ?? null;
