/** Renders the screens to HTML during the build. Nothing here reaches the browser. Decision 13. */
import { i18n, type MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { createMemoryHistory } from "@tanstack/react-router";
import { prerender } from "react-dom/static";
import { ServerStyleSheet } from "styled-components";
import type { Offer } from "../../../machines/catalogue.ts";
import type { Network } from "../../../machines/issued-order.ts";
import type { KeptTransfer } from "../../../machines/kept-orders.ts";
import { DAY } from "../../contract/durations.ts";
import { networks, paths } from "../../contract/calls.ts";
import type { Language } from "../../contract/languages.ts";
import { MOST_OFFERS, OFFER_MARK, offerPlaces } from "../../contract/pages.ts";
import { createApp } from "../runtime/create-app.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { blankMembership, blankOffer, blankOrder, MEMBERSHIP_ID, segmentOf } from "./bootstrap-shared.ts";
import { paymentOf } from "../navigation/destinations.ts";
import { addressOf, routes, type Route, type RouteName } from "../navigation/routes.ts";
import type { Prefetched } from "../ports/api-client.ts";
import { startClock } from "../ports/clock.ts";
import { loadMessages, manifests } from "../ports/language.ts";
import { openStorage, type AppStorage } from "../ports/storage.ts";
import { rootOf } from "../shell/root.tsx";

/** Messages that only the pages use, not the app. */
const ownMessages = {
  en: () => import("../../../locales/en/pages.po"),
  "zh-CN": () => import("../../../locales/zh-CN/pages.po"),
};

const accountNeeds = msg`Everlit needs JavaScript to open your account.`;

/** Stands for the user, whose name no page holds: `bootstrap.ts` shows it where there is `data-filled`. */
const ACCOUNT_PLACEHOLDER = "__user__";

/** An order of placeholders. */
const orderOn = (network: Network): KeptTransfer => ({
  ...blankOrder(network),
  deadline: Number.MAX_SAFE_INTEGER,
  accountName: ACCOUNT_PLACEHOLDER,
  packId: "0",
  productId: "0",
  packName: "",
});

/** A chosen package of placeholders. */
const chosen: Offer = {
  id: "0",
  name: blankOffer.name,
  product_id: "0",
  price: "",
  buy_price: blankOffer.price,
  day_price: "",
  discount: "",
};

/** As many packages of placeholders as a page may hold. */
const placeholders = (discount: string): readonly Offer[] =>
  Array.from({ length: MOST_OFFERS }, (_, at) => ({
    id: String(at),
    name: offerPlaces.name,
    product_id: `${offerPlaces.productId}${at}`,
    price: offerPlaces.price,
    buy_price: offerPlaces.buyPrice,
    day_price: offerPlaces.dayPrice,
    discount,
  }));

/**
 * How the app takes the page over. "hydrate": as it is. "replace": the page stays until the app has rendered its screen.
 * "fill": hidden until `bootstrap-frame.ts` or `bootstrap-payment.ts` has filled it, and then as "replace".
 */
export type Takeover = "hydrate" | "replace" | "fill";

interface Prerendered {
  takeover: Takeover;
  /** The description for search engines; by default the landing page's. */
  description?: MessageDescriptor;
  /** The page is complete without JavaScript. */
  needsNoScript?: true;
  /** The values in its address. */
  params?: Readonly<Record<string, string>>;
  /** It shows the packages on sale. */
  hasPackages?: true;
  /** It shows what this browser last knew of the membership. */
  hasMembership?: true;
}

/** Each route's page; null for one that shares another's. Nothing in a page belongs to one person. */
const pagesOf: Record<RouteName, Prerendered | null> = {
  landing: {
    takeover: "hydrate",
    description: msg`Everlit: the VPN that is never offline. Get a membership on your phone and pay in USDT or by card.`,
    needsNoScript: true,
  },
  login: {
    takeover: "hydrate",
    description: msg`Log in to Everlit to see your membership or finish a payment.`,
  },
  register: {
    takeover: "hydrate",
    description: msg`Create an Everlit account: an account name and a password, no email, no phone number.`,
  },
  registerSuccess: { takeover: "replace", needsNoScript: true },
  agreement: {
    takeover: "hydrate",
    description: msg`The agreement between you and Everlit: what you get, what it costs, and what is not allowed.`,
    needsNoScript: true,
  },
  account: { takeover: "replace", hasPackages: true, hasMembership: true },
  orders: { takeover: "replace" },
  profile: { takeover: "replace" },
  changePassword: { takeover: "replace" },
  securityQuestion: { takeover: "replace" },
  sessions: { takeover: "replace" },
  deleteAccount: { takeover: "replace" },
  recoveryAccount: {
    takeover: "hydrate",
    description: msg`Set a new password for your Everlit account with your security question.`,
  },
  recoveryPassword: { takeover: "replace", params: { userName: ACCOUNT_PLACEHOLDER } },
  recoveryQuestion: null,
  settings: { takeover: "replace" },
  packages: {
    takeover: "replace",
    description: msg`Membership packages of Everlit, with their prices. Pay in USDT or by card.`,
    hasPackages: true,
  },
  onePackage: null,
  payUsdt: { takeover: "fill", params: { id: chosen.product_id } },
  cardPayment: { takeover: "fill" },
  payment: { takeover: "fill", description: msg`Send the payment for your Everlit membership.` },
  bill: {
    takeover: "replace",
    params: { order_id: "0", pay_status: "0", pay_price: "0", pay_time: "-" },
  },
  receipt: { takeover: "replace", params: { order_id: "0" } },
};

type WrittenPage = Prerendered & {
  path: string;
  route: Route;
  /** The order that the payment page is about. */
  order?: KeptTransfer;
};

const pages: readonly WrittenPage[] = (Object.keys(pagesOf) as RouteName[]).flatMap<WrittenPage>((name) => {
  const page = pagesOf[name];
  const route: Route = routes[name];
  if (!page) return [];
  if (name !== "payment") {
    const path = addressOf({ to: name, ...(page.params && { params: page.params }) });
    return [{ ...page, path, route }];
  }
  // `bootstrap-payment.ts` fills the placeholders.
  return networks.map((network) => {
    const order = orderOn(network);
    return { ...page, path: addressOf(paymentOf(order)), route, order };
  });
});

/** The paths of a screen's first calls at the API, for those without a body. */
const callsOf: Readonly<Partial<Record<Prefetched[0], string>>> = {
  readPackages: paths.packages,
  readMember: paths.centre,
  readSessions: paths.sessions,
};

/** The file of the screen that an address opens, by the first part of the address. */
export const screenFiles: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values(routes).map(({ path, screen }) => [segmentOf(path), screen]),
);
export const addresses = pages.map(({ path }) => path);

