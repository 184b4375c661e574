/** Section 7 as the app speaks it: every call's method, path and body, its headers, what counts as an answer, and the scripts of others. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { CallFailed } from "../../machines/call-error.ts";
import type { KeptTransfer } from "../../machines/kept-orders.ts";
import { createApi, type Api } from "../../src/app/ports/api.ts";
import { startClock } from "../../src/app/ports/clock.ts";
import { configReader } from "../../src/app/ports/config.ts";
import { install, readBuilds } from "../../src/app/ports/download-sdk.ts";
import { isCrowded, loadScript } from "../../src/app/ports/scripts.ts";
import { openStorage } from "../../src/app/ports/storage.ts";
import { IDEMPOTENCY_HEADER } from "../../src/contract/envelope.ts";
import type { Language } from "../../src/contract/languages.ts";
import { begin, end, stored } from "../support/app.tsx";
import { address, detail, ethereumAddress, monthly, packagesOf } from "../support/replies.ts";

beforeEach(begin);
afterEach(end);

const settings = {
  apiBaseUrl: "https://api.example",
  providerSite: "https://everlit.example",
  downloadSdk: null,
  cardScriptUrl: "https://card.example/script.js",
  sandbox: false,
};

type Answering = {
  status?: number;
  language?: Language;
  token?: string;
  /** What the answer says besides. */
  headers?: Record<string, string>;
};
/** The port alone, in front of a service that always answers the same: `answer` as JSON, or a text as it is. */
function connect(answer: unknown, answering: Answering = {}) {
  const { status = 200, token = "" } = answering;
  const sent: object[] = [];
  vi.stubGlobal("fetch", async (url: string, { method, body, headers }: RequestInit) => {
    const { language: spoken, authorization } = Object.fromEntries(new Headers(headers));
    sent.push({
      method,
      url,
      body: body === undefined ? null : JSON.parse(body as string),
      spoken,
      authorization,
    });
    const text = typeof answer === "string" ? answer : JSON.stringify(answer);
    const type = { "Content-Type": "application/json" };
    return new Response(text, { status, headers: { ...type, ...answering.headers } });
  });
  const storage = openStorage(localStorage);
  if (token) storage.writeText("user_token", token);
  const refused = vi.fn<() => void>();
  const api = createApi({
    config: async () => settings,
    storage,
    clock: startClock(storage),
    language: () => answering.language ?? "en",
    refused,
    syncAccount: () => true,
  });
  return { api, sent, refused };
}
/** What came of a call: its answer, or the error to be told. */
const outcomeOf = (call: Promise<unknown>) => call.catch((error: unknown) => (error as CallFailed).error);

test.each([
  ["{}", { apiBaseUrl: "", cardScriptUrl: "https://checkout.razorpay.com/v1/razorpay.js", sandbox: false }],
  [
    // As people write it.
    '{"apiBaseUrl":"https://api.example/","providerSite":"https://provider.example/","sandbox":true}',
    {
      apiBaseUrl: "https://api.example",
      providerSite: "https://provider.example",
      // No card of the sandbox goes to a real provider.
      cardScriptUrl: "https://api.example/sandbox/card.js",
    },
  ],
  ["<html>", { apiBaseUrl: "", sandbox: false }],
])("the configuration %s has a default for each entry", async (said, read) => {
  vi.stubGlobal("fetch", async () => new Response(said));
  expect(await configReader()()).toMatchObject(read);
});

test("a configuration that did not come is asked for again with the next call that wants it, and one that came is not", async () => {
  const answers = [
    () => Promise.reject(new TypeError("Failed to fetch")),
    async () => new Response("Bad gateway", { status: 502 }),
    async () => Response.json({ apiBaseUrl: "https://api.example" }),
  ];
  const fetches = vi.fn<() => Promise<Response>>(() => (answers.shift() as () => Promise<Response>)());
  vi.stubGlobal("fetch", fetches);
  const config = configReader();
  const heard = [await config(), await config(), await config(), await config()];
  expect(heard.map(({ apiBaseUrl }) => apiBaseUrl)).toEqual([
    "",
    "",
    "https://api.example",
    "https://api.example",
  ]);
  expect(fetches).toHaveBeenCalledTimes(3);
});

