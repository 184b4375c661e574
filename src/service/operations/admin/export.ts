/** The operator's export: the confirmed orders of a month, as CSV. */
import { and, eq, gte, lt, sql } from "drizzle-orm";
import { OrderStatus } from "../../../contract/calls.ts";
import { accounts, orders } from "../../store/schema.ts";
import { CommandRefused, need, usdt, type Answer, type Call, type Commands } from "./command.ts";

const cell = (value: string | number | null | undefined) => {
  const text = String(value ?? "");
  // A cell that begins like a formula would be one in a spreadsheet.
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

async function exportMonth({ ledger: { db }, args }: Call): Promise<Answer> {
  const month = need(args[0], "The month, as YYYY-MM,");
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month))
    throw new CommandRefused(`${month} is no month, such as 2026-11.`);
  const from = new Date(`${month}-01T00:00:00Z`);
  const to = new Date(from);
  to.setUTCMonth(to.getUTCMonth() + 1);
  const rows = await db
    .select({
      confirmed: orders.confirmedAt,
      order: orders.id,
      account: accounts.name,
      package: orders.packId,
      days: orders.days,
      amount: orders.amount,
      currency: orders.currency,
      rail: orders.rail,
      network: orders.network,
      paid_to: sql<string>`coalesce(${orders.address}, ${orders.thirdReferenceId})`,
    })
    .from(orders)
    .innerJoin(accounts, eq(accounts.id, orders.accountId))
    .where(
      and(
        eq(orders.status, OrderStatus.confirmed),
        gte(orders.confirmedAt, from),
        lt(orders.confirmedAt, to),
      ),
    )
    .orderBy(orders.confirmedAt);
  const head = [
    "confirmed",
    "order",
    "account",
    "package",
    "days",
    "amount",
    "currency",
    "rail",
    "network",
    "paid_to",
  ];
  const lines = rows.map((row) =>
    [
      row.confirmed?.toISOString(),
      row.order,
      row.account,
      row.package,
      row.days,
      usdt(row.amount),
      row.currency,
      row.rail,
      row.network,
      row.paid_to,
    ]
      .map(cell)
      .join(","),
  );
  return [head.join(","), ...lines].join("\n");
}

export const exportCommands: Commands = {
  export: {
    usage: "<YYYY-MM>",
    help: "the confirmed orders of a month (UTC), as CSV",
    run: exportMonth,
  },
};
