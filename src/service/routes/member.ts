/** What a member sees of themselves. Specification, sections 3 and 7. */
import { Hono } from "hono";
import { paths, type Member } from "../../contract/calls.ts";
import { holderFor, languageFor, Refusal, succeed, type Env, type Service } from "../answer.ts";
import { membershipOf } from "../rails/usdt.ts";

export function memberRoutes(service: Service) {
  const routes = new Hono<Env>();

  routes.get(paths.centre, async (c) => {
    const holder = await holderFor(c, service);
    if (!holder) throw Refusal.signedOut();
    const latest = await membershipOf(service.db, holder.accountId);
    const membership = latest && latest.endsAt.getTime() > service.now() ? latest : null;
    const user: Member = {
      account_name: holder.accountName,
      name: null,
      sex: null,
      birth_date: null,
      pack_name: membership?.packName[languageFor(c)] ?? null,
      pack_exp_date: membership?.endsAt.toISOString() ?? null,
      security_problem: null,
    };
    return succeed(c, { user });
  });

  return routes;
}