const order = { order_id: 5, payment_amount: "9.99", third_reference_id: "order_5" };
const purchase = { offer: monthly, key: "key1" };
const goods = { pack_id: "1", product_id: "vpn.month" };
const words = { new_password: "new word", new_password_confirmation: "new word" };
const answer = { security_problem: "First pet?", security_problem_value: "Fox" };
const confirmed = { ...answer, password: "secret" };
const particulars = { name: "Nan", sex: "man" as const, birth_date: "2001-03-05" };

const calls: [call: string, ask: (api: Api) => Promise<unknown>, data: unknown, body: object | null][] = [
  [
    "POST /api/login",
    (api) => api.logIn({ account_name: "anna", password: "secret" }),
    { user: { account_name: "Anna" } },
    { account_name: "anna", password: "secret" },
  ],
  [
    "POST /api/register",
    (api) => api.register({ account_name: "anna", password: "secret" }),
    null,
    { account_name: "anna", password: "secret" },
  ],
  ["GET /api/security_problem_list", (api) => api.readQuestions(), ["First pet?"], null],
  ["POST /api/logout", (api) => api.logOut(null), null, null],
  ["GET /api/user/center", (api) => api.readMember(), { user: { account_name: "Anna" } }, null],
  ["POST /api/user/update_info", (api) => api.saveParticulars(particulars), null, particulars],
  [
    "GET /api/payment_method_list",
    (api) => api.readMethods(),
    [{ payment_method: "EbPay", open: "1" }],
    null,
  ],
  [
    "POST /api/user/change_password",
    (api) => api.changePassword({ old_password: "old word", ...words }),
    null,
    { old_password: "old word", ...words },
  ],
  [
    "POST /api/problem_change_password",
    (api) => api.resetPassword({ account_name: "anna", ...words, ...answer }),
    null,
    { account_name: "anna", ...words, ...answer },
  ],
  ["GET /api/packegs/list", (api) => api.readPackages(), [{}, [], [monthly]], null],
  [
    "POST /api/order/create",
    (api) => api.createOrder({ ...purchase, network: "TRC20" }),
    { order, payData: { address } },
    { ...goods, coin_type: 4 },
  ],
  [
    "POST /api/order/create",
    (api) => api.createOrder({ ...purchase, network: "ERC20" }),
    { order, payData: { address: ethereumAddress } },
    { ...goods, coin_type: 2 },
  ],
  [
    "POST /api/order/create",
    (api) => api.createCheckout(purchase),
    { payUrl: "https://checkout.example/" },
    { ...goods, payment_method: "Stripe" },
  ],
  [
    "POST /api/razorpay/order/create",
    (api) => api.createCardOrder(purchase),
    { order },
    { ...goods, payment_method: "razorpay" },
  ],
  ["POST /api/user/save_security_problem", (api) => api.saveQuestion(confirmed), null, confirmed],
  [
    "POST /api/order/detail",
    (api) => api.readOrder({ orderId: "5" }),
    { order_id: 5, status: 0, payment_amount: "9.99", created_at: "2026-01-01 00:00:00" },
    { order_id: "5" },
  ],
  ["GET /api/contact/url", (api) => api.readContact(), [{ contact_url: "https://support.example/" }], null],
];

test.each(calls)("asks %s as it is named", async (call, ask, data, body) => {
  const { api, sent } = connect({ code: 200, data });
  await ask(api);
  const [method = "", path = ""] = call.split(" ");
  expect(sent).toEqual([
    { method, url: settings.apiBaseUrl + path, body, spoken: "en", authorization: undefined },
  ]);
});

test.each([
  ["en", "", "en", undefined],
  ["zh-CN", "token1", "zh-CN", "Bearer token1"],
] as const)("speaks %s, with the token '%s'", async (language, token, spoken, authorization) => {
  const { api, sent } = connect(packagesOf(monthly), { language, token });
  await api.readPackages();
  expect(sent).toEqual([
    { method: "GET", url: `${settings.apiBaseUrl}/api/packegs/list`, body: null, spoken, authorization },
  ]);
});

