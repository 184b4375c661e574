/** What operators change is shown first, is what then happens, and happens once. */
import { PassThrough } from "node:stream";
import { desc, eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { rawAddress } from "../../src/contract/address.ts";
import type { Change } from "../../src/service/operations/admin/change.ts";
import { admin } from "../../src/service/operations/admin/cli.ts";
import { help, perform, preview, run } from "../../src/service/operations/admin/commands.ts";
import { openSocket } from "../../src/service/operations/admin/socket.ts";
import { readSettings } from "../../src/service/settings.ts";
import type { Store } from "../../src/service/store/database.ts";
import { accounts, auditEntries, membershipEntries } from "../../src/service/store/schema.ts";
import { SimulatedChain } from "../support/simulated-chain.ts";
import {
  chainsOf,
  databases,
  emptyStore,
  freshName,
  monthly,
  serve,
  START,
  temporaryDirectory,
} from "./support.ts";

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
    expect(lines.slice(said)).toEqual([expect.stringContaining("membership revoked")]);
    expect(await newest()).toMatchObject({
      action: "refund",
      reason,
      details: { change: { lines: change.lines }, answer: done.answer },
    });
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
      return admin(readSettings({ DATA_DIR: directory }), [...words, "--as", "anna", "--reason", reason], at);
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
    expect(await ends()).toBe(after(30));
  });
});

test("the help of a command tells what it takes, changes, and whether it is undone", () => {
  expect(help("unmatched-resolve")).toContain(
    '<id> [--kept] [--returned transaction] [--ticket KEY] --reason "…"',
  );
  expect(help("clear-question")).toContain("cannot be put back");
  for (const option of ["--yes", "--dry-run", "--ticket KEY"]) expect(help()).toContain(option);
});
