/** Live payments in a real browser: an order, a wallet that reads its QR code and transfers on a real chain, confirmations that count, a membership; and no word of the sandbox. */
import { HDKey } from "@scure/bip32";
import { afterAll, expect, test } from "vitest";
import { rawAddress } from "../../src/contract/address.ts";
import { hasAnvil, liveSettings, quickLooks, startAnvil, type Anvil } from "../support/anvil.ts";
import { startService } from "../support/browser.ts";
import { repeats } from "../support/lane.ts";
import { readQr } from "../support/qr.ts";
import { eventually, freshName, openFixtureWith } from "./support.ts";

const chains = { TRC20: undefined as Anvil | undefined, ERC20: undefined as Anvil | undefined };
const wallet = HDKey.fromMasterSeed(Uint8Array.from({ length: 32 }, (_, at) => 255 - at));
const MINUTE = "01:00";

const fixture = openFixtureWith(async (parts) => {
  if (!hasAnvil) return startService(parts);
  const [tron, ethereum] = await Promise.all([startAnvil(), startAnvil()]);
  Object.assign(chains, { TRC20: tron, ERC20: ethereum });
  return startService(parts, { ...liveSettings(wallet, tron, ethereum), ...quickLooks });
});
afterAll(async () => {
  await Promise.all(Object.values(chains).map(async (chain) => chain?.stop()));
});

const amount = 29_990_000n;

/** A new member with an order for a year, who has scanned its QR code; and a look at how many confirmations the bill shows. */
async function orderOn(network: "TRC20" | "ERC20", language: "en" | "zh-CN", needed: number) {
  const chain = chains[network];
  if (!chain) throw new Error("The chain was started.");
  const phone = await fixture.phone({ language });
  const { page } = phone;
  await page.clock.install();
  await phone.open("/register");
  await phone.register(freshName());
  await phone.open("/buy");
  await phone.choosePackage("annual");
  const payment = await phone.order("29.99", network);
  expect(await page.locator("body").textContent()).not.toMatch(/sandbox|test wallet|沙盒|测试钱包/i);

  const code = page.getByRole("img", { name: phone.say("QR code of the {network} address", { network }) });
  const scanned = await readQr(code.locator("svg"));
  expect(scanned).toBe(payment.address);

  const account = await phone.account();
  const transfers = async () => (await fixture.service.detail(account, payment.orderId)).transfers;
  const words = (count: number) =>
    phone.say("{confirmations} of {needed}", { confirmations: String(count), needed: String(needed) });
  const main = () => page.getByRole("main").textContent();
  /** The screen asks by itself every minute: here a minute goes by once the service has read the blocks. */
  const counts = async (count: number) => {
    await expect
      .poll(transfers, { timeout: 30_000 })
      .toEqual([expect.objectContaining({ confirmations: count })]);
    await page.clock.fastForward(MINUTE);
    await eventually(main).toContain(words(count));
  };
  return { chain, phone, page, transfers, main, words, counts, to: rawAddress(network, scanned) };
}

test.skipIf(!hasAnvil).each([
  // anvil calls a block finalized after two more.
  {
    language: "zh-CN",
    network: "TRC20",
    needed: 20,
    more: 1,
    explorer: "https://tronscan.org/#/transaction/",
  },
  // The blocks of the other network are counted below, too.
  ...(repeats
    ? ([
        { language: "en", network: "ERC20", needed: 12, more: 4, explorer: "https://etherscan.io/tx/" },
      ] as const)
    : []),
] as const)(
  "in $language a transfer on $network counts its confirmations and buys the membership",
  async (each) => {
    const { language, network, needed, more, explorer } = each;
    const { chain, phone, page, counts, to } = await orderOn(network, language, needed);
    const transaction = await chain.transfer(to, amount);
    await phone.tap("button", "Complete the payment");
    await phone.see("Pending");
    await counts(1);
    await chain.mine(more);
    await counts(1 + more);
    const shown = page.getByRole("link", { name: phone.say("Show the transaction in an explorer") });
    expect(await shown.getAttribute("href")).toBe(explorer + transaction.slice(network === "TRC20" ? 2 : 0));
    await chain.mine(needed);
    await counts(needed);
    await phone.see("Confirmed");
    await phone.tap("link", "See my membership");
    await page.locator("main section p", { hasText: language === "en" ? "Annual" : "年度会员" }).waitFor();
  },
  180_000,
);

test.skipIf(!hasAnvil)(
  "a reorganisation while the confirmations count, and a service that is killed: the bill shows what is so, and the membership comes",
  async () => {
    const { chain, phone, page, transfers, main, words, counts, to } = await orderOn("ERC20", "en", 12);
    await chain.transfer(to, amount);
    await phone.tap("button", "Complete the payment");
    await phone.see("Pending");
    await chain.mine(2);
    await counts(3);

    await chain.reorganise(5);
    await expect.poll(transfers, { timeout: 30_000 }).toEqual([]);
    await page.clock.fastForward(MINUTE);
    await eventually(main).not.toContain(words(3));
    await phone.see("Pending");

    await chain.transfer(to, amount);
    await counts(1);
    await fixture.service.kill();
    const unanswered = page.waitForEvent("requestfailed");
    await page.clock.fastForward(MINUTE);
    await unanswered;
    await chain.mine(11);
    // What was known is still shown.
    expect(await main()).toContain(words(1));
    await fixture.service.restart();
    await counts(12);
    expect(phone.takeProblems(/ERR_CONNECTION_REFUSED/)).toEqual([]);
    await phone.see("Confirmed");
    await phone.tap("link", "See my membership");
    await page.locator("main section p", { hasText: "Annual" }).waitFor();
  },
  180_000,
);
