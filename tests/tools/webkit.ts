/** `npm run webkit`: the way of a newcomer in Safari's engine, in both languages, from registering to a bill that is confirmed, and whether any word or control on the way is wider than the window; and whether an app that was missed comes later. By WebDriver and WebKitGTK, which Debian has as webkit2gtk-driver; xvfb is its screen. */
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { languages, type Language } from "../../src/contract/languages.ts";
import { addresses } from "../screens.ts";
import { PASSWORD, startService, wordsOf, type Service } from "../support/browser.ts";
import { prepareBrowserTests } from "../support/browser-setup.ts";
import { stop } from "../support/stand-in.ts";
import { beyondTheEdge } from "../support/window-edge.ts";

const PATIENCE = 15_000;

/** Of a phone, and of the narrowest there is. */
const widths = [390, 320] as const;

/** Screens that need nothing but an account; those on the way, and those of an order, are not opened by their address. */
const ofTheWay = /^\/(register|registerSuccess|buy|pay|payDetail|billDetail|razorpayDetail)(\/|$)/;
const pathsFor = (isMember: boolean) =>
  addresses.filter((one) => one.isMember === isMember && !ofTheWay.test(one.path)).map(({ path }) => path);

const { setup, remove } = prepareBrowserTests();
let tooWide = 0;
try {
  const service = await startService(setup);
  try {
    for (const width of widths) {
      for (const language of languages)
        await inWebKit(width, (window) => newcomer(window, service, language, width));
    }
    await inWebKit(widths[0], (window) => latecomer(window, service));
  } finally {
    await service.stop();
  }
} finally {
  remove();
}
process.exitCode = tooWide > 0 ? 1 : 0;

async function newcomer(window: Window, service: Service, language: Language, width: number): Promise<void> {
  const say = (id: string) => wordsOf(language, id);
  const visit = async (path: string) => {
    await window.open(service.origin + path);
    await window.until("the app", isAlive);
  };
  const look = async () => {
    const path = await window.run(() => location.pathname);
    // A view that comes is beyond the edge until it has come.
    await window.until("rest", () => document.querySelector("[data-transition]") === null);
    const wide = await window.run(beyondTheEdge);
    tooWide += wide.length;
    process.stdout.write(`${width}  ${language.padEnd(5)}  ${path.split("/").slice(0, 2).join("/")}\n`);
    for (const part of wide) process.stdout.write(`  wider than the window: ${part}\n`);
  };
  const arrive = (path: string) => window.until(path, (start) => location.pathname.startsWith(start), path);

  await visit("/home");
  await window.run((chosen) => localStorage.setItem("language", chosen), language);
  for (const path of pathsFor(false)) {
    await visit(path);
    await look();
  }

  await visit("/register");
  await look();
  await window.type('[name="account_name"]', `safari${Math.random().toString(36).slice(2, 8)}`);
  await window.type('[name="password"]', PASSWORD);
  await window.click('[name="agreement"]');
  await window.press(say("Create account"));
  await arrive("/home");
  for (const path of pathsFor(true)) {
    await visit(path);
    await look();
  }

  await visit("/buy");
  await window.click('label:has([value="annual"]), [value="annual"]');
  await look();
  await window.press(say("Continue"));
  await arrive("/pay/annual");
  await window.until("network", () => document.querySelectorAll('[name="network"]').length === 2);
  await look();
  await window.press("29.99");
  await arrive("/payDetail/");
  await look();
  const [, , , , network, amount = "", address = ""] = await window.run(() =>
    location.pathname.split("/").map(decodeURIComponent),
  );
  await service.transfer({ network: network === "ERC20" ? "ERC20" : "TRC20", amount, address });
  // Until the sandbox's chain has it.
  await pause(2_000);
  await window.press(say("Complete the payment"));
  await arrive("/billDetail/");
  await window.until("confirmed", (word) => document.body.innerText.includes(word), say("Confirmed"));
  await look();
}

/** The page comes, and none of the app's files, until the network is there again. */
async function latecomer(window: Window, { origin }: Service): Promise<void> {
  let isCut = true;
  const network = createServer((asked, answer) => {
    if (isCut && asked.url?.endsWith(".js")) return void asked.socket.destroy();
    const { method, headers } = asked;
    const passed = request(origin + asked.url, { method, headers }, (given) => {
      answer.writeHead(given.statusCode ?? 502, given.headers);
      given.pipe(answer);
    });
    // The worker may still ask when all is over.
    passed.on("error", () => answer.destroy());
    asked.pipe(passed);
  });
  await new Promise<void>((resolve) => network.listen(0, "127.0.0.1", resolve));
  try {
    await window.open(`http://127.0.0.1:${(network.address() as AddressInfo).port}/login`);
    await window.until("word of it", () => document.getElementById("load-failed")?.hidden === false);
    isCut = false;
    await window.until("the app that was missed", isAlive);
    process.stdout.write("An app that was missed comes later.\n");
  } finally {
    await stop(network);
  }
}