export type Page = {
  title: string;
  description: string;
  manifest: string;
  /** Shown where there is no JavaScript; "" where nothing is missed. */
  notice: string;
  takeover: Takeover;
  /** Its inline script: a file of this folder. */
  bootstrap: string;
  /** Only for the signed-in. */
  membersOnly: boolean;
  /** The calls that its screen begins with. */
  calls: readonly string[];
  /** What belongs into the page's head besides its title. */
  head: string;
  /** The style sheet of this page alone, in its own elements. */
  styles: string;
  body: string;
};

const bootstrapOf = ({ takeover, order, hasMembership }: WrittenPage): string => {
  if (takeover === "hydrate") return "bootstrap.ts";
  if (order) return "bootstrap-payment.ts";
  return hasMembership ? "bootstrap-account.ts" : "bootstrap-frame.ts";
};

const never = () => new Promise<never>(() => {});

/** Dependencies of a browser without a user: at most one order is stored, and no request is made. */
const noBrowser = (storage: AppStorage, path: string, offers: readonly Offer[]): Dependencies => ({
  config: never,
  prerender: "build",
  offers,
  storage: { ...storage, watch: () => () => undefined, watchAll: () => () => undefined },
  clock: startClock(storage),
  connect: () => never,
  onPageVisible: () => () => undefined,
  randomWord: () => "",
  copyText: never,
  loadQr: never,
  savePicture: never,
  print: never,
  loadCardScript: never,
  payByCard: never,
  readBuilds: never,
  install: never,
  openWindow: never,
  setLocale: never,
  history: createMemoryHistory({ initialEntries: [path] }),
});

/** @param isRemembered whether a membership of placeholders was last known */
function storageFor({ membersOnly }: Route, order?: KeptTransfer, isRemembered = false): AppStorage {
  const storage = openStorage(null);
  if (isRemembered) {
    const ends = Date.now() + DAY;
    storage.writeJson("membership", { accountName: ACCOUNT_PLACEHOLDER, ...blankMembership, ends });
  }
  if (membersOnly) storage.writeText("user_name", ACCOUNT_PLACEHOLDER);
  storage.writeJson("selectedItem", chosen);
  // A placeholder is no valid stored order.
  return { ...storage, readAll: (kind) => (order && kind === "order" ? [order] : []) };
}

/** The user's name where it is shown by a style, and in fields that are for password managers alone. */
const nameless = (body: string) =>
  body.replaceAll(`>${ACCOUNT_PLACEHOLDER}<`, "><").replaceAll(/ (?:value|title)="__user__"/g, "");