test.each([
  ["a code and status 200", { code: 200, data: [] }, 200, []],
  ["no code", { data: [] }, 200, { kind: "unreadable" }],
  [
    "another status",
    { code: 200, data: [] },
    201,
    { kind: "http", status: 201, path: "/api/security_problem_list" },
  ],
  ["code 1", { code: 1, message: "No." }, 200, { kind: "refused", code: 1, message: "No." }],
  ["code 4001", { code: 4001 }, 200, { kind: "signedOut" }],
])("an answer with %s is taken as what it is", async (_, said, status, outcome) => {
  const { api } = connect(said, { status });
  const told = await api.readQuestions().catch((error: unknown) => (error as CallFailed).error);
  expect(told).toEqual(outcome);
});

test.each([
  ["code -1", { code: -1 }, 200],
  ["another code", { code: 1 }, 200],
  ["no code, and status 401", {}, 401],
])("'Unauthenticated.' with %s is a session that is over", async (_, said, status) => {
  const { api, refused } = connect({ ...said, message: "Unauthenticated." }, { status });
  const told = await outcomeOf(api.createOrder({ ...purchase, network: "TRC20" }));
  expect({ told, refusals: refused.mock.calls.length }).toEqual({ told: { kind: "signedOut" }, refusals: 1 });
});

test("'Unauthenticated.' to a login is a refusal, for no session is over", async () => {
  const { api, refused } = connect({ message: "Unauthenticated." }, { status: 401 });
  expect(await outcomeOf(api.logIn({ account_name: "anna", password: "wrong" }))).toEqual({
    kind: "http",
    status: 401,
    path: "/api/login",
  });
  expect(refused).not.toHaveBeenCalled();
});

test("a session that is over is told once for all that was asked before, and anew for what is asked after", async () => {
  const { api, refused } = connect({ code: 4001 });
  const ask = () => api.readPackages().catch(() => "refused");
  expect(await Promise.all([ask(), ask()])).toEqual(["refused", "refused"]);
  expect(refused.mock.calls.length).toBe(1);
  await Promise.all([ask(), ask()]);
  expect(refused.mock.calls.length).toBe(2);
});

/** Where no wallet can send anything: a letter that the checksum does not know, letter case that it does not know, the other network's. */
const misspelt = [
  ["TRC20", 4, `${address.slice(0, -1)}k`],
  ["ERC20", 2, ethereumAddress.replace("dAC", "DAC")],
  ["ERC20", 2, ethereumAddress.slice(0, -1)],
  ["TRC20", 4, ethereumAddress],
] as const;

test.each(misspelt)("an order on %s (%d) to %s is not taken for one", async (network, _, to) => {
  const { api } = connect({ code: 200, data: { order, payData: { address: to } } });
  const told = await api
    .createOrder({ ...purchase, network })
    .catch((error: unknown) => (error as CallFailed).error);
  expect(told).toEqual({ kind: "unreadable" });
});

test.each([...misspelt, ["ERC20", 2, ethereumAddress]] as const)(
  "what is said to be issued on %s (%d) for %s is believed if its address can be paid to",
  async (network, coin_type, to) => {
    const { api } = connect({ code: 200, data: detail({ coin_type, address: to }) });
    const { issued } = await api.readIssued({ orderId: "A100" });
    const deadline = Date.parse("2026-01-01T00:30:00Z");
    const order = { orderId: "A100", network, amount: "9.99", address: to, deadline };
    expect(issued).toEqual(to === ethereumAddress && network === "ERC20" ? order : null);
  },
);

test("a session that was over before this one began says nothing about this one", async () => {
  const { api, refused } = connect({ code: 4001 }, { token: "token1" });
  vi.stubGlobal("fetch", async () => {
    // While the question is under way.
    openStorage(localStorage).writeText("user_token", "token2");
    return Response.json({ code: 4001 });
  });
  const told = await api.readPackages().catch((error: unknown) => (error as CallFailed).error);
  expect(told).toEqual({ kind: "signedOut" });
  expect(refused.mock.calls.length).toBe(0);
});

test("the card key is an answer by its status alone", async () => {
  expect(await connect({ key: "rzp_key" }).api.readCardKey()).toBe("rzp_key");
  const error = await connect({ key: "rzp_key" }, { status: 500 })
    .api.readCardKey()
    .catch((error: unknown) => (error as CallFailed).error);
  expect(error).toEqual({ kind: "http", status: 500, path: "/api/razorpay/key" });
});

test("a token in any answer is stored", async () => {
  const { api } = connect({ code: 200, data: { token: "token2" } });
  await api.register({ account_name: "anna", password: "secret" });
  expect(stored()).toEqual({ user_token: "token2" });
});

