/** Writes the screens that anybody may open as pages, while the site is built. Nothing here reaches the browser. Decision 13. */
import { i18n, type MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { createMemoryHistory } from "@tanstack/react-router";
import { prerender } from "react-dom/static";
import { ServerStyleSheet } from "styled-components";
import type { Network } from "../../machines/purchase.ts";
import type { KeptTransfer } from "../../machines/kept-orders.ts";
import { networks } from "../contract/calls.ts";
import type { Language } from "../contract/languages.ts";
import { compose } from "./compose.ts";
import type { Outside } from "./outside.ts";
import { blankOrder } from "./early-words.ts";
import { addressOf, paymentPlace } from "./places.ts";
import type { Api } from "./ports/api.ts";
import { startClock } from "./ports/clock.ts";
import { learn, manifests } from "./ports/language.ts";
import { openStorage, type AppStorage } from "./ports/storage.ts";
import { createAppRouter, visitHere } from "./routes.ts";
import { wholeOf } from "./whole.tsx";

const accountNeeds = msg`Everlit needs JavaScript to open your account.`;

const NOBODY = "nobody";

/** An order with blanks for all that is its own. */
const orderOn = (network: Network): KeptTransfer => ({
  ...blankOrder(network),
  deadline: Number.MAX_SAFE_INTEGER,
  accountName: NOBODY,
  packId: "0",
  productId: "0",
  packName: "",
});

type Written = {
  path: string;
  /** What a search engine says of it. */
  description: MessageDescriptor;
  /** What it says where nothing can bring it to life. */
  notice: MessageDescriptor | null;
  /** The order that it is about. */
  order?: KeptTransfer;
};

const pages: readonly Written[] = [
  {
    path: "/home",
    description: msg`Everlit: the VPN that is never offline. Get a membership on your phone and pay in USDT or by card.`,
    notice: null,
  },
  {
    path: "/login",
    description: msg`Log in to Everlit to see your membership or finish a payment.`,
    notice: accountNeeds,
  },
  {
    path: "/register",
    description: msg`Create an Everlit account: an account name and a password, no email, no phone number.`,
    notice: accountNeeds,
  },
  {
    path: "/service",
    description: msg`The agreement between you and Everlit: what you get, what it costs, and what is not allowed.`,
    notice: null,
  },
  {
    path: "/forgetPasswordUserName",
    description: msg`Set a new password for your Everlit account with your security question.`,
    notice: accountNeeds,
  },
  // `early-payment.ts` fills the blanks.
  ...networks.map((network) => ({
    path: addressOf(paymentPlace(orderOn(network))),
    description: msg`Send the payment for your Everlit membership.`,
    notice: accountNeeds,
    order: orderOn(network),
  })),
];
export const paths = pages.map(({ path }) => path);

export type Page = {
  title: string;
  description: string;
  manifest: string;
  /** Shown where there is no JavaScript; "" where nothing is missed. */
  notice: string;
  /** Whether it has blanks, and is not to be seen before they are filled. */
  blank: boolean;
  /** What belongs into the page's head besides its title. */
  head: string;
  /** The style sheet of this page alone, in its own elements. */
  styles: string;
  body: string;
};

const never = () => new Promise<never>(() => {});

/** A browser of nobody: it keeps at most an order, nothing comes in, and nothing goes out. */
const nowhere = (storage: AppStorage): Outside => ({
  config: never,
  page: "ahead",
  storage: { ...storage, watch: () => () => undefined },
  clock: startClock(storage),
  connect: () => new Proxy({} as Api, { get: () => never }),
  randomWord: () => "",
  copyText: never,
  loadQr: never,
  loadCardScript: never,
  payByCard: never,
  readBuilds: never,
  install: never,
  openWindow: never,
  speak: never,
  fetchTravel: never,
  openDocument: () => undefined,
});

function storageWith(order?: KeptTransfer): AppStorage {
  const storage = openStorage(null);
  if (!order) return storage;
  storage.writeText("user_name", order.accountName);
  storage.writeJson("orders", [order]);
  return storage;
}

/** What stands at `path`, in `language`. One at a time: the words are the whole module's. */
export async function writePage(path: string, language: Language): Promise<Page> {
  const { description, notice = null, order } = pages.find((page) => page.path === path) ?? {};
  if (!description) throw new Error(`There is no page ${path}.`);
  i18n.loadAndActivate({ locale: language, messages: await learn(language) });
  const app = compose(nowhere(storageWith(order)));
  const router = createAppRouter(app, createMemoryHistory({ initialEntries: [path] }));
  await router.load();
  const visit = visitHere(router, app);
  if (visit) app.progress.send({ type: "page.opened", visit });
  const sheet = new ServerStyleSheet();
  try {
    // Whole, however large: what comes in pieces is put in its place by a script of React's own.
    const { prelude } = await prerender(sheet.collectStyles(wholeOf(app)), {
      progressiveChunkSize: Infinity,
    });
    const text = await new Response(prelude).text();
    // What React wants in the head comes first.
    const [head = ""] = /^(?:<link[^>]*>|<meta[^>]*>|<title>[^<]*<\/title>)*/.exec(text) ?? [];
    const title = /<title>([^<]*)<\/title>/.exec(head)?.[0] ?? "";
    return {
      title: title.replace(/<[^>]*>/g, ""),
      description: i18n._(description),
      manifest: manifests[language],
      notice: notice === null ? "" : i18n._(notice),
      blank: order !== undefined,
      head: head.replace(title, ""),
      styles: sheet.getStyleTags(),
      body: text.slice(head.length),
    };
  } finally {
    sheet.seal();
  }
}