/** The member's card. */
const memberCard = /<section(?:(?!<\/section>).)*data-filled="name".*?<\/section>/s;

/** The body with the last known membership's card in a template beside its own card. */
function withMembership(body: string, remembered: string): string {
  const [card] = memberCard.exec(remembered) ?? [];
  if (card === undefined || !memberCard.test(body)) throw new Error("The member's card is no longer there.");
  return body.replace(memberCard, (own) => `${own}<template id="${MEMBERSHIP_ID}">${card}</template>`);
}

/**
 * The page at `path`, in `language`. One at a time: the messages are global.
 * @param offers the packages on it
 */
async function drawPage(path: string, language: Language, offers: readonly Offer[]): Promise<Page> {
  const page = pages.find((each) => each.path === path);
  if (!page) throw new Error(`There is no page ${path}.`);
  const { takeover, description, needsNoScript, route, order, hasMembership } = page;
  const [own, messages] = await Promise.all([ownMessages[language](), loadMessages(language)]);
  i18n.loadAndActivate({ locale: language, messages: { ...messages, ...own.messages } });
  const storage = storageFor(route, order);
  const sheet = new ServerStyleSheet();
  const draw = async (kept: AppStorage) => {
    const app = createApp(noBrowser(kept, path, offers));
    await app.start();
    // In one piece: React would put larger boundaries in place by a script.
    const { prelude } = await prerender(sheet.collectStyles(rootOf(app)), {
      progressiveChunkSize: Infinity,
    });
    return new Response(prelude).text();
  };
  try {
    const drawn = await draw(storage);
    const text = hasMembership ? withMembership(drawn, await draw(storageFor(route, order, true))) : drawn;
    // What React hoists to the head comes first.
    const [head = ""] = /^(?:<link[^>]*>|<meta[^>]*>|<title>[^<]*<\/title>)*/.exec(text) ?? [];
    const title = /<title>([^<]*)<\/title>/.exec(head)?.[0] ?? "";
    const body = takeover === "hydrate" ? text.slice(head.length) : nameless(text.slice(head.length));
    if (body.includes(ACCOUNT_PLACEHOLDER))
      throw new Error(`The page of ${path} has a place for a name that nothing fills.`);
    const prefetched = route.prefetch?.({ params: page.params ?? {}, storage }) ?? [];
    return {
      title: title.replace(/<[^>]*>/g, ""),
      description: i18n._(description ?? (pagesOf.landing?.description as MessageDescriptor)),
      manifest: manifests[language],
      notice: needsNoScript ? "" : i18n._(accountNeeds),
      takeover,
      bootstrap: bootstrapOf(page),
      membersOnly: route.membersOnly ?? false,
      calls: prefetched.flatMap(([name]) => callsOf[name] ?? []),
      head: head.replace(title, ""),
      styles: sheet.getStyleTags(),
      body,
    };
  } finally {
    sheet.seal();
  }
}

/** Where a package begins. */
const offerStart = /<\w+[^>]* data-offer="">/g;

/** The markup of each package, and what stands before and after them. */
function offersIn(body: string): { before: string; offers: readonly string[]; after: string } {
  const starts = Array.from(body.matchAll(offerStart), ({ index }) => index);
  const [first = 0] = starts;
  const [twoBefore = 0, oneBefore = 0, last = 0] = starts.slice(-3);
  // The last package is as long as the last but two: what differs between neighbours alternates.
  const end = last + oneBefore - twoBefore;
  const after = body.slice(end);
  if (starts.length !== MOST_OFFERS || !/^<\/(?:div|ul)>/.test(after))
    throw new Error("The packages are no longer elements beside each other.");
  const offers = starts.map((start, at) =>
    body.slice(start, starts[at + 1] ?? end).replace(/(__product_id__)\d+/, "$1"),
  );
  return { before: body.slice(0, first), offers, after };
}

/**
 * The page at `path` in `language`, and the same with places for the packages on sale if it shows them: between marks,
 * each of them with a discount, then each of them without one.
 */
export async function writePage(
  path: string,
  language: Language,
): Promise<{ page: Page; stocked: Page | null }> {
  const page = await drawPage(path, language, []);
  if (!pages.some((each) => each.path === path && each.hasPackages)) return { page, stocked: null };
  const stocked = await drawPage(path, language, placeholders(offerPlaces.percent));
  const plain = offersIn((await drawPage(path, language, placeholders(""))).body);
  const { before, offers, after } = offersIn(stocked.body);
  if (before !== plain.before || after !== plain.after)
    throw new Error("A package without a discount changes what stands around it.");
  return {
    page,
    stocked: { ...stocked, body: [before, ...offers, ...plain.offers, after].join(OFFER_MARK) },
  };
}