test.each([{}, null, { order: null, payUrl: null }])(
  "an order without a payUrl is refused in the service's words: %j",
  async (data) => {
    const { api } = connect({ code: 200, message: "Sold out.", data });
    const told = await api.createCheckout(purchase).catch((error: unknown) => (error as CallFailed).error);
    expect(told).toEqual({ kind: "refused", code: 200, message: "Sold out." });
  },
);

test("a window is opened for an order that the API does not name", async () => {
  const payUrl = "https://pay.example/1";
  const { api } = connect({ code: 200, data: { order: null, payUrl } });
  expect(await api.createCheckout(purchase)).toMatchObject({ payUrl, orderId: null, amount: "9.99" });
});

test.each([
  { coin_type: "4", paid_amount: null, pack_name: 7, address: null },
  { coin_type: "Tron", paid_amount: "some", pack_name: null, address: 5 },
])("what another API means by our own names does no harm: %j", async (theirs) => {
  const { api } = connect({
    code: 200,
    server_time: "now",
    data: { order_id: "5", status: 1, payment_amount: "9.99", created_at: 1_700_000_000, ...theirs },
  });
  expect(await api.readOrder({ orderId: "5" })).toMatchObject({ status: 1, received: null });
});

test("an order is made where the API tells its time in another way", async () => {
  const { api } = connect({
    code: 200,
    data: {
      order: { order_id: "5", payment_amount: "9.99", created_at: 1_700_000_000 },
      payData: { address },
    },
  });
  const made = await api.createOrder({ offer: monthly, network: "TRC20", key: "key1" });
  expect(made).toMatchObject({ orderId: "5", amount: "9.99", address });
});

test("what was read while another language was chosen is read again in that one", async () => {
  const answering: Answering = { language: "en" };
  const { api, sent } = connect(packagesOf(monthly), answering);
  const answer = fetch;
  vi.stubGlobal("fetch", (...call: Parameters<typeof fetch>) => {
    const answered = answer(...call);
    // While the question is under way.
    answering.language = "zh-CN";
    return answered;
  });
  await api.readPackages();
  expect(sent).toMatchObject([{ spoken: "en" }, { spoken: "zh-CN" }]);
});

const forgotten = new AbortController().signal;

test.each([
  ["while our service answers, is barred", 200, "barred"],
  ["while a proxy answers for our service, is a fault of the network", 502, "network"],
  ["while our service cannot be reached, is a fault of the network", null, "network"],
])("a script that the browser refuses to load, %s, and is asked for anew", async (_, status, kind) => {
  vi.stubGlobal("fetch", async () => {
    if (status === null) throw new TypeError("Failed to fetch");
    return new Response(null, { status });
  });
  const src = "https://card.example/refused.js";
  for (let time = 1; time <= 2; time++) {
    const loading = loadScript("download", src, "Download", forgotten);
    const scripts = document.querySelectorAll(`script[src="${src}"]`);
    expect(scripts.length).toBe(1);
    scripts[0]?.dispatchEvent(new Event("error"));
    expect((await loading.catch((error: CallFailed) => error))?.error).toEqual({ kind });
  }
});

test("a script that loads without what it brings is barred, and is asked for anew", async () => {
  const src = "https://card.example/emptied.js";
  for (let time = 1; time <= 2; time++) {
    const loading = loadScript("download", src, "Download", forgotten);
    const scripts = document.querySelectorAll(`script[src="${src}"]`);
    expect(scripts.length).toBe(1);
    scripts[0]?.dispatchEvent(new Event("load"));
    expect((await loading.catch((error: CallFailed) => error))?.error).toEqual({ kind: "barred" });
  }
});

test("a script that hangs is given up with the screen that waited for it, and asked for anew", async () => {
  const src = "https://card.example/hangs.js";
  const scripts = () => [...document.querySelectorAll(`script[src="${src}"]`)];
  const first = new AbortController();
  void loadScript("download", src, "Download", first.signal);
  expect(scripts().length).toBe(1);
  first.abort();
  expect(scripts()).toEqual([]);
  vi.stubGlobal("Download", vi.fn<() => void>());
  const loading = loadScript("download", src, "Download", forgotten);
  scripts()[0]?.dispatchEvent(new Event("load"));
  await loading;
  expect(scripts().length).toBe(1);
});

