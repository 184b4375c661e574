/** The product with one set of data at one moment, in one face: for pictures, which must not differ from machine to machine. */
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { IncomingMessage } from "node:http";
import { paths } from "../../src/contract/calls.ts";
import { LANGUAGE_HEADER, languageOf, type Language } from "../../src/contract/languages.ts";
import { say } from "../../src/service/platform/messages.ts";
import { pagePolicy, POLICY, readInline, type Deployment } from "../../src/service/http/security-headers.ts";
import { AXE_PATH, axeSource } from "./axe.ts";
import type { BrowserSetup } from "./browser-setup.ts";
import { serveSite } from "./static-site.ts";

/** When everything happens. */
export const MOMENT = Date.UTC(2026, 2, 14, 9, 30);
const minutesBefore = (minutes: number) => new Date(MOMENT - minutes * 60_000).toISOString();

/** Who can be signed in: a new member, one with everything set, one with earlier payments, one whom the API does not answer, one whose membership ends today, one whose has ended. */
export const people = {
  newcomer: { name: "Wanderer", token: "newcomer" },
  member: { name: "Marguerite", token: "member" },
  payer: { name: "Wayfarer", token: "payer" },
  stranded: { name: "Castaway", token: "stranded" },
  ending: { name: "Lamplighter", token: "ending" },
  ended: { name: "Nightwatch", token: "ended" },
} as const;

const hash = "b7a1c64d0f2e8395b7a1c64d0f2e8395b7a1c64d0f2e8395b7a1c64d0f2e83d1";
const transfer = {
  tx_hash: hash,
  amount: "29.99",
  confirmations_needed: 20,
  explorer_url: `https://explorer.example/transaction/${hash}`,
};

/** Each order is in one state for good. */
export const orders = {
  open: { order_id: "7KQ2M9XW4TB3HDNE", status: 0, created_at: minutesBefore(6) },
  late: { order_id: "RJ1YCPA5GM3F8VZ6", status: 0, created_at: minutesBefore(45) },
  card: {
    order_id: "Z6RJ1YCPA5GM3F8V",
    status: 0,
    created_at: minutesBefore(3),
    payment_method: "Razorpay",
    coin_type: null,
    address: null,
  },
  behind: { order_id: "D7QX2M4TB9W3HKNE", status: 0, created_at: minutesBefore(6), network_behind: true },
  part: { order_id: "3F8VZ6RJ1YCPA5GM", status: 0, created_at: minutesBefore(45), paid_amount: "20.00" },
  arrived: {
    order_id: "W4TB3HDNE7KQ2M9X",
    status: 0,
    created_at: minutesBefore(8),
    paid_amount: "29.99",
    transfers: [{ ...transfer, confirmations: 7 }],
  },
  held: {
    order_id: "KQ2M9XW4TB3HDNE7",
    status: 0,
    created_at: minutesBefore(44_000),
    paid_amount: "29.99",
    held: true,
    transfers: [{ ...transfer, confirmations: 20 }],
  },
  confirmed: {
    order_id: "9XW4TB3HDNE7KQ2M",
    status: 1,
    created_at: minutesBefore(11),
    payment_method: "EbPay",
    paid_at: minutesBefore(7),
    references: [hash],
    transfers: [{ ...transfer, confirmations: 20 }],
  },
  twice: { order_id: "2M9XW4TB3HDNE7KQ", status: 1, created_at: minutesBefore(20), paid_amount: "59.98" },
  failed: { order_id: "5GM3F8VZ6RJ1YCPA", status: 9, created_at: minutesBefore(90) },
  returned: { order_id: "6HN4G9WA7SK2ZDQB", status: 9, created_at: minutesBefore(95), returned: true },
} as const;
const bought = {
  payment_amount: "29.99",
  address: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
  coin_type: 4,
};

/** Where an order of the fixtures is paid. */
export const paymentPath = ({ order_id }: { order_id: string }, amount: string = bought.payment_amount) =>
  `/payDetail/4/annual/TRC20/${amount}/${bought.address}/${order_id}`;

