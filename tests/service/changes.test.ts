/** What operators change is shown first, is what then happens, and happens once. */
import { globSync, readFileSync } from "node:fs";
import { PassThrough } from "node:stream";
import { desc, eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { rawAddress } from "../../src/contract/address.ts";
import type { Change } from "../../src/service/operations/admin/change.ts";
import { admin } from "../../src/service/operations/admin/cli.ts";
import {
  commands,
  help,
  isPreviewed,
  namedIn,
  perform,
  preview,
  run,
} from "../../src/service/operations/admin/commands.ts";
import { openSocket } from "../../src/service/operations/admin/socket.ts";
import { readSettings } from "../../src/service/settings.ts";
import type { Store } from "../../src/service/store/database.ts";
import { accounts, auditEntries, membershipEntries } from "../../src/service/store/schema.ts";
import { SimulatedChain } from "../support/simulated-chain.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { chainsOf, databases, emptyStore, freshName, monthly, serve, servers, START } from "./support.ts";

const DAY = 86_400_000;
const FINAL = 20;
const reason = "Ticket 7";

describe.each(databases)("on the %s database", (kind) => {
  let store: Store;
  const chains = { TRC20: new SimulatedChain(1), ERC20: new SimulatedChain(2) };
  beforeAll(async () => {
    store = await emptyStore(kind);
  });
  afterAll(() => store.close());

  async function begin() {
    const fixture = await serve(store, { sandbox: false, chains: chainsOf(chains) });
    const { ledger, clock } = fixture;
    const name = freshName();
    const token = await fixture.member(name);
    await fixture.settle();
    const asked = (args: string[], options: Record<string, string> = {}) => ({
      ledger,
      args,
      options: { reason, ...options },
      actor: "anna",
    });
    const shown = async (command: string, args: string[], options: Record<string, string> = {}) =>
      (await preview(command, asked(args, options))) as Change;
    const doIt = (command: string, args: string[], options: Record<string, string> = {}, digest?: string) =>
      perform(command, asked(args, options), digest);
    const ends = async (of = name) => {
      const [row] = await store.db
        .select({ at: accounts.membershipEndsAt })
        .from(accounts)
        .where(eq(accounts.name, of));
      return row?.at?.toISOString() ?? null;
    };
    async function pay(address: string, amount = 3_990_000n) {
      chains.TRC20.mine({ to: rawAddress("TRC20", address), amount });
      chains.TRC20.grow(FINAL);
      await fixture.settle();
    }
    const newest = async () => {
      const [entry] = await store.db.select().from(auditEntries).orderBy(desc(auditEntries.id)).limit(1);
      return entry;
    };
    const written = () => Promise.all([store.db.$count(auditEntries), store.db.$count(membershipEntries)]);
    return { ...fixture, clock, name, token, shown, doIt, ends, pay, newest, written };
  }
  const after = (days: number) => new Date(START + days * DAY).toISOString();

  test("a preview tells what would happen, changes and logs nothing, and is what then happens", async () => {
    const { token, name, order, pay, shown, doIt, ends, written, newest, lines } = await begin();
    const made = await order(token, monthly);
    await pay(made.address);
    const [before, said] = [await written(), lines.length];
    const change = await shown("refund", [made.id]);
    expect(change.lines).toEqual([
      `order ${made.id} of ${name}, 3.99 USDT: confirmed → failed, credited 3.99 → 0.00, returned 0.00 → 3.99`,
      expect.stringMatching(
        new RegExp(`^member ${name}: membership ends 20 December 2026 → \\d+ November 2026$`),
      ),
    ]);
    expect(change.confirm).toBe(made.id.slice(0, 4));
    expect([await written(), lines.length, await ends()]).toEqual([before, said, after(30)]);
    const done = await doIt("refund", [made.id], {}, change.digest);
    expect(done.change?.lines).toEqual(change.lines);
    expect(done.answer).toMatchObject([{ order: made.id, member: name, status: "failed" }]);
    expect(lines.slice(said)).toEqual([
      expect.stringContaining("membership revoked"),
      expect.stringContaining("change made"),
    ]);
    expect(await newest()).toMatchObject({
      action: "refund",
      reason,
      details: { change: { lines: change.lines }, answer: done.answer },
    });
  });

  test("days are taken of the order that is named, no more than it has, and undone for it", async () => {
    const { token, name, order, pay, shown, doIt, ends, newest, settle, member } = await begin();
    const first = await order(token, monthly, { "Idempotency-Key": "first" });
    const options = { order: first.id };
    await expect(shown("revoke", [name, "10"], options)).rejects.toThrow(
      `Order ${first.id} is not confirmed: it has no days.`,
    );
    await pay(first.address);
    const second = await order(token, monthly, { "Idempotency-Key": "second" });
    await pay(second.address);
    expect(await ends()).toBe(after(60));
    const { digest, lines } = await shown("revoke", [name, "40"], options);
    expect(lines).toEqual([
      `order ${first.id} of ${name}, 3.99 USDT: confirmed, as before`,
      `member ${name}: membership ends 19 January 2027 → 20 December 2026`,
    ]);
    const { answer } = await doIt("revoke", [name, "40"], options, digest);
    expect(answer).toMatchObject([{ member: name, order: first.id, days: -30 }]);
    // What was taken is the first one's: the second one's are there, and go with it.
    await doIt("refund", [second.id]);
    expect(await ends()).toBe(after(0));
    const refunded = await newest();
    await doIt("undo", [String(refunded?.id)]);
    expect(await ends()).toBe(after(30));
    await doIt("undo", [String((refunded?.id ?? 0) - 1)]);
    expect(await ends()).toBe(after(60));
    const other = freshName();
    const theirs = await order(await member(other), monthly);
    await settle();
    await expect(shown("revoke", [name, "10"], { order: theirs.id })).rejects.toThrow(
      `Order ${theirs.id} is not one of ${name}.`,
    );
  });

  test("what is no longer as it was shown is not done", async () => {
    const { name, shown, doIt, ends, written } = await begin();
    const { digest, lines } = await shown("credit", [name, "30"]);
    expect(lines).toEqual([`member ${name}: membership ends never → 20 December 2026`]);
    await doIt("credit", [name, "7"]);
    const before = await written();
    await expect(doIt("credit", [name, "30"], {}, digest)).rejects.toThrow("no longer what was shown");
    expect([await written(), await ends()]).toEqual([before, after(7)]);
  });

  test("what would be refused is refused in its preview", async () => {
    const { name, shown } = await begin();
    await expect(shown("credit", [name, "0"])).rejects.toThrow("The days must be");
    await expect(shown("credit", [name])).rejects.toThrow("The number of days is missing.");
    await expect(shown("lock", [name], { order: "x" })).rejects.toThrow("--order is no option of lock");
    await expect(shown("restore", ["file"])).rejects.toThrow("has no preview");
  });

  test("a ticket is taken once, and answers with what it did", async () => {
    const { name, shown, doIt, ends, written } = await begin();
    const ticket = `T-${name}`;
    const first = await doIt("credit", [name, "30"], { ticket });
    const before = await written();
    const again = await doIt("credit", [name, "30"], { ticket, reason: "the same, sent again" });
    expect(again).toMatchObject({
      answer: first.answer,
      change: null,
      repeated: expect.stringContaining(ticket) as string,
    });
    expect(await shown("credit", [name, "30"], { ticket })).toMatchObject({ answer: first.answer });
    for (const other of [
      ["credit", "31"],
      ["revoke", "30"],
    ] as const)
      await expect(doIt(other[0], [name, other[1]], { ticket })).rejects.toThrow("taken by another change");
    expect([await written(), await ends()]).toEqual([before, after(30)]);
  });

  test("one ticket that two give at once is taken once", async () => {
    const { name, doIt, ends } = await begin();
    const ticket = `T-${name}`;
    const both = await Promise.all([1, 2].map(() => doIt("credit", [name, "30"], { ticket })));
    expect(both[0]?.answer).toEqual(both[1]?.answer);
    expect(both.filter(({ repeated }) => repeated === null)).toHaveLength(1);
    expect(await ends()).toBe(after(30));
  });

  test("the same change with the same reason is warned of for a few minutes", async () => {
    const { name, shown, doIt, clock } = await begin();
    await doIt("credit", [name, "30"]);
    expect((await shown("credit", [name, "30"])).warnings).toEqual([
      expect.stringMatching(/^the same was done at 2026-11-20T08:00:00.000Z by anna \(audit entry \d+\)\.$/),
    ]);
    expect((await shown("credit", [name, "7"])).warnings).toEqual([]);
    expect((await shown("credit", [name, "30"], { reason: "another" })).warnings).toEqual([]);
    clock.now += 16 * 60_000;
    expect((await shown("credit", [name, "30"])).warnings).toEqual([]);
  });

  test("a membership is made to end on a day, whichever way that is", async () => {
    const { name, doIt, ends } = await begin();
    for (const day of ["2026-12-26", "2026-12-01", "2027-11-20"]) {
      expect((await doIt("set-end", [name, day])).answer).toMatchObject([{ member: name }]);
      expect((await ends())?.slice(0, 10)).toBe(day);
    }
    await doIt("set-end", [name, "2027-11-20"]);
    expect((await ends())?.slice(0, 10)).toBe("2027-11-20");
    for (const wrong of ["2026-11-19", "2026-02-30", "tomorrow"])
      await expect(doIt("set-end", [name, wrong])).rejects.toThrow(/in the past|is no day/);
    await doIt("set-end", [name, "2026-11-20"]);
    expect((await ends())?.slice(0, 10)).toBe("2026-11-20");
  });

  test("a membership that is made to end today ends now, as its preview says, and is undone exactly", async () => {
    const { name, doIt, shown, ends, clock } = await begin();
    await doIt("credit", [name, "30"]);
    const HOUR = 3_600_000;
    const told = () => `The membership ends at once, at ${new Date(clock.now).toISOString()} (UTC).`;
    const today = () => [name, new Date(clock.now).toISOString().slice(0, 10)];
    // Of several days, and of the rest of the last one.
    for (const [days, line] of [
      [12, "20 December 2026 → 2 December 2026"],
      [30 - 4 / 24, "earlier on 20 December 2026"],
    ] as const) {
      clock.now = START + days * DAY;
      const change = await shown("set-end", today());
      expect(change).toMatchObject({
        lines: [`member ${name}: membership ends ${line}`],
        notes: [told()],
      });
      clock.now += HOUR;
      const { answer } = await doIt("set-end", today(), {}, change.digest);
      expect(answer).toMatchObject([{ member: name, ends: new Date(clock.now).toISOString() }]);
      expect(await ends()).toBe(new Date(clock.now).toISOString());
      await doIt("undo", [auditOf(answer)]);
      expect(await ends()).toBe(after(30));
    }
    // One that is over stays as it is.
    clock.now = START + 31 * DAY;
    const over = await shown("set-end", today());
    expect([over.notes, await ends()]).toEqual([[], after(30)]);
  });

  test("money of one member that is credited to another's order is warned of, with both names", async () => {
    const { token, name, order, pay, member, shown, doIt, clock, ledger } = await begin();
    const mine = await order(token, monthly);
    const stranger = freshName();
    const theirs = await order(await member(stranger), monthly);
    clock.now += 40 * DAY;
    await pay(mine.address);
    const rows = (await run("unmatched", {
      ledger,
      args: [],
      options: { limit: "1000" },
      actor: "anna",
    })) as {
      id: number;
      order: string;
    }[];
    const row = rows.find((each) => each.order === mine.id)?.id;
    const change = await shown("unmatched-credit", [`#${row}`], { order: theirs.id.toLowerCase() });
    expect(change.warnings).toEqual([`row ${row} is money of ${name}, and the order is another member's.`]);
    expect(change.confirm).toBe(theirs.id.slice(0, 4));
    expect(change.lines.join("\n")).toContain(
      `order ${theirs.id} of ${stranger}, 3.99 USDT: pending → confirmed`,
    );
    const done = await doIt("unmatched-credit", [String(row)], { order: mine.id });
    expect(done.answer).toMatchObject([{ row, order: mine.id, member: name, status: "confirmed" }]);
  });

  const auditOf = (answer: unknown) => String((answer as { audit: number }[])[0]?.audit);

  test("days that were added or taken by mistake are undone exactly, once, and the undoing too", async () => {
    const { name, doIt, shown, ends } = await begin();
    await doIt("credit", [name, "100"]);
    // 30 were meant, and 100 were left.
    const revoked = auditOf((await doIt("revoke", [name, "300"])).answer);
    expect((await ends())?.slice(0, 10)).toBe("2026-11-20");
    const change = await shown("undo", [revoked]);
    expect(change.lines).toEqual([`member ${name}: membership ends 20 November 2026 → 28 February 2027`]);
    const undone = auditOf((await doIt("undo", [revoked], {}, change.digest)).answer);
    expect(await ends()).toBe(after(100));
    await expect(doIt("undo", [revoked])).rejects.toThrow(`to have it again, \`undo ${undone}\``);
    await doIt("undo", [undone]);
    expect((await ends())?.slice(0, 10)).toBe("2026-11-20");
    const credited = auditOf((await doIt("set-end", [name, "2026-12-26"])).answer);
    await doIt("undo", [credited]);
    expect((await ends())?.slice(0, 10)).toBe("2026-11-20");
  });

  test("an entry is undone once by two at once", async () => {
    const { name, doIt, ends } = await begin();
    await doIt("credit", [name, "7"]);
    const credited = auditOf((await doIt("credit", [name, "30"])).answer);
    const both = await Promise.allSettled([1, 2].map(() => doIt("undo", [credited])));
    expect(both.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await ends()).toBe(after(7));
  });

  test("a lock is undone, and an unlocking, unless it was changed since", async () => {
    const { name, token, call, doIt } = await begin();
    const isLocked = async () => {
      const [row] = await store.db.select().from(accounts).where(eq(accounts.name, name));
      return row?.lockedAt !== null;
    };
    const locked = auditOf((await doIt("lock", [name])).answer);
    await doIt("undo", [locked]);
    expect(await isLocked()).toBe(false);
    const again = auditOf((await doIt("lock", [name])).answer);
    const unlocked = auditOf((await doIt("unlock", [name])).answer);
    await expect(doIt("undo", [again])).rejects.toThrow(`${name} was locked or unlocked since`);
    await doIt("undo", [unlocked]);
    expect(await isLocked()).toBe(true);
    expect(await call("/api/user/center", { token })).toMatchObject({ code: 4001 });
  });

  test("a refund of the wrong order is undone: it is paid again, and the member has the same days", async () => {
    const { token, order, pay, doIt, ends, call, ledger } = await begin();
    const made = await order(token, monthly);
    await pay(made.address, 5_000_000n);
    const detail = async () => (await call("/api/order/detail", { body: { order_id: made.id }, token })).data;
    const before = await detail();
    const refunded = auditOf((await doIt("refund", [made.address])).answer);
    expect(await detail()).toMatchObject({ status: 9 });
    await doIt("undo", [refunded]);
    expect([await ends(), await detail()]).toEqual([after(30), before]);
    const open = (await run("unmatched", {
      ledger,
      args: [],
      options: { limit: "1000" },
      actor: "anna",
    })) as {
      order: string;
      amount: string;
    }[];
    expect(open.filter((row) => row.order === made.id)).toMatchObject([{ amount: "1.01" }]);
    expect(await doIt("undo", [refunded]).catch(String)).toContain(`Audit entry ${refunded} was undone`);
  });

  test("money that was credited to another member's order is undone, and credited to its own", async () => {
    const { token, order, pay, member, doIt, ends, clock, ledger } = await begin();
    const mine = await order(token, monthly);
    const stranger = freshName();
    const theirs = await order(await member(stranger), monthly);
    clock.now += 40 * DAY;
    await pay(mine.address);
    const listed = async () =>
      (
        (await run("unmatched", { ledger, args: [], options: { limit: "1000" }, actor: "anna" })) as {
          id: number;
          order: string;
        }[]
      ).filter((row) => row.order === mine.id);
    const [row] = await listed();
    const id = String(row?.id);
    const credited = auditOf((await doIt("unmatched-credit", [id], { order: theirs.id })).answer);
    expect([await ends(), await ends(stranger), await listed()]).toEqual([null, after(70), []]);
    await doIt("undo", [credited]);
    expect([await ends(), await listed()]).toEqual([null, [row]]);
    expect(await ends(stranger)).toBe(after(40));
    await doIt("unmatched-credit", [id]);
    expect(await ends()).toBe(after(70));
  });

  test("a row that was settled by mistake is open again, and its money is held", async () => {
    const { token, order, pay, doIt, shown, clock } = await begin();
    const made = await order(token, monthly);
    clock.now += 40 * DAY;
    await pay(made.address);
    const { after: state } = await shown("refund", [made.id]);
    const id = String(state.unmatched[0]?.row);
    const kept = auditOf((await doIt("unmatched-resolve", [id], { kept: "yes" })).answer);
    const change = await shown("undo", [kept]);
    expect(change.lines).toContain(`row ${id}, late 3.99 USDT: kept → open`);
    expect(change.lines[0]).toContain("held 0.00 → 3.99, kept 3.99 → 0.00");
    const undone = auditOf((await doIt("undo", [kept])).answer);
    await expect(doIt("unmatched-resolve", [id])).rejects.toThrow("--returned <transaction>, or --kept");
    await doIt("undo", [undone]);
    await expect(doIt("unmatched-resolve", [id], { kept: "yes" })).rejects.toThrow("is resolved");
  });

  test("what cannot be taken back says so", async () => {
    const { name, doIt } = await begin();
    const ended = auditOf((await doIt("end-sessions", [name])).answer);
    await expect(doIt("undo", [ended])).rejects.toThrow("cannot be opened again");
    const [earlier] = await store.db
      .insert(auditEntries)
      .values({ at: new Date(START), actor: "anna", action: "credit", subject: "account 1", reason })
      .returning();
    await expect(doIt("undo", [String(earlier?.id)])).rejects.toThrow("did not note what it changed");
    await expect(doIt("undo", ["999999999"])).rejects.toThrow("There is no audit entry 999999999.");
  });

  /** The command line beside a service, with what is typed at its prompt; without `typed` there is no terminal. */
  async function commandLine(typed?: string) {
    const fixture = await begin();
    const directory = temporaryDirectory();
    onTestFinished(openSocket({ ledger: fixture.ledger }, directory));
    const printed: string[] = [];
    const told: string[] = [];
    async function command(...words: string[]): Promise<number> {
      const input = Object.assign(new PassThrough(), { isTTY: typed !== undefined });
      input.end(`${typed ?? ""}\n`);
      const at = {
        input,
        print: (line: string) => printed.push(line),
        tell: (line: string) => told.push(line),
      };
      const why = isPreviewed(words[0] ?? "") ? ["--reason", reason] : [];
      return admin(readSettings({ DATA_DIR: directory }), [...words, "--as", "anna", ...why], at);
    }
    return { ...fixture, command, printed, told };
  }

  test("a change is done once what is asked for is typed, and not otherwise", async () => {
    const { command, name, told, printed, ends, written } = await commandLine("MEMB");
    expect(await command("credit", name, "30")).toBe(0);
    expect(told).toEqual([
      expect.stringContaining(`member ${name}: membership ends never → 20 December 2026`),
      "To do it, type memb",
    ]);
    expect(printed).toEqual([expect.stringContaining(name)]);
    expect(await ends()).toBe(after(30));

    const other = await commandLine("mem");
    const before = await written();
    expect(await other.command("credit", other.name, "30")).toBe(1);
    expect(other.told.at(-1)).toBe("That was not it, so nothing was done.");
    expect([await other.ends(), await written()]).toEqual([null, before]);
  });

  test("how many more rows there are than a list shows is said beside them", async () => {
    const { command, name, token, order, told, printed } = await commandLine();
    await order(token, monthly);
    await order(token, monthly);
    expect(await command("orders", "--member", name, "--limit", "1", "--json")).toBe(0);
    expect([(JSON.parse(printed.join("")) as unknown[]).length, told]).toEqual([
      1,
      ["And 1 more: --limit 2 shows all."],
    ]);
  });

  test("without a terminal a change is refused, unless it is agreed to or only shown", async () => {
    const { command, name, told, printed, ends } = await commandLine();
    expect(await command("credit", name, "30")).toBe(1);
    expect(told.splice(0)).toEqual([
      expect.stringContaining("--dry-run shows what it would do, --yes does it"),
    ]);
    expect(await command("credit", name, "30", "--dry-run")).toBe(0);
    expect(printed.splice(0)).toEqual([expect.stringContaining("never → 20 December 2026")]);
    expect(await ends()).toBe(null);
    expect(await command("credit", name, "30", "--dry-run", "--json")).toBe(0);
    expect(JSON.parse(printed.splice(0)[0] ?? "")).toMatchObject({
      preview: { confirm: "memb" },
      answer: null,
    });
    expect(await command("credit", name, "30", "--yes", "--json", "--ticket", name)).toBe(0);
    const done: unknown = JSON.parse(printed.splice(0)[0] ?? "");
    expect(done).toMatchObject({ preview: { command: "credit" }, answer: [{ member: name, days: 30 }] });
    expect(await ends()).toBe(after(30));
    expect(await command("credit", name, "30", "--yes", "--ticket", name)).toBe(0);
    expect(told.splice(0)).toEqual([expect.stringContaining("nothing is done again")]);
    expect(await command("credit", name, "30", "--yes", "--dry-run")).toBe(1);
    told.splice(0);
    expect(await command("after-restore", "--dry-run")).toBe(1);
    expect(told.splice(0)).toEqual(["after-restore is not previewed: with --dry-run, nothing was done."]);
    expect(await ends()).toBe(after(30));
  });
});

test.each(servers)("an account that is deleted while a command waits for it is not changed", async () => {
  const store = await emptyStore("PostgreSQL");
  onTestFinished(() => store.close());
  const { member, ledger } = await serve(store);
  const name = freshName();
  await member(name);
  const of = eq(accounts.name, name);
  let credited: Promise<unknown> = Promise.resolve();
  await store.db.transaction(async (tx) => {
    await tx.select().from(accounts).where(of).for("update");
    credited = run("credit", { ledger, args: [name, "30"], options: { reason }, actor: "anna" });
    credited.catch(() => undefined);
    // It has found the account, and waits for its lock.
    const waiting = sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await expect.poll(() => store.db.execute(waiting)).toMatchObject({ rows: [{}] });
    await tx
      .update(accounts)
      .set({ deletedAt: new Date(START) })
      .where(of);
  });
  await expect(credited).rejects.toThrow(`${name} was deleted by its holder`);
  expect(await store.db.$count(membershipEntries)).toBe(0);
});

test("each command that a document names is one", () => {
  const text = ["README.md", ...globSync("docs/**/*.md")]
    .map((path) => readFileSync(path, "utf8"))
    .join("\n");
  const spans = [...text.matchAll(/`(?:npm run admin -- )?([a-z][^`\n]*)`/g)];
  const given = spans
    .filter(([span, words = ""]) => span.includes("npm run admin -- ") || words.includes('--reason "'))
    .map(([, words = ""]) => namedIn(words.split(/\s+/))[0]);
  expect(given.length).toBeGreaterThan(40);
  const named = new Set(["help", ...Object.keys(commands)]);
  expect(given.filter((name) => !named.has(name))).toEqual([]);
});

test("the help of a command tells what it takes, changes, and whether it is undone", () => {
  expect(help("unmatched-resolve")).toContain(
    '<id> [--kept] [--returned transaction] [--ticket KEY] --reason "…"',
  );
  expect(help("clear-question")).toContain("cannot be put back");
  for (const option of ["--yes", "--dry-run", "--ticket KEY"]) expect(help()).toContain(option);
});