test("no script of another kind is let in beside one, not even beside one that was given up", async () => {
  expect(isCrowded("card")).toBe(true);
  const told = await loadScript("card", "https://card.example/script.js", "Card", forgotten).catch(
    (error: unknown) => (error as CallFailed).error,
  );
  expect(told).toEqual({ kind: "unreadable" });
  expect(document.querySelector('script[src="https://card.example/script.js"]')).toBeNull();
});

test("the download script is given its key, asked for all packages once ready, and told 1 for Android and 2 for iOS", async () => {
  const told: unknown[] = [];
  const build = { date: "2026-01-01", url: "https://app.example/a", verison: "1.2" };
  const packages = { android: build, ios: build, mac: build, windows: build };
  vi.stubGlobal(
    "Download",
    class {
      constructor({ appKey, onready }: { appKey: string; onready: () => void }) {
        told.push(appKey);
        queueMicrotask(onready);
      }
      getPackages(which: string) {
        told.push(which);
        return packages;
      }
      wakeupOrInstall(url: string, platform: number) {
        told.push([url, platform]);
      }
    },
  );
  const downloadSdk = { scriptUrl: "https://sdk.example/script.js", global: "Download", appKey: "key1" };
  const reading = readBuilds(Promise.resolve({ ...settings, downloadSdk }), forgotten);
  await Promise.resolve();
  await Promise.resolve();
  document.querySelector(`script[src="${downloadSdk.scriptUrl}"]`)?.dispatchEvent(new Event("load"));
  expect(await reading).toEqual(packages);
  await install({ device: "android", url: "https://app.example/a" });
  await install({ device: "ios", url: "https://app.example/i" });
  expect(told).toEqual(["key1", "all", ["https://app.example/a", 1], ["https://app.example/i", 2]]);
});

/* What cannot be used counts as absent. */

const unsendable = ["令牌", "one two", "one\ntwo", " ", "é", "t".repeat(8_001)];

test.each(unsendable)("a stored token that no header can carry is none: '%s'", async (token) => {
  const { api, sent } = connect({ code: 200, data: { user: { account_name: "Anna" } } }, { token });
  expect(await api.logIn({ account_name: "anna", password: "secret" })).toEqual({ accountName: "Anna" });
  expect(sent).toMatchObject([{ authorization: undefined }]);
});

test.each([...unsendable, "", 7, null, {}])(
  "a token that no header can carry is not stored: %j",
  async (token) => {
    const { api } = connect({ code: 200, data: { token, user: { account_name: "Anna" } } });
    expect(await api.logIn({ account_name: "anna", password: "secret" })).toEqual({ accountName: "Anna" });
    expect(stored()).toEqual({});
  },
);

/* Section 7 as others build it. */

const asked = { orderId: "A100" };
const readable = { order_id: "A100", status: 0, payment_amount: "9.99", created_at: "2026-01-01T00:00:00Z" };

/** Of each list: entries that can be read, entries that cannot, and what the app makes of the former. */
const lists: [
  name: string,
  ask: (api: Api) => Promise<unknown>,
  good: unknown[],
  bad: unknown[],
  read: unknown,
][] = [
  [
    "packages",
    (api) => api.readPackages(),
    [monthly, { ...monthly, id: 2, name: 30, product_id: 7, buy_price: 9.99, price: null, discount: null }],
    [
      null,
      [],
      "Monthly",
      ...[null, "", "free", -1, 1e21, 1e-7, {}].map((buy_price) => ({ ...monthly, buy_price })),
      ...[null, "", 1e21, 0.5].map((id) => ({ ...monthly, id })),
      { ...monthly, product_id: null },
      { ...monthly, name: null },
    ],
    [monthly, { ...monthly, id: "2", name: "30", product_id: "7", price: "", discount: "" }],
  ],
  [
    "methods",
    (api) => api.readMethods(),
    [
      { payment_method: "EbPay", open: 1 },
      { payment_method: "Razorpay", open: "0" },
      { payment_method: "Stripe", open: "1" },
    ],
    [null, "EbPay", { payment_method: null, open: "1" }, { payment_method: "Razorpay", open: null }, []],
    ["EbPay", "Stripe"],
  ],
  [
    "questions",
    (api) => api.readQuestions(),
    ["First pet?", "First school?", "First pet?"],
    [null, "", " ", 7, {}, []],
    ["First pet?", "First school?"],
  ],
  [
    "contacts",
    (api) => api.readContact(),
    [{ contact_url: " https://support.example/ " }, { contact_url: "https://other.example/" }],
    [
      null,
      {},
      { contact_url: null },
      { contact_url: "" },
      { contact_url: "javascript:alert(1)" },
      "https://x",
    ],
    "https://support.example/",
  ],
];
/** Where a list stands in its answer. */
const answerWith = (name: string, list: unknown) => ({
  code: 200,
  data: name === "packages" ? [{}, [], list] : list,
});

