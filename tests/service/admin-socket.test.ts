/** The way of the operator's commands to a running service. */
import { existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { sql } from "drizzle-orm";
import { expect, onTestFinished, test, vi } from "vitest";
import { admin } from "../../src/service/operations/admin/cli.ts";
import { askService, openSocket } from "../../src/service/operations/admin/socket.ts";
import type { Lines } from "../../src/service/operations/admin/command.ts";
import type { Log } from "../../src/service/platform/log.ts";
import type { Ledger } from "../../src/service/payments/ledger.ts";
import { readSettings } from "../../src/service/settings.ts";
import { movements } from "../../src/service/store/schema.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { emptyStore } from "./support.ts";

test.skipIf(process.platform === "win32")(
  "in a data folder whose path is longer than a socket's may be, commands reach the service too",
  async () => {
    const temporary = temporaryDirectory();
    vi.stubEnv("TMPDIR", temporary);
    onTestFinished(() => void vi.unstubAllEnvs());
    const directory = join(temporary, "d".repeat(120));
    mkdirSync(directory);
    const log = vi.fn<Log>();
    const ledger = { log } as unknown as Ledger;
    const close = openSocket({ ledger }, directory);
    const place = join(directory, "admin.sock");
    await expect.poll(() => existsSync(place) && statSync(place).mode & 0o777).toBe(0o600);
    const asked = { perform: { name: "nothing", args: [], options: {}, actor: "anna" } };
    await expect(askService(directory, asked)).rejects.toThrow("There is no command nothing.");
    close();
    expect(await askService(directory, asked)).toBeUndefined();
    // No link is left.
    expect(readdirSync(temporary)).toEqual([basename(directory)]);
    expect(log).not.toHaveBeenCalled();

    vi.stubEnv("TMPDIR", join(temporary, "nowhere"));
    openSocket({ ledger }, directory)();
    const error: unknown = expect.stringContaining("nowhere");
    expect(log).toHaveBeenCalledExactlyOnceWith("admin socket failed", { error }, "warn");
  },
);

test.skipIf(process.platform === "win32")("nothing is answered from data that is gone", async () => {
  const store = await emptyStore("embedded");
  onTestFinished(() => store.close());
  const ledger: Ledger = { ...store, log: () => undefined, tolerance: 0n, lateDays: 30 };
  const directory = temporaryDirectory();
  const close = openSocket({ ledger }, directory, () => {
    throw new Error("The data is gone.");
  });
  onTestFinished(close);
  await expect.poll(() => existsSync(join(directory, "admin.sock"))).toBe(true);
  const given = { name: "unmatched", args: [], options: {}, actor: "anna" };
  await expect(askService(directory, { perform: given })).rejects.toThrow("The data is gone.");
});

/** A database with so many movements in a month, some at the same time, and some a microsecond apart. */
async function movementsOf(count: number) {
  const store = await emptyStore("embedded");
  await store.db.execute(sql`
    INSERT INTO movements (at, kind, from_balance, to_balance, amount, currency, rail, network, cause)
    SELECT '2026-05-01 00:00:00Z'::timestamptz + (n / 3) * interval '1 microsecond', 'received', 'outside', 'open', 10000, 'USDT',
      'usdt', 'TRC20', 'TRC20:' || n || ':0' FROM generate_series(1, ${count}::int) n`);
  const ledger: Ledger = { ...store, log: () => undefined, tolerance: 0n, lateDays: 30 };
  const directory = temporaryDirectory();
  const close = openSocket({ ledger }, directory);
  await expect.poll(() => existsSync(join(directory, "admin.sock"))).toBe(true);
  const given = { name: "export", args: ["2026-05"], options: {}, actor: "anna" };
  const answered = await askService(directory, { perform: given });
  if (!answered || !("outcome" in answered)) throw new Error("It is answered.");
  return { store, close, parts: (answered.outcome.answer as Lines)[Symbol.asyncIterator]() };
}

test.skipIf(process.platform === "win32")(
  "an export of more lines than are read at a time comes in parts, each line once and in order, and the database is free in between",
  async () => {
    const { store, close, parts } = await movementsOf(2_500);
    onTestFinished(() => store.close());
    const found: string[] = [];
    for (;;) {
      const { value, done } = await parts.next();
      if (done) break;
      found.push(value);
      expect(await store.db.$count(movements)).toBe(2_500);
    }
    close();
    expect(found.map((part) => part.split("\n").length)).toEqual([1, 1_000, 1_000, 500]);
    const lines = found.slice(1).flatMap((part) => part.split("\n"));
    expect(lines.map((line) => Number(line.split(",")[0]))).toEqual(lines.map((_, at) => at + 1));
  },
);

test.skipIf(process.platform === "win32")("an export that breaks off is told of as such", async () => {
  const { store, close, parts } = await movementsOf(100_000);
  await parts.next();
  await store.close();
  await expect(
    (async () => {
      while (!(await parts.next()).done);
    })(),
  ).rejects.toThrow("Failed query");
  close();
});

test("a command in another encoding is refused in words", async () => {
  const said = vi.spyOn(console, "error").mockReturnValue();
  onTestFinished(() => said.mockRestore());
  expect(await admin(readSettings({}), ["member", "\uFFFD\uFFFD"])).toBe(1);
  expect(said.mock.calls).toEqual([["The command is not UTF-8: set the terminal to it."]]);
});