/** The packages as the API lists them: not those of `catalogue.json`, which an operator may change. */
export const offersIn = (language: Language) =>
  [
    {
      name: { en: "Monthly", "zh-CN": "月度会员" },
      product_id: "monthly",
      price: "4.99",
      buy_price: "3.99",
      day_price: "0.13",
      discount: "80",
    },
    {
      name: { en: "Quarterly", "zh-CN": "季度会员" },
      product_id: "quarterly",
      price: "14.97",
      buy_price: "9.99",
      day_price: "0.11",
      discount: "66.7",
    },
    {
      name: { en: "Half-year", "zh-CN": "半年会员" },
      product_id: "half-year",
      price: "29.94",
      buy_price: "17.99",
      day_price: "0.10",
      discount: "60.1",
    },
    {
      name: { en: "Annual", "zh-CN": "年度会员" },
      product_id: "annual",
      price: "59.88",
      buy_price: "29.99",
      day_price: "0.08",
      discount: "50.1",
    },
  ].map(({ name, ...offer }, at) => ({ id: String(at + 1), name: name[language], ...offer }));

const questions = {
  en: [
    "What was the name of your first pet?",
    "Which city were you born in?",
    "What did you want to become?",
  ],
  "zh-CN": ["你的第一只宠物叫什么名字？", "你出生在哪座城市？", "你小时候想成为什么？"],
};

const languageIn = ({ headers }: IncomingMessage) => languageOf(String(headers[LANGUAGE_HEADER] ?? ""));

/** Where the account is logged in: on this device, and a member on others as well. */
function sessionsOf(isMember: boolean): object[] {
  const own = {
    session_id: "1",
    created_at: minutesBefore(4_000),
    used_at: minutesBefore(20),
    network: "203.0.113.24",
    browser: "Safari",
    device: "iPhone",
    current: true,
  };
  if (!isMember) return [own];
  const of = (session_id: string, hours: number, more: object) => ({
    ...own,
    session_id,
    created_at: minutesBefore(60 * hours),
    used_at: minutesBefore(20 * hours),
    current: false,
    ...more,
  });
  return [
    own,
    of("2", 100, { network: "2001:db8:85a3:8d3::/64", browser: "WeChat", device: "Android" }),
    of("3", 900, { network: "198.51.100.7", browser: "Chrome", device: "Windows" }),
    of("4", 2_000, { network: null, browser: null, device: null }),
  ];
}

/** Every order of a member, in each of its states. */
function ordersOf(isMember: boolean, language: Language): object {
  if (!isMember) return { orders: [], next: null };
  const ways = ["EbPay", "Razorpay", "EbPay", "EbPay", "EbPay", "Stripe"];
  const shown = [orders.open, orders.confirmed, orders.part, orders.held, orders.failed, orders.returned];
  const listed = shown.map((order, at) => {
    const payment_method = ways[at];
    const offer = offersIn(language).at(-1 - (at % 3));
    return {
      ...bought,
      owed_amount: order.status === 0 && !("held" in order) ? "9.99" : "0.00",
      ...order,
      payment_amount: offer?.buy_price,
      created_at: minutesBefore(6 + 40_000 * at),
      pack_id: offer?.id,
      product_id: offer?.product_id,
      pack_name: offer?.name,
      payment_method,
      references: "references" in order ? ["pay_PjK2mB7QxW4c1D"] : [],
      coin_type: payment_method === "EbPay" ? (at % 4 === 0 ? 2 : 4) : null,
    };
  });
  return { orders: listed, next: "1.A100" };
}

/** What the API answers; of the calls that the pictures need no more than the data. */
function dataFor(path: string, request: IncomingMessage, body: Record<string, string>): unknown {
  const language = languageIn(request);
  const token = (request.headers.authorization ?? "").replace("Bearer ", "");
  if (path === paths.centre) {
    const isMember = token === people.member.token;
    const isEnding = token === people.ending.token;
    return {
      user: {
        account_name: Object.values(people).find((one) => one.token === token)?.name,
        name: isMember ? "Margo" : null,
        sex: isMember ? "woman" : null,
        birth_date: isMember ? "1989-07-21" : null,
        pack_name: isMember || isEnding ? offersIn(language).at(-1)?.name : null,
        pack_exp_date: isEnding ? minutesBefore(-300) : isMember ? "2027-03-14" : null,
        membership_ended_at: token === people.ended.token ? minutesBefore(4 * 1_440) : null,
        security_problem: isMember ? questions[language][1] : null,
      },
    };
  }
  if (path === paths.orderList && body["state"] === "all")
    return ordersOf(token === people.member.token, language);
  if (path === paths.sessions) return sessionsOf(token === people.member.token);
  if (path === paths.login) return undefined;
  if (path === paths.packages) return [{}, [], offersIn(language)];
  if (path === paths.paymentMethods)
    return ["EbPay", "Razorpay", "Stripe"].map((payment_method) => ({ payment_method, open: "1" }));
  if (path === paths.securityProblems) return questions[language];
  if (path === paths.orderDetail) {
    const order = Object.values(orders).find(({ order_id }) => order_id === body["order_id"]);
    return order && { ...bought, ...order, pack_name: offersIn(language).at(-1)?.name };
  }
  if (path === paths.createOrder) {
    const { order_id, created_at } = orders.open;
    const { payment_amount, address } = bought;
    return { order: { order_id, payment_amount, created_at }, payData: { address } };
  }
  if (path === paths.createCardOrder)
    return { order: { ...bought, order_id: orders.open.order_id, third_reference_id: "order_1" } };
  return null;
}