test.each(lists)(
  "of a list of %s the unreadable entries are left out",
  async (name, ask, good, bad, read) => {
    const { api } = connect(answerWith(name, [...bad, ...good, ...bad]));
    expect(await ask(api)).toEqual(read);
  },
);

test.each(lists)("a list of %s with gaps is a list, as PHP writes it", async (name, ask, good, _, read) => {
  const gapped = Object.fromEntries(good.map((entry, at) => [2 * at + 1, entry]));
  expect(await ask(connect(answerWith(name, gapped)).api)).toEqual(read);
});

test.each(lists)("a list of %s of which nothing can be read is unreadable", async (name, ask, _, bad) => {
  const told: unknown[] = [];
  for (const list of [bad, null, "", 7, { list: [] }])
    told.push(await outcomeOf(ask(connect(answerWith(name, list)).api)));
  expect(told).toEqual(told.map(() => ({ kind: "unreadable" })));
});

test.each([[[{}, []]], [[]], [null], [{}]])(
  "without a third entry there is no list of packages: %j",
  async (data) => {
    expect(await outcomeOf(connect({ code: 200, data }).api.readPackages())).toEqual({ kind: "unreadable" });
  },
);

test("an empty list of packages is empty", async () => {
  expect(await connect(answerWith("packages", [])).api.readPackages()).toEqual([]);
});

test.each(["9007199254740993", "-9007199254740993", "1e999", "1.5", "1e21"])(
  "an id that JSON carries as the number %s is kept to its last digit, or the answer is unreadable",
  async (number) => {
    const text = (data: object) => JSON.stringify({ code: 200, data }).replaceAll('"@"', number);
    const made = { order: { ...order, order_id: "@" } };
    const offers = [{}, [], [{ ...monthly, id: "@" }, monthly]];
    const told: unknown[] = [];
    for (const ask of [
      () =>
        connect(text({ ...made, payData: { address } })).api.createOrder({ ...purchase, network: "TRC20" }),
      () => connect(text(made)).api.createCardOrder(purchase),
      () => connect(text({ ...made, payUrl: "https://pay.example/" })).api.createCheckout(purchase),
      () => connect(text(detail({ order_id: "@" }))).api.readIssued(asked),
    ])
      told.push(await outcomeOf(ask()));
    const offered = await connect(text(offers)).api.readPackages();
    const isKept = number === "9007199254740993" && isSourceTold();
    expect({
      told: told.map((each) => (each as { orderId?: string }).orderId ?? each),
      offered,
    }).toMatchObject(
      isKept
        ? {
            told: [number, number, number, { issued: { orderId: number } }],
            offered: [{ id: number }, monthly],
          }
        : { told: told.map(() => ({ kind: "unreadable" })), offered: [monthly] },
    );
  },
);

/** Whether this engine tells a reviver of JSON what was written. */
function isSourceTold(): boolean {
  let told = false;
  JSON.parse("1", (_key, _value, context?: { source?: string }) => (told = context?.source === "1"));
  return told;
}

test("an id is refused rather than rounded where the browser does not tell what was written", async () => {
  const { parse } = JSON;
  vi.spyOn(JSON, "parse").mockImplementation((text, reviver) =>
    // As browsers of 2023 and before call it.
    parse(text, reviver && ((key, value: unknown) => reviver.call({}, key, value) as unknown)),
  );
  const text = JSON.stringify({
    code: 200,
    data: { order: { ...order, order_id: "@" }, payData: { address } },
  });
  const { api } = connect(text.replace('"@"', "9007199254740993"));
  expect(await outcomeOf(api.createOrder({ ...purchase, network: "TRC20" }))).toEqual({ kind: "unreadable" });
});

