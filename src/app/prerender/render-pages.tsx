/** Renders the public screens to HTML during the build. Nothing here reaches the browser. Decision 13. */
import { i18n, type MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { createMemoryHistory } from "@tanstack/react-router";
import { prerender } from "react-dom/static";
import { ServerStyleSheet } from "styled-components";
import type { Network } from "../../../machines/issued-order.ts";
import type { KeptTransfer } from "../../../machines/kept-orders.ts";
import { networks } from "../../contract/calls.ts";
import type { Language } from "../../contract/languages.ts";
import { createApp } from "../runtime/create-app.ts";
import type { Dependencies } from "../runtime/dependencies.ts";
import { blankOrder, segmentOf } from "./bootstrap-shared.ts";
import { paymentOf } from "../navigation/destinations.ts";
import { addressOf, routes, type RouteName } from "../navigation/routes.ts";
import { startClock } from "../ports/clock.ts";
import { loadMessages, manifests } from "../ports/language.ts";
import { openStorage, type AppStorage } from "../ports/storage.ts";
import { rootOf } from "../shell/root.tsx";

const accountNeeds = msg`Everlit needs JavaScript to open your account.`;

const NO_ACCOUNT = "member";

/** An order of placeholders. */
const orderOn = (network: Network): KeptTransfer => ({
  ...blankOrder(network),
  deadline: Number.MAX_SAFE_INTEGER,
  accountName: NO_ACCOUNT,
  packId: "0",
  productId: "0",
  packName: "",
});

type PrerenderedName = {
  [Name in RouteName]: (typeof routes)[Name] extends { prerendered: true } ? Name : never;
}[RouteName];

/** What a search engine says of each page, and whether it does nothing without JavaScript. */
const descriptions: Record<PrerenderedName, { description: MessageDescriptor; needsScript: boolean }> = {
  landing: {
    description: msg`Everlit: the VPN that is never offline. Get a membership on your phone and pay in USDT or by card.`,
    needsScript: false,
  },
  login: {
    description: msg`Log in to Everlit to see your membership or finish a payment.`,
    needsScript: true,
  },
  register: {
    description: msg`Create an Everlit account: an account name and a password, no email, no phone number.`,
    needsScript: true,
  },
  agreement: {
    description: msg`The agreement between you and Everlit: what you get, what it costs, and what is not allowed.`,
    needsScript: false,
  },
  recoveryAccount: {
    description: msg`Set a new password for your Everlit account with your security question.`,
    needsScript: true,
  },
  payment: { description: msg`Send the payment for your Everlit membership.`, needsScript: true },
};

type Prerendered = {
  path: string;
  description: MessageDescriptor;
  needsScript: boolean;
  /** The order that the payment page is about. */
  order?: KeptTransfer;
};

const pages: readonly Prerendered[] = (Object.keys(descriptions) as PrerenderedName[]).flatMap<Prerendered>(
  (name) => {
    if (name !== "payment") return [{ path: routes[name].path, ...descriptions[name] }];
    // `bootstrap-payment.ts` fills the placeholders.
    return networks.map((network) => {
      const order = orderOn(network);
      return { path: addressOf(paymentOf(order)), ...descriptions.payment, order };
    });
  },
);

/** The file of the screen that an address opens, by the first part of the address. */
export const screenFiles: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values(routes).map(({ path, screen }) => [segmentOf(path), screen]),
);
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

/** Dependencies of a browser without a user: at most one order is stored, and no request is made. */
const noBrowser = (storage: AppStorage, path: string): Dependencies => ({
  config: never,
  prerender: "build",
  storage: { ...storage, watch: () => () => undefined, watchAll: () => () => undefined },
  clock: startClock(storage),
  connect: () => never,
  onPageVisible: () => () => undefined,
  randomWord: () => "",
  copyText: never,
  loadQr: never,
  loadCardScript: never,
  payByCard: never,
  readBuilds: never,
  install: never,
  openWindow: never,
  setLocale: never,
  history: createMemoryHistory({ initialEntries: [path] }),
});

function storageWith(order?: KeptTransfer): AppStorage {
  const storage = openStorage(null);
  if (!order) return storage;
  storage.writeText("user_name", order.accountName);
  // A placeholder is no valid stored order.
  return { ...storage, readAll: (kind) => (kind === "order" ? [order] : []) };
}

/** The page at `path`, in `language`. One at a time: the messages are global. */
export async function writePage(path: string, language: Language): Promise<Page> {
  const { description, needsScript, order } = pages.find((page) => page.path === path) ?? {};
  if (!description) throw new Error(`There is no page ${path}.`);
  i18n.loadAndActivate({ locale: language, messages: await loadMessages(language) });
  const app = createApp(noBrowser(storageWith(order), path));
  await app.start();
  const sheet = new ServerStyleSheet();
  try {
    // In one piece: React would put larger boundaries in place by a script.
    const { prelude } = await prerender(sheet.collectStyles(rootOf(app)), {
      progressiveChunkSize: Infinity,
    });
    const text = await new Response(prelude).text();
    // What React hoists to the head comes first.
    const [head = ""] = /^(?:<link[^>]*>|<meta[^>]*>|<title>[^<]*<\/title>)*/.exec(text) ?? [];
    const title = /<title>([^<]*)<\/title>/.exec(head)?.[0] ?? "";
    return {
      title: title.replace(/<[^>]*>/g, ""),
      description: i18n._(description),
      manifest: manifests[language],
      notice: needsScript ? i18n._(accountNeeds) : "",
      blank: order !== undefined,
      head: head.replace(title, ""),
      styles: sheet.getStyleTags(),
      body: text.slice(head.length),
    };
  } finally {
    sheet.seal();
  }
}
