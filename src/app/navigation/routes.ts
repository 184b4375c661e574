/** The route table: every address of the app with its title, screen, guard and prefetch. Specification, section 2. */
import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { SnapshotFrom } from "xstate";
import { paymentBeforeNext, type pendingOrdersMachine } from "../../../machines/pending-orders.ts";
import type { recoveryMachine } from "../../../machines/recovery.ts";
import type { Words } from "../../../machines/notifications.ts";
import { CARD_SCREEN } from "../../contract/pages.ts";
import type { Catalogue } from "../ports/language.ts";
import type { Prefetched } from "../ports/api-client.ts";
import type { ScriptKind } from "../ports/scripts.ts";
import type { AppStorage } from "../ports/storage.ts";
import { billOf } from "./destinations.ts";
import { earlierFirst } from "../messages/error-messages.ts";

/** What a guard may look at. */
export type GuardContext = {
  /** The parameters of the address that is entered. */
  params: Readonly<Record<string, string>>;
  /** The screen is already open and its guards are asked again. */
  stays: boolean;
  /** Its view stays too (same address and account), so its chart keeps its input. */
  viewStays: boolean;
  /** The account that is signed in; null for a visitor. */
  userName: string | null;
  pendingOrders: SnapshotFrom<typeof pendingOrdersMachine>;
  recovery: SnapshotFrom<typeof recoveryMachine> | undefined;
  storage: Pick<AppStorage, "readJson" | "readAll">;
};

/** Where a guard sends the user instead, and what it tells them. */
type Redirect = { to: string; params?: Readonly<Record<string, string>>; toast?: Words };

export type Route = {
  path: string;
  title: MessageDescriptor;
  /** The file in `screens/`; its default export is the screen. */
  screen: string;
  /** The catalogue with the screen's messages; by default that of all screens but the landing page. */
  catalogue?: Catalogue;
  /** Needs authentication (the auth guard): a visitor is led to the login. */
  membersOnly?: true;
  guard?: (context: GuardContext) => Redirect | null;
  /** The screen's first calls, which begin while its code loads. */
  prefetch?: (context: Pick<GuardContext, "params" | "storage">) => readonly Prefetched[];
  /** Its view is dropped when it is left, with all that was typed. */
  cached?: false;
  /** The kind of third-party script that the screen loads: it stands in a document without the other kind. Decisions, "Card data". */
  script?: ScriptKind;
};

