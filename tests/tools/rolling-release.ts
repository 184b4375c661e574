/** Exchanges two services of an earlier release for two of this one behind HAProxy, one after the other, while clients register, order and pay and a customer pays in Chromium, and back again; no call may fail, no step be lost: `npm run rolling -- --from <commit>`, with `--rounds 3 --clients 4`. `TEST_DATABASE_URL` names the PostgreSQL. */
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { openPhone, type Payment, type Phone } from "../support/browser.ts";
import { buildSite, prepareChromium } from "../support/browser-setup.ts";
import { crashUnderLoad, type Release } from "../support/crashes.ts";
import { bundled, killAll } from "../support/service-process.ts";
import { freePort } from "../support/temporary-database.ts";

const { values } = parseArgs({
  options: {
    from: { type: "string" },
    rounds: { type: "string", default: "3" },
    clients: { type: "string", default: "4" },
  },
});
const server = process.env["TEST_DATABASE_URL"];
if (values.from === undefined || server === undefined)
  throw new Error("Name the release before by --from <commit>, and PostgreSQL by TEST_DATABASE_URL.");
const rounds = Number(values.rounds);
const say = (text: string) => process.stdout.write(`${text}\n`);
const root = resolve(import.meta.dirname, "../..");
const earlier = mkdtempSync(join(tmpdir(), "release-"));

/** The bundle and the site of that commit, among its own migrations. */
function build(commit: string): Release {
  const tree = join(earlier, "tree");
  execFileSync("git", ["worktree", "add", "--detach", "--quiet", tree, commit], { cwd: root });
  symlinkSync(join(root, "node_modules"), join(tree, "node_modules"));
  execFileSync("npm", ["run", "--silent", "build"], { cwd: tree });
  return { script: join(tree, "build/service.js"), settings: { SITE_DIR: join(tree, "dist") } };
}

/** Ms under load before each exchange, and after a service is there until it is asked again. */
const CALM = 3_000;
const CHECKED = 1_500;
/** Ms in which the sandbox's network confirms what was sent. */
const CONFIRMED = 4_000;

const socket = join(earlier, "haproxy.sock");
async function askProxy(question: string): Promise<string> {
  const asked = connect(socket);
  asked.end(`${question}\n`);
  return text(asked);
}

/** Has HAProxy send a service no more calls, or calls again. Without it, one that was just connected is cut off by the stop. */
const setState = (at: number, state: "maint" | "ready") =>
  askProxy(`set server everlit/service${at + 1} state ${state}`);

/** Until no call is under way to it. */
async function answered(at: number): Promise<void> {
  const isIts = (row: string) => row.startsWith(`everlit,service${at + 1},`);
  for (;;) {
    const [, , , , sessions] = (await askProxy("show stat")).split("\n").find(isIts)?.split(",") ?? [];
    if (sessions === "0") return;
    await pause(50);
  }
}

let proxy: ChildProcess | undefined;
const port = await freePort();
/** As docs/hosting has it. */
function standBefore([one = 0, two = 0]: readonly number[]): string {
  proxy = spawn("haproxy", ["-db", "-f", join(root, "docs/hosting/haproxy-services.cfg")], {
    env: {
      PATH: process.env["PATH"],
      BIND: `127.0.0.1:${port}`,
      SERVICE_1: `127.0.0.1:${one}`,
      SERVICE_2: `127.0.0.1:${two}`,
      ADMIN_SOCKET: socket,
    },
    stdio: ["ignore", "ignore", "ignore"],
  });
  return `http://127.0.0.1:${port}`;
}

