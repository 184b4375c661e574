/** Razorpay's lists of refunds and disputes. It has no list of its webhook events. */
import * as v from "valibot";
import { UNITS_PER_CENT, type Ledger } from "./ledger.ts";
import type { Reversal } from "./provider.ts";
import { RailFailed } from "./rails.ts";
import { newsOf, type Page, type ProviderList } from "./reconciliation.ts";
import {
  answeredAt,
  answerOf,
  fieldsOf,
  identifierOf,
  keepUnmatched,
  millisecondsOf,
  reverseMoney,
  type ReportedReversal,
} from "./webhook-events.ts";

/** Items of a page, at most. */
const COUNT = 100;
const DAY = 86_400_000;

/** The words for the state of a refund and of a dispute. */
const STATES: Readonly<Record<"refund" | "dispute", Readonly<Record<string, Reversal["state"]>>>> = {
  refund: { pending: "open", processed: "done", failed: "void" },
  dispute: { open: "open", under_review: "open", lost: "lost", won: "void", closed: "closed" },
};

const collection = v.looseObject({ items: v.array(v.unknown()) });
const skipped = v.pipe(v.string(), v.digits(), v.transform(Number));
const seconds = (at: number) => String(Math.floor(at / 1000));

type Told = ReportedReversal & { item: unknown };

/**
 * @param ask one request. It throws RailFailed.
 * @param refresh asks about a payment of which a refund failed. It throws RailFailed.
 */
export function razorpayLists(
  ledger: Ledger,
  ask: (path: string, query: string) => Promise<unknown>,
  refresh: (paymentId: unknown) => Promise<void>,
): ProviderList[] {
  /** The page after so many items as `cursor` says. */
  async function page(path: string, query: Record<string, string>, cursor: string | null): Promise<Page> {
    const skip = v.parse(skipped, cursor ?? "0");
    const asked = new URLSearchParams({ ...query, count: String(COUNT), skip: String(skip) });
    const answer = await ask(path, `?${asked}`);
    if (!v.is(collection, answer)) throw new RailFailed(`Razorpay answered GET ${path} with no list`);
    const { items } = answer;
    return { items, next: items.length < COUNT ? null : String(skip + items.length) };
  }

  const take =
    (kind: "refund" | "dispute") =>
    async (items: readonly unknown[], asked: number): Promise<number> => {
      const told: Told[] = [];
      for (const item of items) {
        const { id, payment_id: paymentId, status, amount, currency } = fieldsOf(item);
        const words = STATES[kind];
        const state = typeof status === "string" && Object.hasOwn(words, status) ? words[status] : undefined;
        if (state) {
          const asOf = answeredAt(asked);
          told.push({ item, reversalId: id, paymentId, kind, state, amount, currency, asOf });
        } else {
          const said = { reference: paymentId, amount, currency };
          await keepUnmatched(ledger, reportOf(kind, item), said, "incomplete");
        }
      }
      let changed = 0;
      const news = await newsOf(ledger, "card", told, (amount) => BigInt(amount) * UNITS_PER_CENT);
      for (const { item, ...said } of news) {
        // First, so that it is asked for again where there is no answer.
        if (said.state === "void" && kind === "refund") await refresh(said.paymentId);
        if (await reverseMoney(ledger, reportOf(kind, item), said)) changed += 1;
      }
      return changed;
    };

  return [
    {
      name: "refunds",
      // A refund is pending for five to seven working days.
      overlap: 21 * DAY,
      page: (from, to, cursor) => page("/v1/refunds", { from: seconds(from), to: seconds(to) }, cursor),
      take: take("refund"),
    },
    {
      name: "disputes",
      // One may be decided months after it began.
      overlap: 180 * DAY,
      async page(from, _, cursor) {
        // It takes no times, and tells the latest first.
        const read = await page("/v1/disputes", {}, cursor);
        const isOld = (item: unknown) => millisecondsOf(fieldsOf(item)["created_at"], from) < from;
        return read.items.every(isOld) ? { items: [], next: null } : read;
      },
      take: take("dispute"),
    },
  ];
}

const reportOf = (kind: string, item: unknown) =>
  answerOf("card", identifierOf(fieldsOf(item)["id"]) ?? kind, item);
