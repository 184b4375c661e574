/** The linter refuses a chart that knows more than xstate and its neighbours, and every other breach of who may import whom. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

/** One folder a case, each a house of its own; the linter goes through all of them at once. */
const houses = mkdtempSync(join(tmpdir(), "laws-"));
afterAll(() => rmSync(houses, { recursive: true }));

let count = 0;
/** Lays such a file into such a room. @returns the folder that the linter will speak of */
function lay(file: string, source: string): string {
  const house = `case-${(count += 1)}`;
  const path = join(houses, house, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, source);
  return house;
}

/** The names of the rules that each case breaks, by its folder. */
const broken = new Map<string, string[]>();
beforeAll(() => {
  const { stdout } = spawnSync("oxlint", ["-c", ".ci/oxlint.json", "-f", "unix", houses], {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  const said = /\/(case-\d+)\/.*eslint\((no-restricted-[a-z]+)\)/g;
  for (const [, house = "", rule = ""] of stdout.matchAll(said))
    broken.set(house, [...(broken.get(house) ?? []), rule]);
});

const using = (from: string) => `import { one } from "${from}";\nexport const two = one;\n`;

test.each(
  [
    ["machines/chart.ts", "xstate"],
    ["machines/chart.ts", "./price-changed.ts"],
    ["machines/chart.ts", "../src/contract/money.ts"],
    ["machines/chart.ts", "../src/contract/durations.ts"],
    ["src/contract/calls.ts", "valibot"],
    ["src/app/ui/button.tsx", "styled-components"],
    ["src/app/screens/packages.tsx", "../ports/page.ts"],
    ["src/app/components/link.tsx", "../navigation/destinations.ts"],
    ["src/app/shell/shell.tsx", "../components/loading.tsx"],
    ["src/service/app.ts", "../../src/contract/money.ts"],
    ["src/service/store/clock.ts", "../platform/repeat.ts"],
    ["src/service/payments/chain/reader.ts", "../../platform/log.ts"],
    ["src/service/http/body.ts", "hono"],
    ["src/service/main.ts", "./sandbox/sandbox.ts"],
    ["src/service/sandbox/parties.ts", "./stripe.ts"],
    ["src/service/console/app.ts", "../operations/admin/commands.ts"],
    ["src/console/shell.tsx", "../app/ui/button.tsx"],
    ["src/inspector/record.ts", "xstate"],
  ].map(([file = "", from = ""]) => [file, from, lay(file, using(from))]),
)("%s may import %s", (_, __, house) => {
  expect(broken.get(house)).toBeUndefined();
});

test.each(
  [
    ["machines/chart.ts", "react"],
    ["machines/chart.ts", "@xstate/react"],
    ["machines/chart.ts", "xstate/graph"],
    ["machines/chart.ts", "../src/contract/calls.ts"],
    ["machines/chart.ts", "../src/app/shell/root.tsx"],
    ["machines/chart.ts", "ofetch"],
    ["machines/chart.ts", "node:fs"],
    ["src/contract/calls.ts", "hono"],
    ["src/contract/calls.ts", "../app/root.tsx"],
    ["src/app/ui/button.tsx", "xstate"],
    ["src/app/ui/button.tsx", "@lingui/react"],
    ["src/app/screens/packages.tsx", "../ports/api.ts"],
    ["src/app/screens/packages.tsx", "ofetch"],
    ["src/app/ports/api.ts", "react"],
    ["src/app/messages/error-messages.ts", "../ports/api.ts"],
    ["src/app/navigation/routes.ts", "../components/link.tsx"],
    ["src/app/runtime/effects.ts", "../shell/shell.tsx"],
    ["src/app/components/link.tsx", "../shell/kept-views.tsx"],
    ["src/app/components/link.tsx", "../ports/api.ts"],
    ["src/app/screens/bill.tsx", "../shell/root.tsx"],
    ["src/app/shell/shell.tsx", "../screens/bill.tsx"],
    ["src/app/runtime/create-app.ts", "../service/app.ts"],
    ["src/service/app.ts", "../app/root.tsx"],
    ["src/service/app.ts", "./sandbox/routes/wallet.ts"],
    ["src/service/platform/log.ts", "../store/database.ts"],
    ["src/service/store/session.ts", "../accounts/locks.ts"],
    ["src/service/events/outbox.ts", "../payments/ledger.ts"],
    ["src/service/limits/attempt-limits.ts", "../http/answers.ts"],
    ["src/service/accounts/locks.ts", "../payments/ledger.ts"],
    ["src/service/payments/orders.ts", "../http/answers.ts"],
    ["src/service/payments/orders.ts", "../settings.ts"],
    ["src/service/payments/orders.ts", "hono"],
    ["src/service/payments/chain/reader.ts", "../../operations/metrics.ts"],
    ["src/service/payments/orders.ts", "../sandbox/sandbox.ts"],
    ["src/service/http/answers.ts", "../routes/orders.ts"],
    ["src/service/routes/orders.ts", "../operations/metrics.ts"],
    ["src/service/sandbox/sandbox.ts", "../routes/orders.ts"],
    ["src/service/operations/metrics.ts", "../routes/orders.ts"],
    ["src/service/console/app.ts", "../routes/orders.ts"],
    ["src/service/operations/metrics.ts", "../console/app.ts"],
    ["src/service/routes/orders.ts", "../console/app.ts"],
    ["src/inspector/record.ts", "../../machines/order.ts"],
    ["src/inspector/panel.tsx", "../app/app.ts"],
    ["src/app/main.tsx", "../inspector/start.ts"],
    ["src/app/main.tsx", "../console/router.tsx"],
    ["src/console/shell.tsx", "../app/runtime/hooks.ts"],
    ["src/console/ports/calls.ts", "../../service/app.ts"],
  ].map(([file = "", from = ""]) => [file, from, lay(file, using(from))]),
)("%s may not import %s", (_, __, house) => {
  expect(broken.get(house)).toEqual(["no-restricted-imports"]);
});

test.each(
  [
    "Date.now()",
    "window.name",
    "localStorage.length",
    "fetch('/')",
    "setTimeout(String)",
    "performance.now()",
  ].map((word) => [word, lay("machines/chart.ts", `export const one = () => ${word};\n`)]),
)("a chart may not touch %s", (_, house) => {
  expect(broken.get(house)).toEqual(["no-restricted-globals"]);
});

const lots = lay("machines/chart.ts", "export const one = () => Math.random();\n");
test("a chart may not draw lots", () => {
  expect(broken.get(lots)).toEqual(["no-restricted-properties"]);
});