test.each([
  ["19.99", "19.99"],
  ["0.30000000000000004", "0.3"],
  ["19.989999999999998", "19.99"],
  ["1.999e1", "19.99"],
  ["0.000001", "0.000001"],
  ["5", "5"],
  ["1e-7", null],
  ["0", null],
  ["-5", null],
  ["1e21", null],
  ["9007199254740993.5", null],
  ['"1e1"', null],
  ['"9.9999999"', null],
  ['" 9.90 "', "9.90"],
])("an order of the amount %s asks for %s", async (written, amount) => {
  const data = { order: { order_id: "5", payment_amount: "@" }, payData: { address } };
  const { api } = connect(JSON.stringify({ code: 200, data }).replace('"@"', written));
  const made = await outcomeOf(api.createOrder({ ...purchase, network: "TRC20" }));
  expect(made).toMatchObject(amount === null ? { kind: "unreadable" } : { amount });
});

test.each([ethereumAddress, ethereumAddress.toLowerCase(), `0x${ethereumAddress.slice(2).toUpperCase()}`])(
  "an address on Ethereum is shown with its checksum: %s",
  async (to) => {
    const { api } = connect({ code: 200, data: { order, payData: { address: ` ${to} ` } } });
    expect(await api.createOrder({ ...purchase, network: "ERC20" })).toMatchObject({
      address: ethereumAddress,
    });
    const known = connect({ code: 200, data: detail({ coin_type: "2", address: to }) });
    expect((await known.api.readIssued(asked)).issued).toMatchObject({ address: ethereumAddress });
  },
);

const NOW = Date.UTC(2026, 0, 1, 0, 10);
const HALF_AN_HOUR = 30 * 60_000;
test.each([
  ["2026-01-01T00:00:00Z", NOW - 600_000],
  ["2026-01-01 08:00:00+08:00", NOW - 600_000],
  // As if it were not there.
  ["2026-01-01T05:00:00Z", NOW],
  ["2126-01-01T00:00:00Z", NOW],
  ["1970-01-01T00:00:00Z", NOW],
  ["2025-12-30T00:00:00Z", NOW],
  ["2026-01-01 00:00:00", NOW],
  ["01-01-2026", NOW],
  ["soon", NOW],
  ["", NOW],
  [1_767_225_600, NOW],
  [null, NOW],
])("an order made at %j is counted down from no other moment", async (created_at, from) => {
  const { api } = connect({ code: 200, data: { order: { ...order, created_at }, payData: { address } } });
  const { deadline } = await api.createOrder({ ...purchase, network: "TRC20" });
  expect(deadline).toBe(from + HALF_AN_HOUR);
});

test.each([
  // What is over again is shown as it is.
  [
    "an order",
    ["2025-12-31T23:30:00Z", "2025-12-31T23:35:00Z"],
    (api) => api.createOrder({ ...purchase, network: "TRC20", key: "k" }),
  ],
  [
    "a provider's page",
    ["2025-12-28T23:30:00Z", "2026-01-01T00:00:00Z"],
    (api) => api.createCheckout({ ...purchase, key: "k" }),
  ],
] as [string, string[], (api: Api) => Promise<{ orderId: string | null }>][])(
  "%s whose time is over, for its answer was lost, is asked for once more under a key of its own",
  async (_, madeAt, make) => {
    const keys: (string | null)[] = [];
    const { api } = connect({});
    vi.stubGlobal("fetch", async (__: string, { headers }: RequestInit) => {
      keys.push(new Headers(headers).get(IDEMPOTENCY_HEADER));
      const made = { ...order, order_id: `A${keys.length}`, created_at: madeAt[keys.length - 1] };
      const data = { order: made, payData: { address }, payUrl: `https://pay.example/${keys.length}` };
      return Response.json({ code: 200, data });
    });
    expect(await make(api)).toMatchObject({ orderId: "A2" });
    expect(keys).toEqual(["k", "k-A1"]);
  },
);

