/** The way of the operator's commands to a running service. */
import { existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { admin } from "../../src/service/operations/admin/cli.ts";
import { askService, openSocket } from "../../src/service/operations/admin/socket.ts";
import type { Log } from "../../src/service/platform/log.ts";
import type { Ledger } from "../../src/service/payments/ledger.ts";
import { readSettings } from "../../src/service/settings.ts";
import { temporaryDirectory } from "./support.ts";

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

test("a command in another encoding is refused in words", async () => {
  const said = vi.spyOn(console, "error").mockReturnValue();
  onTestFinished(() => said.mockRestore());
  expect(await admin(readSettings({}), ["member", "\uFFFD\uFFFD"])).toBe(1);
  expect(said.mock.calls).toEqual([["The command is not UTF-8: set the terminal to it."]]);
});
