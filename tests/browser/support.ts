/** What a browser test file works with: a browser, a service of its own, and phones that are looked at afterwards. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, inject } from "vitest";
import type { Browser, BrowserContext, Page } from "playwright-core";
import type { BrowserSetup } from "../support/browser-setup.ts";
import {
  PATIENCE,
  launch,
  openPhone,
  reusableContext,
  startService,
  type Account,
  type Phone,
  type Service,
  type Visit,
} from "../support/browser.ts";

/** Where a screen that failed its test can be looked at. */
const errors = join(import.meta.dirname, "../../build/browser-failures");

let launched: { chromium: string; browser: Promise<Browser> } | undefined;
/**
 * The Chromium of this worker: its files use it one after the other, and it ends with the worker. A launch is seconds of a processor.
 * @param kind `chromium` for pictures
 */
export async function sharedBrowser(kind: "chromium" | "shell" = "shell"): Promise<Browser> {
  const { [kind]: chromium } = inject("setup");
  const last = await launched?.browser.catch(() => undefined);
  if (!last?.isConnected() || launched?.chromium !== chromium) {
    await last?.close();
    launched = { chromium, browser: launch({ chromium }) };
  }
  return launched.browser;
}

/** Call it at the top of a file. After each test every phone must be without a problem that the test did not take. */
export const openFixture = () => openFixtureWith((setup) => startService(setup));

/** The same, in front of another service. */
export function openFixtureWith<S extends Pick<Service, "origin" | "stop">>(
  start: (setup: BrowserSetup) => Promise<S>,
) {
  let browser: Browser;
  let service: S;
  let contexts: ReturnType<typeof reusableContext>;
  const phones: Phone[] = [];

  beforeAll(async () => {
    const setup = inject("setup");
    [browser, service] = await Promise.all([sharedBrowser(), start(setup)]);
    contexts = reusableContext(browser);
  });
  afterEach(async ({ task }) => {
    const used = phones.splice(0);
    if (task.result?.state === "fail") {
      mkdirSync(errors, { recursive: true });
      const name = task.name.replaceAll(/[^\p{L}\p{N}]+/gu, "-").slice(0, 80);
      const pages = used.flatMap(({ context }) => context.pages());
      for (const [index, page] of pages.entries()) {
        await page.screenshot({ path: join(errors, `${name}-${index}.png`) }).catch(() => undefined);
      }
    }
    // Calls still on their way through a test's hands are of no interest any more. A bank's window may close itself meanwhile.
    const letGo = (page: Page) => page.unrouteAll({ behavior: "ignoreErrors" }).catch(() => undefined);
    await Promise.all(used.flatMap(({ context }) => context.pages().map(letGo)));
    const problems = used.flatMap((phone) => phone.takeProblems());
    await Promise.all(used.map(({ context }) => contexts.close(context)));
    expect(problems).toEqual([]);
  });
  afterAll(async () => {
    await service?.stop();
  });

  return {
    get service() {
      return service;
    },
    phone: async (visit?: Visit): Promise<Phone> => {
      const phone = await openPhone(browser, service, visit, contexts.open);
      phones.push(phone);
      return phone;
    },
  };
}

const fresh = { count: 0 };
/** An account name that no other user in this file has. */
export const freshName = () => `Visitor ${(fresh.count += 1)}`;

/** `expect`, asked again until it holds. */
export function eventually<T>(read: () => T) {
  // oxlint-disable-next-line vitest/valid-expect, vitest/require-awaited-expect-poll -- the caller awaits it
  return expect.poll(read, { timeout: PATIENCE, interval: 100 });
}

/** What the documents of a context were refused from now on. */
export async function watchRefusals(context: BrowserContext): Promise<string[]> {
  const refused: string[] = [];
  await context.exposeBinding("refused", (_, what: string) => void refused.push(what));
  await context.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI, sample }) => {
      const { refused } = window as unknown as { refused: (what: string) => void };
      refused([location.pathname, violatedDirective, blockedURI, sample].join(" "));
    });
  });
  return refused;
}

const DAY = 86_400_000;
/** Whole days from now until the membership ends. */
export async function daysOf(service: Pick<Service, "member">, account: Account): Promise<number> {
  const { pack_exp_date } = await service.member(account);
  return pack_exp_date === null ? 0 : Math.round((Date.parse(pack_exp_date) - Date.now()) / DAY);
}
