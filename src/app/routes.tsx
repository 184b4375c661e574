/** Every route with its title, its guard and its lazy view: one map that shows the whole app. Specification, section 2. */
import { msg } from "@lingui/core/macro";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  type RouterHistory,
} from "@tanstack/react-router";
import { flushSync } from "react-dom";
import { CallFailed } from "../../machines/failure.ts";
import { openPaymentOf } from "../../machines/kept-orders.ts";
import type { Words } from "../../machines/notice.ts";
import type { Visit } from "../../machines/progress.ts";
import type { App } from "./compose.ts";
import type { Foreseen } from "./ports/foresight.ts";
import { learnMore, type Catalogue } from "./ports/language.ts";
import { isReachable } from "./ports/page.ts";
import { isCrowded, openAfresh, type ScriptKind } from "./ports/scripts.ts";
import { turnPage } from "./ports/turning.ts";
import { billPlace } from "./places.ts";
import { Lost } from "./views/lost.tsx";
import { Shell } from "./views/shell.tsx";
import { pleaseLogIn, signedOutElsewhere } from "./wording.ts";

declare module "@tanstack/react-router" {
  interface StaticDataRouteOption {
    title?: Words;
    /** The view is thrown away when it is left. */
    noCache?: true;
  }
  interface HistoryState {
    /** It stands in the stead of a step that was left by its arrow. */
    returns?: boolean;
  }
  interface Register {
    router: AppRouter;
  }
}

const root = createRootRouteWithContext<{ app: App }>()({ component: Shell, notFoundComponent: Lost });

type Entering = {
  context: { app: App };
  preload: boolean;
  cause: "preload" | "enter" | "stay";
};

/**
 * A screen that brings somebody's script stands in a document without anybody else's. Where storage is forbidden, who is
 * signed in lives in the document alone: then the download's script is not loaded at all. Decisions, "Card data".
 */
const apart =
  (kind: ScriptKind) =>
  async ({ context: { app }, preload }: Entering) => {
    if (!preload && app.storage.lasts && isCrowded(kind)) await openAfresh();
  };

/**
 * The first call of a screen sets out with its code. A kept one asks anew as well: what it shows may be old. One that
 * stays (a way back that closed a sheet leads here, too) asks nothing: nobody would take the answer while it is new.
 */
const asks = ({ context: { app }, cause }: Entering, ...calls: readonly Foreseen[]) => {
  if (cause === "enter") for (const call of calls) app.foresee(...call);
};

/** Only for the signed-in; everybody else is told, and sent to the login page. */
const membersOnly = (entering: Entering, ...calls: readonly Foreseen[]) => {
  const {
    context: { app },
    preload,
  } = entering;
  if (app.session.getSnapshot().matches("signedIn")) return asks(entering, ...calls);
  if (!preload)
    app.say(app.session.getSnapshot().matches({ signedOut: "elsewhere" }) ? signedOutElsewhere : pleaseLogIn);
  throw redirect({ to: "/login", replace: true });
};

/**
 * A screen and its words, both on their way at once. For a file that is missing the router loads the page anew, for
 * a newer build may have taken its place; without a network that would leave the person with nobody's page.
 */
function screen<T extends Record<string, unknown>, N extends keyof T & string>(
  load: () => Promise<T>,
  name: N,
  words: Catalogue = "screens",
) {
  return lazyRouteComponent(async () => {
    try {
      const [view] = await Promise.all([load(), learnMore(words)]);
      return view;
    } catch (error) {
      if (await isReachable()) throw error;
      throw new CallFailed({ kind: "network" });
    }
  }, name);
}

const front = createRoute({
  getParentRoute: () => root,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/home", replace: true });
  },
});

const home = createRoute({
  getParentRoute: () => root,
  path: "/home",
  beforeLoad: apart("download"),
  staticData: { title: msg`Never-offline VPN` },
  component: screen(() => import("./views/home.tsx"), "Home", "messages"),
});

const login = createRoute({
  getParentRoute: () => root,
  path: "/login",
  beforeLoad: ({ cause, context: { app } }) => {
    // Somebody has logged in in another tab meanwhile.
    if (cause === "stay" && app.session.getSnapshot().matches("signedIn"))
      throw redirect({ to: "/home", replace: true });
  },
  staticData: { title: msg`Log in` },
  component: screen(() => import("./views/login.tsx"), "Login"),
});

const register = createRoute({
  getParentRoute: () => root,
  path: "/register",
  staticData: { title: msg`Create an account` },
  component: screen(() => import("./views/register.tsx"), "Register"),
});

const registerSuccess = createRoute({
  getParentRoute: () => root,
  path: "/registerSuccess",
  staticData: { title: msg`Account created` },
  component: screen(() => import("./views/register-success.tsx"), "RegisterSuccess"),
});