/** A customer with a phone, who pays while releases are exchanged. */
function customerOn(phone: Phone) {
  let due: Payment | undefined;
  const steps = { "orders placed": 0, "payments confirmed": 0, "screens opened between two releases": 0 };
  const lost: string[] = [];
  const step = async (what: keyof typeof steps, act: () => Promise<unknown>) => {
    try {
      await act();
      steps[what] += 1;
    } catch (error) {
      const [first] = (error instanceof Error ? error.message : String(error)).split("\n");
      lost.push(`${what}: ${first}; the screen says: ${(await phone.page.innerText("body")).slice(0, 900)}`);
    }
  };
  return {
    steps,
    lost,
    register: () => phone.register(`roll${Date.now()}`),
    order: () =>
      step("orders placed", async () => {
        await phone.choosePackage();
        due = await phone.order("3.99");
      }),
    /** Each screen is opened by its address, so that its page and all its files come from the services. */
    async lookAround() {
      const tab = await phone.newTab();
      for (const path of ["/home", "/buy", "/personal_info", "/orders"]) {
        await step("screens opened between two releases", async () => {
          await tab.open(path);
          await tab.alive();
          await tab.page.locator("h1:visible").first().waitFor();
        });
      }
      await tab.page.close();
    },
    /** On the page that was opened before the exchange. */
    async pay(origin: string) {
      const { network, address, amount } = due ?? {};
      const answer = await fetch(`${origin}/sandbox/transfers`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ network, address, amount }),
      });
      if (!answer.ok) throw new Error(`The wallet was refused: ${answer.status}.`);
      await pause(CONFIRMED);
      await step("payments confirmed", async () => {
        await phone.tap("button", "Complete the payment");
        await phone.arrive(/\/billDetail\//);
        await phone.see("Confirmed");
      });
    },
  };
}

let tally;
let customer: ReturnType<typeof customerOn> | undefined;
const browser = await chromium.launch({ executablePath: prepareChromium(), args: ["--no-sandbox"] });
try {
  const before = build(values.from);
  const site = join(earlier, "site");
  buildSite(site);
  const releases = { forward: { script: bundled(), settings: { SITE_DIR: site } }, back: before };
  // Pages that are open still ask for the files of the release that they came with.
  const sites = [site, before.settings?.["SITE_DIR"] ?? ""].map((each) => join(each, "assets"));
  for (const [from = "", to = ""] of [sites, sites.toReversed()])
    cpSync(from, to, { recursive: true, force: false });
  // Each round both are exchanged, and both are exchanged back.
  const steps = (["forward", "back"] as const).flatMap((way) => [0, 1].map((at) => ({ way, at })));
  tally = await crashUnderLoad({
    server,
    kills: rounds * steps.length,
    clients: Number(values.clients),
    processes: 2,
    settings: { TRUSTED_PROXIES: "1" },
    release: before,
    before: standBefore,
    async strike(number, { stop, start }) {
      const step = steps[(number - 1) % steps.length];
      if (!step) return;
      const origin = `http://127.0.0.1:${port}`;
      if (!customer) {
        customer = customerOn(await openPhone(browser, { origin }));
        await customer.register();
      }
      if (step.at === 0) await customer.order();
      await pause(CALM);
      await setState(step.at, "maint");
      await answered(step.at);
      await stop(step.at);
      await start(step.at, releases[step.way]);
      await setState(step.at, "ready");
      await pause(CHECKED);
      await (step.at === 0 ? customer.lookAround() : customer.pay(origin));
      say(`${number}: service ${step.at + 1} is exchanged, ${step.way}`);
    },
    onFailure: say,
    say,
  });
} finally {
  killAll();
  proxy?.kill();
  await browser.close();
  execFileSync("git", ["worktree", "remove", "--force", join(earlier, "tree")], { cwd: root });
  rmSync(earlier, { recursive: true, force: true });
}

for (const [what, count] of Object.entries(tally.counts))
  say(`${what.padEnd(48)}${String(count).padStart(10)}`);
for (const [what, count] of Object.entries(customer?.steps ?? {}))
  say(`${what.padEnd(48)}${String(count).padStart(10)}`);
// The customer's orders are in the database, and none of the load's.
const customersOrders = `orders that were not asked for: ${customer?.steps["orders placed"] ?? 0}`;
const wrong = [...tally.wrong.filter((each) => each !== customersOrders), ...(customer?.lost ?? [])];
for (const each of wrong) say(each);
const failed = ["requests cut off or not taken", "requests answered with 5xx"].filter(
  (what) => tally.counts[what] !== 0,
);
for (const what of failed) say(`Wrong: ${what}.`);
if (wrong.length + failed.length > 0) process.exitCode = 1;