test.each([
  [address, { network: "TRC20", address }],
  // A wrong letter: the bill shows such an order, and no address.
  [`${address.slice(0, -1)}k`, { network: undefined, address: undefined }],
])("an order of another device is continued at an address that can be paid to: %s", async (to, continued) => {
  const listed = { ...detail({ paid_amount: "4.00", owed_amount: "5.99", address: to }), pack_id: "1" };
  const entry = { ...listed, product_id: "vpn.month", payment_method: "EbPay", surplus_amount: "0.00" };
  const { api } = connect({ code: 200, data: { orders: [entry], next: null } });
  const wanted = { orders: [], accountName: "Anna", ignoredIds: [], key: "k" };
  const earlier = await api.findEarlier(wanted);
  const { network, address: at } = (earlier?.order ?? {}) as Partial<KeptTransfer>;
  expect({ kind: earlier?.kind, network, address: at }).toEqual({ kind: earlier?.kind, ...continued });
  expect(earlier).not.toBeNull();
});

test.each([
  ["2026-01-01T00:00:00Z", NOW - 600_000 + HALF_AN_HOUR],
  ["2025-06-01T00:00:00Z", Date.UTC(2025, 5, 1) + HALF_AN_HOUR],
  ["2026-01-01T05:00:00Z", NOW + HALF_AN_HOUR],
  ["2126-01-01T00:00:00Z", undefined],
  ["1970-01-01T00:00:00Z", undefined],
])("an order that is known to be of %s has no other deadline", async (created_at, deadline) => {
  const { api } = connect({ code: 200, data: detail({ created_at }) });
  expect((await api.readIssued(asked)).issued?.deadline).toBe(deadline);
});

test.each([
  [1, 1],
  ["1", 1],
  [" 9 ", 9],
  ["0", 0],
  [2, 2],
  // Anything that is neither is pending.
  [null, 0],
  [true, 0],
  ["paid", 0],
  ["", 0],
  ["0x1", 0],
  ["1e0", 0],
  [1.5, 0],
  [[1], 0],
])("an order's status of %j is %d", async (status, read) => {
  const { api } = connect({ code: 200, data: { ...readable, status } });
  expect((await api.readOrder(asked)).status).toBe(read);
});

test("an order whose status is not told is pending", async () => {
  const { status, ...untold } = readable;
  const { api } = connect({ code: 200, data: untold });
  expect((await api.readOrder(asked)).status).toBe(status);
});

test.each([
  { code: "200", data: [] },
  { code: 200, message: [], data: [] },
  { code: 200, message: { name: ["Required."] }, data: [], field: null, server_time: "now" },
  { code: 200, message: null, data: {} },
])("an envelope as PHP writes it is one: %j", async (said) => {
  expect(await connect(said).api.readQuestions()).toEqual([]);
});

test("JSON that says that it is a page is read", async () => {
  const { api } = connect(answerWith("packages", [monthly]), { headers: { "Content-Type": "text/html" } });
  expect(await api.readPackages()).toEqual([monthly]);
});

test.each(["", "<html>", "{", "[]", "7"])("what is no envelope is unreadable: '%s'", async (said) => {
  expect(await outcomeOf(connect(said).api.readQuestions())).toEqual({ kind: "unreadable" });
});

test("a member as PHP writes one: numbers for names, nothing for what is missing", async () => {
  const user = { account_name: 13_800_000_000, name: "", sex: "0", birth_date: 0, pack_name: " ", more: [] };
  const { api } = connect({ code: 200, data: { user: { ...user, security_problem: "" } } });
  expect(await api.readMember()).toMatchObject({
    account_name: "13800000000",
    name: null,
    sex: null,
    birth_date: null,
    pack_name: null,
    pack_exp_date: null,
    security_problem: null,
  });
});

test.each([
  [[], null],
  [null, null],
  [{ order_id: 5 }, "5"],
  [{ order_id: "5", payment_amount: "" }, "5"],
])("a window is opened for an order of %j", async (made, orderId) => {
  const { api } = connect({ code: 200, data: { order: made, payUrl: "https://pay.example/1" } });
  expect(await api.createCheckout(purchase)).toMatchObject({ orderId, amount: monthly.buy_price });
});

test.each([null, [], false, 0, ""])("a payUrl of %j is none", async (payUrl) => {
  const { api } = connect({ code: 200, message: "Sold out.", data: { order: null, payUrl } });
  const told = await outcomeOf(api.createCheckout(purchase));
  expect(told).toEqual({ kind: "refused", code: 200, message: "Sold out." });
});
