/** Stripe's list of the events that its webhooks carry: how its sessions ended, and refunds and disputes. */
import type Stripe from "stripe";
import * as v from "valibot";
import { DAY } from "../../contract/durations.ts";
import type { Ledger } from "./ledger.ts";
import { RailFailed } from "./rails.ts";
import { UNDER_WAY, type ProviderList } from "./provider-lists.ts";
import {
  fieldsOf,
  identifier,
  identifierOf,
  millisecondsOf,
  processedAmong,
  type Report,
} from "./webhook-events.ts";

/** Items of a page, at most. */
const COUNT = 100;
/** Ms after which an event is surely in the list, also where our clock was ahead for a while: what was processed is skipped. */
const LATE = 3 * DAY;

/** The events that change an order. A session of a slow kind may be paid long after the last look at it. */
const TYPES = [
  "checkout.session.completed",
  "checkout.session.async_payment_succeeded",
  "checkout.session.async_payment_failed",
  "checkout.session.expired",
  "charge.refunded",
  "refund.failed",
  "charge.dispute.created",
  "charge.dispute.updated",
  "charge.dispute.closed",
];

const page = v.looseObject({ data: v.array(v.unknown()), has_more: v.boolean() });
const seconds = (at: number) => Math.floor(at / 1000);

/**
 * @param ask for a page. It throws RailFailed.
 * @param process what processes a webhook event, and says whether an order changed
 */
export function stripeEvents(
  { db }: Ledger,
  ask: (query: Stripe.EventListParams) => Promise<unknown>,
  process: (report: Report, body: unknown) => Promise<boolean>,
): ProviderList {
  return {
    name: "events",
    overlap: LATE,
    async page(from, to, cursor) {
      const answer = await ask({
        types: TYPES,
        created: { gte: seconds(from), lte: seconds(to) },
        limit: COUNT,
        ...(cursor === null ? {} : { starting_after: cursor }),
      });
      if (!v.is(page, answer)) throw new RailFailed("Stripe answered with no list of events");
      const { data: items, has_more: hasMore } = answer;
      const last = identifierOf(fieldsOf(items.at(-1))["id"]);
      if (hasMore && (last === null || last === cursor)) {
        throw new RailFailed("Stripe answered with a list of events that does not go on");
      }
      return { items, next: hasMore ? last : null };
    },
    async take(items, askedAt) {
      const events = items
        .filter((item) => v.is(v.looseObject({ id: identifier }), item))
        // A refund counts at once; of a payment, the webhook event may be under way.
        .filter(
          ({ type, created }) =>
            !String(type).startsWith("checkout.") || millisecondsOf(created, 0) < askedAt - UNDER_WAY,
        );
      const processed = await processedAmong(
        db,
        "stripe",
        events.map(({ id }) => id),
      );
      let changed = 0;
      for (const event of events) {
        if (processed.has(event.id)) continue;
        const raw = Buffer.from(JSON.stringify(event));
        if (await process({ rail: "stripe", eventId: event.id, raw }, event)) changed += 1;
      }
      return changed;
    },
  };
}
