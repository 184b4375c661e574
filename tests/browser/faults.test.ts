/** The way from the login to the bill through a proxy with faults, in front of the real service: each call meets each fault, the screen says so, and the same step leads on; one purchase is one order. */
import { expect, test } from "vitest";
import { paths, type CreatedOrder } from "../../src/contract/calls.ts";
import { startService } from "../support/browser.ts";
import { errorWords } from "../support/error-words.ts";
import { startFaultProxy } from "../support/fault-proxy.ts";
import { faultNames, faultOf, type FaultName } from "../support/faults.ts";
import { repeats } from "../support/lane.ts";
import { eventually, freshName, openFixtureWith } from "./support.ts";

const fixture = openFixtureWith(async (browserHouse) => {
  const service = await startService(browserHouse);
  const proxy = await startFaultProxy(service.origin);
  const stop = async () => {
    proxy.stop();
    await service.stop();
  };
  return { ...service, origin: proxy.origin, proxy, stop };
});

const slow = "This is taking longer than usual. Your connection may be slow.";

/** One of each kind that a person meets: no answer, half of one, and another's page. In jsdom the app meets all of them (`views/fault-sequences.test.tsx`); a late answer is met in `conditions.test.ts`, too. */
const met: readonly FaultName[] = ["answer lost", "half a body", "bad gateway afterwards"];
const faults = repeats ? faultNames.filter((name) => name !== "none") : met;

test.each(faults)("%s, on every call of a purchase", async (fault) => {
  const { service } = fixture;
  const { proxy } = service;
  const account = await service.join(freshName());
  const before = proxy.answers(paths.createOrder).length;
  const phone = await fixture.phone({ foreseen: /Failed to load resource|net::ERR_|^status 502/ });
  await phone.page.clock.install();
  const failure = phone.page
    .getByText(new RegExp(`^(${errorWords.map((words) => words.replaceAll(".", "\\.")).join("|")})$`))
    .filter({ visible: true });

  /** Does a step whose call meets the fault, and does it again where it is said to have failed. */
  const through = async (
    path: string,
    step: () => Promise<unknown>,
    arrived: () => Promise<unknown>,
    again = step,
  ) => {
    const { requestDelay, answerDelay } = faultOf(fault);
    proxy.plan(path, fault);
    await step();
    if (requestDelay !== undefined || answerDelay !== undefined) {
      await eventually(proxy.delayed).toBe(1);
      await phone.page.clock.fastForward(10_000);
      await phone.see(slow);
      proxy.release();
      return arrived();
    }
    const outcome = await Promise.race([
      arrived().then(() => "arrived"),
      failure
        .first()
        .waitFor()
        .then(() => "failed"),
    ]);
    if (outcome === "arrived") return undefined;
    await again();
    return arrived();
  };

  await phone.open("/login");
  await through(
    paths.login,
    () => phone.logIn(account.name),
    () => phone.arrive("/home"),
  );
  await through(
    paths.packages,
    // No page of the build, which would know the packages.
    () => phone.visit("/buy"),
    () => phone.page.locator('input[value="monthly"]').waitFor(),
    () => phone.tap("button", "Try again"),
  );
  await phone.page.locator('input[value="monthly"]').check();
  await phone.tap("button", "Continue");
  await phone.arrive("/pay/monthly");
  const looks = proxy.answers(paths.orderDetail).length;
  await through(
    paths.createOrder,
    () => phone.tap("button", "Pay {price} USDT", { price: "3.99" }),
    () => phone.arrive(/\/payDetail\//),
  );
  // The screen's own look comes first.
  await eventually(() => proxy.answers(paths.orderDetail).length).toBeGreaterThan(looks);
  await through(
    paths.orderDetail,
    () => phone.tap("button", "Complete the payment"),
    () => phone.arrive(/\/billDetail\//),
  );
  await phone.heading("Your bill").waitFor();

  const made = proxy.answers(paths.createOrder).slice(before);
  const ids = made.map((body) => (JSON.parse(body) as { data: CreatedOrder }).data.order.order_id);
  expect({ orders: new Set(ids).size, asked: made.length > 0 }).toEqual({ orders: 1, asked: true });
});
