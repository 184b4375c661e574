/** The settings of the card provider and Stripe: whole or not at all, and live with at least one way to pay. */
import { expect, test } from "vitest";
import { readSettings } from "../../src/service/settings.ts";
import { KEYS } from "./provider-stand-in.ts";

const razorpay = {
  RAZORPAY_KEY_ID: KEYS.razorpay.keyId,
  RAZORPAY_KEY_SECRET: KEYS.razorpay.keySecret,
  // As it is copied.
  RAZORPAY_WEBHOOK_SECRET: ` ${KEYS.razorpay.webhookSecret}\n`,
};
const stripe = {
  STRIPE_SECRET_KEY: KEYS.stripe.secretKey,
  STRIPE_WEBHOOK_SECRET: KEYS.stripe.webhookSecret,
};

test("both, with the addresses of their own APIs or of others", () => {
  expect(
    readSettings({ PAYMENTS: "live", ...razorpay, ...stripe, SITE_URL: "https://shop.example/" }),
  ).toMatchObject({
    payments: "live",
    razorpay: { account: KEYS.razorpay, apiUrl: "https://api.razorpay.com" },
    stripe: { account: KEYS.stripe, apiUrl: "https://api.stripe.com" },
    siteUrl: "https://shop.example",
    refreshSeconds: 5,
  });
  const elsewhere = { RAZORPAY_API_URL: "http://127.0.0.1:4000/", STRIPE_API_URL: "https://stripe.example" };
  expect(readSettings({ ...razorpay, ...elsewhere })).toMatchObject({
    razorpay: { apiUrl: "http://127.0.0.1:4000" },
    stripe: null,
  });
  expect(readSettings({})).toMatchObject({ razorpay: null, stripe: null, siteUrl: null });
});

const API =
  "must be an address such as https://api.example.com, without a path, or with http:// on this machine alone (localhost).";
const RAZORPAY =
  "RAZORPAY_KEY_ID goes with RAZORPAY_KEY_SECRET and RAZORPAY_WEBHOOK_SECRET: set all three, or none.";

test.each([
  [
    { PAYMENTS: "live" },
    "PAYMENTS is live, and no way to pay is set up: set TRC20_NODES, ERC20_NODES, RAZORPAY_KEY_ID or STRIPE_SECRET_KEY with what goes with it.",
  ],
  [{ ...razorpay, RAZORPAY_KEY_ID: "" }, RAZORPAY],
  [{ ...razorpay, RAZORPAY_KEY_SECRET: undefined }, RAZORPAY],
  [{ ...razorpay, RAZORPAY_WEBHOOK_SECRET: " " }, RAZORPAY],
  [{ PAYMENTS: "live", RAZORPAY_KEY_SECRET: "secret" }, RAZORPAY],
  [
    { PAYMENTS: "live", STRIPE_SECRET_KEY: "secret", SITE_URL: "https://shop.example" },
    "STRIPE_SECRET_KEY goes with STRIPE_WEBHOOK_SECRET: set both, or none.",
  ],
  [
    { STRIPE_WEBHOOK_SECRET: "secret" },
    "STRIPE_SECRET_KEY goes with STRIPE_WEBHOOK_SECRET: set both, or none.",
  ],
  [stripe, "SITE_URL must be set where STRIPE_SECRET_KEY is: people come back there from Stripe."],
  [
    { SITE_URL: "http://shop.example" },
    "SITE_URL must begin with https://, or with http:// and the name of this machine alone (localhost).",
  ],
  [{ RAZORPAY_API_URL: "http://api.example" }, `RAZORPAY_API_URL ${API}`],
  [{ RAZORPAY_API_URL: "https://api.example/v1" }, `RAZORPAY_API_URL ${API}`],
  [{ STRIPE_API_URL: "api.stripe.com" }, `STRIPE_API_URL ${API}`],
])("%j is refused in one sentence, without the value", (env, words) => {
  expect(() => readSettings(env)).toThrow(
    new Error(`The service cannot start with these settings:\n  ${words}`),
  );
});