/** In place of the card provider's script: the cardholder's name decides the outcome of the payment. */
const cardScript = `window.Razorpay = class {
  heard = {};
  on(event, heard) { this.heard[event] = heard; }
  createPayment(payment) {
    const refuse = (description, reason) =>
      this.heard["payment.error"]({ error: { description, reason, field: null } });
    const holder = payment["card[name]"];
    const declined = document.documentElement.lang === "en" ? "Your bank declined this payment." : "银行拒绝了这笔付款。";
    if (holder === "DECLINED") refuse(declined, "payment_failed");
    if (holder === "CANCELLED") refuse("", "payment_cancelled");
    if (holder === "CUT OFF") refuse("", "");
    // Anybody else's payment is under way for ever.
  }
};`;

const deployment: Deployment = { apiBaseUrl: null, downloadSdk: null, payments: "sandbox", razorpay: null };
/** The product's pages have no letters of their own. */
const lettingLettersIn = (policy: string) =>
  `${policy.replace("style-src ", "style-src 'self' ")}; font-src 'self'`;

/** Serves the built site with these answers and the service's policy, and its words in the letters of a package: machines differ in theirs. */
export async function startFixtureSite({ site }: Pick<BrowserSetup, "site">) {
  const folder = mkdtempSync(join(dirname(site), "fixtures-"));
  cpSync(site, folder, { recursive: true });
  const lay = (name: string, face: string) => symlinkSync(dirname(fileURLToPath(face)), join(folder, name));
  lay("fonts", import.meta.resolve("@fontsource-variable/noto-sans-sc"));
  lay("latin", import.meta.resolve("@fontsource-variable/source-sans-3"));
  const family = `"Noto Sans SC Variable" !important`;
  const faces = `{--face:${family};--mono:${family}}`;
  // Its quotes and apostrophes are as wide as a Chinese letter: English has those of the face that its Latin letters are from.
  const quotes = `@font-face{font-family:Quotes;src:url(/latin/files/source-sans-3-latin-wght-normal.woff2);font-weight:200 900;unicode-range:U+2018-201D;size-adjust:115%}`;
  const style = `<link rel="stylesheet" href="/fonts/index.css"><style>${quotes}*${faces}*:lang(en)${faces.replaceAll(family, `Quotes,${family}`)}</style>`;
  for (const page of globSync("*.html", { cwd: folder })) {
    const file = join(folder, page);
    writeFileSync(file, readFileSync(file, "utf8").replace("</head>", `${style}</head>`));
  }
  const extras: Parameters<typeof serveSite>[1] = (origin, request, body) => {
    const path = new URL(request.url ?? "/", origin).pathname;
    const { authorization } = request.headers;
    const isStranded = authorization?.endsWith(people.stranded.token);
    const data = dataFor(path, request, body);
    const outcome =
      path === paths.createOrder && authorization === undefined
        ? { code: -1, message: "Unauthenticated." }
        : data === undefined
          ? {
              code: 1,
              message: say(path === paths.login ? "wrongCredentials" : "orderUnknown", languageIn(request)),
            }
          : { code: 200, message: "", data };
    return {
      "/config.json": { cardScriptUrl: "/card.js", providerSite: "https://everlit.example" },
      "/card.js": cardScript,
      [AXE_PATH]: axeSource,
      ...(path === paths.cardKey ? { [path]: { key: "key" } } : {}),
      ...(path.startsWith("/api/") && path !== paths.cardKey && !isStranded
        ? { [path]: { ...outcome, server_time: MOMENT } }
        : {}),
    };
  };
  const { origin, have, stop } = await serveSite(folder, extras, async (file, path) => ({
    [POLICY]: lettingLettersIn(pagePolicy(deployment, await readInline(folder, file), path)),
  }));
  return {
    origin,
    /** The folder that is served, for tests that change its files. */
    folder,
    have,
    stop: async () => {
      await stop();
      rmSync(folder, { recursive: true });
    },
  };
}