const service = createRoute({
  getParentRoute: () => root,
  path: "/service",
  staticData: { title: msg`User service agreement` },
  component: screen(() => import("./views/service.tsx"), "Service", "agreement"),
});

const personalInfo = createRoute({
  getParentRoute: () => root,
  path: "/personal_info",
  beforeLoad: (entering) => membersOnly(entering, ["readMember"], ["readPackages"]),
  staticData: { title: msg`Personal center` },
  component: screen(() => import("./views/personal-info.tsx"), "PersonalInfo"),
});

const personalInformation = createRoute({
  getParentRoute: () => root,
  path: "/personalInformation",
  beforeLoad: (entering) => membersOnly(entering, ["readMember"]),
  staticData: { title: msg`Personal Information`, noCache: true },
  component: screen(() => import("./views/personal-information.tsx"), "PersonalInformation"),
});

const changePassword = createRoute({
  getParentRoute: () => root,
  path: "/changePassword",
  beforeLoad: (entering) => membersOnly(entering),
  staticData: { title: msg`Change Password`, noCache: true },
  component: screen(() => import("./views/change-password.tsx"), "ChangePassword"),
});

const modifyPassword = createRoute({
  getParentRoute: () => root,
  path: "/modifyPassword",
  beforeLoad: (entering) => membersOnly(entering, ["readMember"]),
  staticData: { title: msg`Security question`, noCache: true },
  component: screen(() => import("./views/modify-password.tsx"), "ModifyPassword"),
});

const forgetPasswordUserName = createRoute({
  getParentRoute: () => root,
  path: "/forgetPasswordUserName",
  staticData: { title: msg`Forgot password` },
  component: screen(() => import("./views/forget-password-user-name.tsx"), "ForgetPasswordUserName"),
});

const forgetPasswordInfo = createRoute({
  getParentRoute: () => root,
  path: "/forgetPasswordInfo/$userName",
  staticData: { title: msg`New password`, noCache: true },
  component: screen(() => import("./views/forget-password-info.tsx"), "ForgetPasswordInfo"),
});

const forgetPassword = createRoute({
  getParentRoute: () => root,
  path: "/forgetPassword/$password/$userName",
  // The first segment is a handle. Anything else, a real password in an old link included, leaves the history at once.
  beforeLoad: ({ context: { app }, params: { password, userName } }) => {
    const kept = app.outliving.recovery?.getSnapshot().context.kept;
    if (kept?.handle !== password || kept.account_name !== userName) {
      throw redirect({ to: "/forgetPasswordInfo/$userName", params: { userName }, replace: true });
    }
  },
  staticData: { title: msg`Security question`, noCache: true },
  component: screen(() => import("./views/forget-password.tsx"), "ForgetPassword"),
});

const setting = createRoute({
  getParentRoute: () => root,
  path: "/setting",
  beforeLoad: (entering) => membersOnly(entering),
  staticData: { title: msg`Settings` },
  component: screen(() => import("./views/setting.tsx"), "Setting"),
});

const buyView = screen(() => import("./views/buy.tsx"), "Buy");
const buy = createRoute({
  getParentRoute: () => root,
  path: "/buy",
  beforeLoad: (entering) => asks(entering, ["readPackages"]),
  staticData: { title: msg`Choose a package` },
  component: buyView,
});
const buyProduct = createRoute({
  getParentRoute: () => root,
  path: "/buy/$name",
  beforeLoad: (entering) => asks(entering, ["readPackages"]),
  staticData: { title: msg`Choose a package` },
  component: buyView,
});

const payNothing = createRoute({
  getParentRoute: () => root,
  path: "/pay",
  beforeLoad: () => {
    throw redirect({ to: "/buy", replace: true });
  },
});

const pay = createRoute({
  getParentRoute: () => root,
  path: "/pay/$id",
  beforeLoad: ({ context: { app }, params: { id } }) => {
    if (app.storage.readJson("selectedItem")?.product_id !== id)
      throw redirect({ to: "/buy", replace: true });
  },
  staticData: { title: msg`Pay`, noCache: true },
  component: screen(() => import("./views/pay.tsx"), "Pay"),
});

const razorpayDetail = createRoute({
  getParentRoute: () => root,
  path: "/razorpayDetail",
  beforeLoad: async (entering) => {
    membersOnly(entering);
    const { session, storage, unfinished } = entering.context.app;
    const open = openPaymentOf(
      unfinished.getSnapshot().context.orders,
      session.getSnapshot().context.userName,
    );
    // Nobody pays twice: what became of the last payment comes before the next. On the screen it is the chart that asks.
    if (open && entering.cause !== "stay") throw redirect({ ...billPlace(open), replace: true });
    // Nothing chosen, or paid for by now: there are the membership and the packages.
    if (!storage.readJson("selectedItem")) throw redirect({ to: "/personal_info", replace: true });
    await apart("card")(entering);
  },
  staticData: { title: msg`Payment details`, noCache: true },
  component: screen(() => import("./views/razorpay-detail.tsx"), "RazorpayDetail"),
});