/** The screens by subject; the names in the addresses are the specification's. */
export const routes = {
  landing: {
    path: "/home",
    title: msg`Never-offline VPN`,
    screen: "landing",
    catalogue: "messages",
    script: "download",
  },
  login: {
    path: "/login",
    title: msg`Log in`,
    screen: "login",
    // The user has logged in, in another tab.
    guard: ({ stays, userName }) => (stays && userName !== null ? { to: "landing" } : null),
  },
  register: { path: "/register", title: msg`Create an account`, screen: "register" },
  registerSuccess: { path: "/registerSuccess", title: msg`Account created`, screen: "register-success" },
  agreement: {
    path: "/service",
    title: msg`User service agreement`,
    screen: "agreement",
    catalogue: "agreement",
  },
  account: {
    path: "/personal_info",
    title: msg`Personal center`,
    screen: "account",
    membersOnly: true,
    prefetch: () => [["readMember"], ["readPackages"]],
  },
  orders: {
    path: "/orders",
    title: msg`My orders`,
    screen: "orders",
    membersOnly: true,
    prefetch: () => [["readOrders", { cursor: null }]],
  },
  profile: {
    path: "/personalInformation",
    title: msg`Personal Information`,
    screen: "profile",
    membersOnly: true,
    prefetch: () => [["readMember"]],
    cached: false,
  },
  changePassword: {
    path: "/changePassword",
    title: msg`Change Password`,
    screen: "change-password",
    membersOnly: true,
    cached: false,
  },
  securityQuestion: {
    path: "/modifyPassword",
    title: msg`Security question`,
    screen: "security-question",
    membersOnly: true,
    prefetch: () => [["readMember"]],
    cached: false,
  },
  sessions: {
    path: "/sessions",
    title: msg`Logged-in devices`,
    screen: "sessions",
    membersOnly: true,
    prefetch: () => [["readSessions"]],
    cached: false,
  },
  deleteAccount: {
    path: "/deleteAccount",
    title: msg`Delete my account`,
    screen: "delete-account",
    membersOnly: true,
    cached: false,
  },
  recoveryAccount: {
    path: "/forgetPasswordUserName",
    title: msg`Forgot password`,
    screen: "recovery-account",
  },
  recoveryPassword: {
    path: "/forgetPasswordInfo/$userName",
    title: msg`New password`,
    screen: "recovery-password",
    cached: false,
  },
  recoveryQuestion: {
    path: "/forgetPassword/$password/$userName",
    title: msg`Security question`,
    screen: "recovery-question",
    cached: false,
    // The first parameter is a handle. Anything else, a real password in an old link included, leaves the history at once.
    guard: ({ recovery, params: { password, userName = "" } }) => {
      const kept = recovery?.context.kept;
      return kept?.handle === password && kept?.account_name === userName
        ? null
        : { to: "recoveryPassword", params: { userName } };
    },
  },
  settings: { path: "/setting", title: msg`Settings`, screen: "settings", membersOnly: true },
  packages: {
    path: "/buy",
    title: msg`Choose a package`,
    screen: "packages",
    prefetch: () => [["readPackages"]],
  },
  onePackage: {
    path: "/buy/$name",
    title: msg`Choose a package`,
    screen: "packages",
    prefetch: () => [["readPackages"]],
  },
  payUsdt: {
    path: "/pay/$id",
    title: msg`Pay`,
    screen: "pay-usdt",
    cached: false,
    guard: ({ storage, params, viewStays }) =>
      viewStays || storage.readJson("selectedItem")?.product_id === params["id"] ? null : { to: "packages" },
  },
  cardPayment: {
    path: CARD_SCREEN,
    title: msg`Payment details`,
    screen: "card-payment",
    membersOnly: true,
    cached: false,
    script: "card",
    guard: ({ pendingOrders, userName, storage, stays, viewStays }) => {
      // On the open screen its own chart asks.
      const open = stays ? null : paymentBeforeNext(pendingOrders, userName);
      if (open) return { ...billOf(open), toast: earlierFirst };
      // Nothing is chosen, or it is paid for by now.
      return viewStays || storage.readJson("selectedItem") ? null : { to: "account" };
    },
  },
  payment: {
    path: "/payDetail/$pack_id/$product_id/$pay_type/$pay_price/$pay_address/$pay_order_id",
    title: msg`Send the payment`,
    screen: "payment",
    membersOnly: true,
    cached: false,
    // The screen of an order that this browser kept shows it without a call.
    prefetch: ({ storage, params: { pay_order_id: orderId = "" } }) =>
      storage.readAll("order").some((order) => order.orderId === orderId)
        ? []
        : [["readIssued", { orderId }]],
  },
  bill: {
    path: "/billDetail/$order_id/$pay_status/$pay_price/$pay_time",
    title: msg`Your bill`,
    screen: "bill",
    membersOnly: true,
    cached: false,
    prefetch: ({ params: { order_id: orderId = "" } }) => [["readOrder", { orderId }]],
  },
  receipt: {
    path: "/receipt/$order_id",
    title: msg`Receipt`,
    screen: "receipt",
    membersOnly: true,
    cached: false,
    prefetch: ({ params: { order_id: orderId = "" } }) => [["readOrder", { orderId }]],
  },
} as const satisfies Record<string, Route>;

export type RouteName = keyof typeof routes;

/** Addresses without a screen of their own, and where they lead. */
export const redirects = { "/": "landing", "/pay": "packages" } as const satisfies Record<string, RouteName>;

const entries: Readonly<Record<string, Route>> = routes;

/** The entry of a route; undefined for an address that leads nowhere. */
export const routeOf = (name: string): Route | undefined =>
  Object.hasOwn(entries, name) ? entries[name] : undefined;

type ParamsIn<Path extends string> = Path extends `${string}$${infer Name}/${infer Rest}`
  ? Name | ParamsIn<Rest>
  : Path extends `${string}$${infer Name}`
    ? Name
    : never;

/** A screen and the parameters of its address. */
export type Destination = {
  [Name in RouteName]: [ParamsIn<(typeof routes)[Name]["path"]>] extends [never]
    ? { to: Name }
    : { to: Name; params: Record<ParamsIn<(typeof routes)[Name]["path"]>, string> };
}[RouteName];

/** Lone surrogates are removed, because `encodeURIComponent` throws on them. */
const wellFormed = (text: string) => text.replace(/[\ud800-\udfff]/gu, "\ufffd");

/** The address of a destination, as a link shows it. */
export const addressOf = ({
  to,
  params = {},
}: {
  to: RouteName;
  params?: Readonly<Record<string, string>>;
}) =>
  routes[to].path.replaceAll(/\$(\w+)/g, (_, name: string) =>
    encodeURIComponent(wellFormed(params[name] ?? "")),
  );
