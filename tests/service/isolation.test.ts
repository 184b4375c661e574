/** PostgreSQL set to a stricter isolation than its own default: money that comes in parts at the same moment confirms its orders, and no call breaks. */
import { eq } from "drizzle-orm";
import { Client } from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { migrationsFolder } from "../../src/service/platform/project.ts";
import { sign } from "../../src/service/payments/provider.ts";
import { rawAddress } from "../../src/contract/address.ts";
import { open } from "../../src/service/store/open.ts";
import { membershipEntries, orders } from "../../src/service/store/schema.ts";
import { CONFIRM_SECONDS, emptyDatabase, freshName, PASSWORD, serve, servers } from "./support.ts";

const ORDERS = 60;
const DAY = 86_400_000;
const times = <T>(count: number, make: (at: number) => T) =>
  Array.from({ length: count }, (_, at) => make(at));

describe.skipIf(servers.length === 0).each(["repeatable read", "serializable"])(
  "where the default is %s",
  (level) => {
    /** A service on a database of that default. */
    async function fixture() {
      const { url, drop } = await emptyDatabase();
      const client = new Client({ connectionString: url });
      await client.connect();
      const name = new URL(url).pathname.slice(1);
      await client.query(`ALTER DATABASE ${name} SET default_transaction_isolation TO '${level}'`);
      await client.end();
      const store = await open(url, migrationsFolder());
      onTestFinished(async () => {
        await store.close();
        await drop();
      });
      return { store, ...(await serve(store)) };
    }

    test(`${ORDERS} orders in USDT, each paid in two halves at once, are all confirmed`, async () => {
      const { store, member, order, sandbox, clock, settle } = await fixture();
      const tokens = await Promise.all(times(6, () => member()));
      const made = await Promise.all(times(ORDERS, (at) => order(tokens[at % tokens.length] ?? "")));
      const halves = made.flatMap(({ address }) => [address, address]);
      await Promise.all(
        halves.map(async (address) => sandbox?.usdt.send("TRC20", rawAddress("TRC20", address), 1_995_000n)),
      );
      clock.now += CONFIRM_SECONDS * 1000;
      await Promise.all(times(8, () => settle()));

      expect(await store.db.$count(orders, eq(orders.status, 1))).toBe(ORDERS);
      const rows = await store.db
        .select()
        .from(membershipEntries)
        .orderBy(membershipEntries.accountId, membershipEntries.id);
      const spans = rows.map(({ beginsAt, endsAt }) => [beginsAt.getTime(), endsAt.getTime()]);
      const each = times(ORDERS / tokens.length, (at) => [
        clock.now + at * 30 * DAY,
        clock.now + (at + 1) * 30 * DAY,
      ]);
      expect(spans).toEqual(tokens.flatMap(() => each));
    });

    test("orders by card, each paid in two halves whose webhook events come at once and twice, are all confirmed", async () => {
      const { store, member, service, call } = await fixture();
      const { card } = service;
      if (!card) throw new Error("The sandbox takes cards.");
      const body = { pack_id: "1", product_id: "monthly", payment_method: "razorpay" };
      const tokens = await Promise.all(times(10, () => member()));
      for (const token of tokens) await call("/api/razorpay/order/create", { body, token });
      const made = await store.db.select().from(orders);
      const webhooks = made.flatMap(({ thirdReferenceId }, at) =>
        [200, 199].map((amount) => {
          const entity = { id: `pay_${at}_${amount}`, order_id: thirdReferenceId, amount, currency: "USD" };
          const raw = Buffer.from(
            JSON.stringify({ event: "payment.captured", payload: { payment: { entity } } }),
          );
          return { raw, signature: sign(raw, card.account.webhookSecret), eventId: `evt_${at}_${amount}` };
        }),
      );
      const heard = [...webhooks, ...webhooks].map((webhook) => card.processWebhook(webhook));
      expect(await Promise.all(heard)).toEqual(Array(4 * made.length).fill(true));
      expect(await store.db.$count(orders, eq(orders.status, 1))).toBe(tokens.length);
      expect(await store.db.$count(membershipEntries)).toBe(tokens.length);
    });

    test("calls that meet in one row are all answered", async () => {
      const { call, member, clock, lines } = await fixture();
      const name = freshName();
      const account = { account_name: name, password: PASSWORD };
      const registered = await Promise.all(times(10, () => call("/api/register", { body: account })));
      expect(registered.map(({ code }) => code).toSorted((one, other) => one - other)).toEqual([
        ...Array<number>(9).fill(1),
        200,
      ]);
      const token = await member();
      // Each of them makes the session longer, each log-in clears away what has expired, and each saving changes one row.
      clock.now += 2 * DAY;
      const profile = { name: "A", sex: "man", birth_date: "1990-01-01" };
      const answers = await Promise.all([
        ...times(10, () => call("/api/user/center", { token })),
        ...times(10, () => call("/api/user/update_info", { token, body: profile })),
        ...times(4, () => call("/api/login", { body: account })),
      ]);
      expect(answers.map(({ code }) => code)).toEqual(Array(24).fill(200));
      expect(lines.filter((line) => line.includes('"failed"'))).toEqual([]);
    });
  },
);