const payDetail = createRoute({
  getParentRoute: () => root,
  path: "/payDetail/$pack_id/$product_id/$pay_type/$pay_price/$pay_address/$pay_order_id",
  beforeLoad: (entering) => {
    const { pay_order_id: orderId } = entering.params;
    const kept = entering.context.app.storage.readJson("orders") ?? [];
    // Of an order that this browser kept, the screen has all that it shows first.
    membersOnly(
      entering,
      ...(kept.some((order) => order.orderId === orderId) ? [] : [["readIssued", { orderId }] as const]),
    );
  },
  staticData: { title: msg`Send the payment`, noCache: true },
  component: screen(() => import("./views/pay-detail.tsx"), "PayDetail"),
});

const billDetail = createRoute({
  getParentRoute: () => root,
  path: "/billDetail/$order_id/$pay_status/$pay_price/$pay_time",
  beforeLoad: (entering) => membersOnly(entering, ["readOrder", { orderId: entering.params.order_id }]),
  staticData: { title: msg`Your bill`, noCache: true },
  component: screen(() => import("./views/bill-detail.tsx"), "BillDetail"),
});

const routeTree = root.addChildren([
  front,
  home,
  login,
  register,
  registerSuccess,
  service,
  personalInfo,
  personalInformation,
  changePassword,
  modifyPassword,
  forgetPasswordUserName,
  forgetPasswordInfo,
  forgetPassword,
  setting,
  buy,
  buyProduct,
  payNothing,
  pay,
  razorpayDetail,
  payDetail,
  billDetail,
]);

export type AppRouter = ReturnType<typeof createAppRouter>;

/** The view that the router stands at, as the chart of the views knows it; null before the router stands anywhere. */
function visitOf(router: Pick<AppRouter, "state">, app: App): Visit | null {
  const match = router.state.matches.at(-1);
  if (!match) return null;
  const { state } = router.state.location;
  return {
    name: match.routeId,
    // Another person's view is another view.
    key: `${app.session.getSnapshot().context.userName ?? ""} ${match.pathname}`,
    noCache: match.staticData.noCache === true,
    params: match.params,
    step: state.__TSR_index,
    entry: state.__TSR_key ?? "",
    returns: state.returns === true,
  };
}

/** Brings the router and the views to where a written page stands, before anything is drawn. */
export async function openPage(router: AppRouter, app: App): Promise<void> {
  await router.load();
  const visit = visitOf(router, app);
  if (visit) app.progress.send({ type: "page.opened", visit });
}

/** The router, told about by the progress chart; `history` is the browser's unless a test brings its own. */
export function createAppRouter(app: App, history?: RouterHistory) {
  const router = createRouter({
    routeTree,
    context: { app },
    defaultPreload: "intent",
    notFoundMode: "root",
    // The views keep how far they were scrolled (`views/kept-views.tsx`): the browser and the router let it be.
    scrollRestoration: () => false,
    // Nothing in a query string is ours: numbers in it stay text.
    parseSearch: () => ({}),
    stringifySearch: () => "",
    ...(history ? { history } : {}),
  });
  // The way back closes what lies over the screen, and leads on only when nothing does. Chromium on Android asks an open
  // dialog itself before it comes to the history; every other browser asks here.
  router.history.block({
    enableBeforeUnload: false,
    blockerFn: ({ action }) => {
      const closes = action === "BACK" && app.layers.getSnapshot().hasTag("covered");
      if (closes) app.layers.send({ type: "back.asked" });
      return closes;
    },
  });
  // To the view that came with the page, there is no way.
  const stands = () => app.page === null || app.progress.getSnapshot().context.current !== null;
  router.subscribe("onBeforeNavigate", ({ hrefChanged }) => {
    if (hrefChanged) app.leave();
    if (stands()) app.progress.send({ type: "navigation.started" });
  });
  let latest: Visit | null = null;
  router.subscribe("onResolved", () => {
    const visit = visitOf(router, app);
    if (!visit || !stands()) return;
    latest = visit;
    const arrive = () => {
      // A turn that is overtaken before it begins leads to where the last one does.
      app.progress.send({ type: "navigation.finished", visit: latest ?? visit });
      return app.progress.getSnapshot().context.way;
    };
    // The first view has nothing to turn from; the same view again turns nothing.
    const { current } = app.progress.getSnapshot().context;
    if (!current || current.key === visit.key) return void arrive();
    // At once, for the browser looks when this returns.
    turnPage(() => flushSync(arrive));
  });
  return router;
}