/** Runs in the page. */
function isAlive(): boolean {
  return document.getElementById("load-failed") === null && document.readyState === "complete";
}

/* The window */

type Window = Awaited<ReturnType<typeof openWindow>>;

/** A driver of its own with an empty memory for what `visit` does. */
async function inWebKit(width: number, visit: (window: Window) => Promise<void>): Promise<void> {
  const port = await freePort();
  const settings = mkdtempSync(join(tmpdir(), "webkit-"));
  mkdirSync(join(settings, "gtk-3.0"));
  // Else its window is as wide as its own bar, which is wider than a phone.
  writeFileSync(
    join(settings, "gtk-3.0/gtk.css"),
    "* { min-width: 0; margin: 0; padding: 0; font-size: 4px; }",
  );
  if (spawnSync("WebKitWebDriver", ["--version"]).error || spawnSync("xvfb-run", ["--help"]).error)
    throw new Error("There is no WebKit to drive. On Debian: apt-get install webkit2gtk-driver xvfb");
  const driver = spawn("xvfb-run", ["-a", "WebKitWebDriver", `--port=${port}`], {
    stdio: "ignore",
    // A group of its own, so that it ends with all it started.
    detached: true,
    env: { ...process.env, XDG_CONFIG_HOME: settings, LIBGL_ALWAYS_SOFTWARE: "1" },
  });
  try {
    const window = await openWindow(`http://127.0.0.1:${port}`, width);
    try {
      await visit(window);
    } finally {
      await window.close();
    }
  } finally {
    if (driver.pid !== undefined) process.kill(-driver.pid);
    rmSync(settings, { recursive: true, force: true });
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A session of the W3C's WebDriver. @throws what the driver says */
async function openWindow(driver: string, width: number) {
  async function call<T>(method: "POST" | "DELETE", path: string, body?: object): Promise<T> {
    const answer = await fetch(driver + path, { method, body: body ? JSON.stringify(body) : null });
    const { value } = (await answer.json()) as { value: T & { error?: string; message?: string } };
    if (!answer.ok) throw new Error(`${path}: ${value.error} ${value.message}`);
    return value;
  }
  const ends = Date.now() + PATIENCE;
  for (;;) {
    const up = await fetch(`${driver}/status`).catch(() => null);
    if (up?.ok) break;
    if (Date.now() > ends) throw new Error("The driver did not start.");
    await pause(100);
  }
  const { sessionId } = await call<{ sessionId: string }>("POST", "/session", {
    capabilities: { alwaysMatch: { browserName: "MiniBrowser" } },
  });
  const session = `/session/${sessionId}`;

  const run = <A extends unknown[], T>(work: (...given: A) => T, ...args: A): Promise<T> =>
    call("POST", `${session}/execute/sync`, { script: `return (${String(work)})(...arguments)`, args });

  /** @returns what the page answers as soon as it is neither false nor nothing */
  async function until<A extends unknown[], T>(what: string, asks: (...given: A) => T, ...args: A) {
    const limit = Date.now() + PATIENCE;
    for (;;) {
      const answer = await run(asks, ...args);
      if (answer) return answer;
      if (Date.now() > limit) throw new Error(`Waited in vain for ${what}.`);
      await pause(100);
    }
  }

  async function clickAt(
    what: string,
    find: (given: string) => [x: number, y: number] | null,
  ): Promise<void> {
    await until("rest", () => document.querySelector("[data-transition]") === null);
    const [x, y] = await until(what, find, what);
    const actions = [
      { type: "pointerMove", x: Math.round(x), y: Math.round(y) },
      { type: "pointerDown", button: 0 },
      { type: "pointerUp", button: 0 },
    ];
    await call("POST", `${session}/actions`, { actions: [{ type: "pointer", id: "finger", actions }] });
  }

  await call("POST", `${session}/window/rect`, { width, height: 844 });
  return {
    run,
    until,
    open: (url: string) => call("POST", `${session}/url`, { url }),
    close: () => call("DELETE", session),
    /** In the middle of the first that the selector finds. */
    click: (selector: string) =>
      clickAt(selector, (given) => {
        const node = document.querySelector(given);
        node?.scrollIntoView({ block: "center" });
        const box = node?.getBoundingClientRect();
        return box ? [box.x + box.width / 2, box.y + box.height / 2] : null;
      }),
    /** The button that has these words, when it can be pressed. */
    press: (words: string) =>
      clickAt(words, (given) => {
        const node = [...document.querySelectorAll("button")].find(
          (button) => button.innerText.includes(given) && button.checkVisibility() && !button.disabled,
        );
        const box = node?.getBoundingClientRect();
        return box ? [box.x + box.width / 2, box.y + box.height / 2] : null;
      }),
    async type(selector: string, text: string): Promise<void> {
      await this.click(selector);
      const actions = [...text].flatMap((value) => [
        { type: "keyDown", value },
        { type: "keyUp", value },
      ]);
      await call("POST", `${session}/actions`, { actions: [{ type: "key", id: "keys", actions }] });
    },
  };
}
