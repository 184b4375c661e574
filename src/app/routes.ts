/** Every address: its guard, what its screen asks first, and the router that follows where the person goes. A page that is drawn does without all this until it is touched (decision 18). Specification, section 2. */
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  redirect,
  type RouterHistory,
} from "@tanstack/react-router";
import { openPaymentOf } from "../../machines/kept-orders.ts";
import type { Visit } from "../../machines/progress.ts";
import type { App } from "./compose.ts";
import type { Foreseen } from "./ports/foresight.ts";
import { pause } from "./ports/page.ts";
import { isCrowded, openAfresh, type ScriptKind } from "./ports/scripts.ts";
import { mayMove } from "./ports/turning.ts";
import { billPlace } from "./places.ts";
import { screens, visitOf } from "./screens.ts";
import { earlierFirst, pleaseLogIn, signedOutElsewhere } from "./wording.ts";

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** It stands in the stead of a step that was left by its arrow. */
    returns?: boolean;
  }
  interface Register {
    router: AppRouter;
  }
}

const root = createRootRouteWithContext<{ app: App }>()();

type Entering = {
  context: { app: App };
  cause: "preload" | "enter" | "stay";
};

/**
 * A screen that brings somebody's script stands in a document without anybody else's. Where storage is forbidden, who is
 * signed in lives in the document alone: then the download's script is not loaded at all. Decisions, "Card data".
 */
const apart =
  (kind: ScriptKind) =>
  async ({ context: { app } }: Entering) => {
    if (app.storage.lasts && isCrowded(kind)) await openAfresh();
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
  const { app } = entering.context;
  if (app.session.getSnapshot().matches("signedIn")) return asks(entering, ...calls);
  app.say(app.session.getSnapshot().matches({ signedOut: "elsewhere" }) ? signedOutElsewhere : pleaseLogIn);
  throw redirect({ to: "/login", replace: true });
};

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
  component: screens["/home"].view,
});

const login = createRoute({
  getParentRoute: () => root,
  path: "/login",
  beforeLoad: ({ cause, context: { app } }) => {
    // Somebody has logged in in another tab meanwhile.
    if (cause === "stay" && app.session.getSnapshot().matches("signedIn"))
      throw redirect({ to: "/home", replace: true });
  },
  component: screens["/login"].view,
});

const register = createRoute({
  getParentRoute: () => root,
  path: "/register",
  component: screens["/register"].view,
});

const registerSuccess = createRoute({
  getParentRoute: () => root,
  path: "/registerSuccess",
  component: screens["/registerSuccess"].view,
});

const service = createRoute({
  getParentRoute: () => root,
  path: "/service",
  component: screens["/service"].view,
});

const personalInfo = createRoute({
  getParentRoute: () => root,
  path: "/personal_info",
  beforeLoad: (entering) => membersOnly(entering, ["readMember"], ["readPackages"]),
  component: screens["/personal_info"].view,
});

const personalInformation = createRoute({
  getParentRoute: () => root,
  path: "/personalInformation",
  beforeLoad: (entering) => membersOnly(entering, ["readMember"]),
  component: screens["/personalInformation"].view,
});

const changePassword = createRoute({
  getParentRoute: () => root,
  path: "/changePassword",
  beforeLoad: (entering) => membersOnly(entering),
  component: screens["/changePassword"].view,
});

const modifyPassword = createRoute({
  getParentRoute: () => root,
  path: "/modifyPassword",
  beforeLoad: (entering) => membersOnly(entering, ["readMember"]),
  component: screens["/modifyPassword"].view,
});

const forgetPasswordUserName = createRoute({
  getParentRoute: () => root,
  path: "/forgetPasswordUserName",
  component: screens["/forgetPasswordUserName"].view,
});

const forgetPasswordInfo = createRoute({
  getParentRoute: () => root,
  path: "/forgetPasswordInfo/$userName",
  component: screens["/forgetPasswordInfo/$userName"].view,
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
  component: screens["/forgetPassword/$password/$userName"].view,
});

const setting = createRoute({
  getParentRoute: () => root,
  path: "/setting",
  beforeLoad: (entering) => membersOnly(entering),
  component: screens["/setting"].view,
});

const buy = createRoute({
  getParentRoute: () => root,
  path: "/buy",
  beforeLoad: (entering) => asks(entering, ["readPackages"]),
  component: screens["/buy"].view,
});
const buyProduct = createRoute({
  getParentRoute: () => root,
  path: "/buy/$name",
  beforeLoad: (entering) => asks(entering, ["readPackages"]),
  component: screens["/buy/$name"].view,
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
  component: screens["/pay/$id"].view,
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
    if (open && entering.cause !== "stay") {
      entering.context.app.say(earlierFirst);
      throw redirect({ ...billPlace(open), replace: true });
    }
    // Nothing chosen, or paid for by now: there are the membership and the packages.
    if (!storage.readJson("selectedItem")) throw redirect({ to: "/personal_info", replace: true });
    await apart("card")(entering);
  },
  component: screens["/razorpayDetail"].view,
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
  component: screens["/payDetail/$pack_id/$product_id/$pay_type/$pay_price/$pay_address/$pay_order_id"].view,
});

const billDetail = createRoute({
  getParentRoute: () => root,
  path: "/billDetail/$order_id/$pay_status/$pay_price/$pay_time",
  beforeLoad: (entering) => membersOnly(entering, ["readOrder", { orderId: entering.params.order_id }]),
  component: screens["/billDetail/$order_id/$pay_status/$pay_price/$pay_time"].view,
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

/** Where the router stands, as the chart of the views knows it; null before it stands anywhere. */
export function visitHere(
  { state: { matches, location } }: Pick<AppRouter, "state">,
  app: App,
): Visit | null {
  const match = matches.at(-1);
  if (!match) return null;
  const { userName } = app.session.getSnapshot().context;
  return visitOf(userName, match.routeId, match.pathname, match.params, location.state);
}

/** The router, which tells the progress chart where it stands; `history` is the browser's unless somebody brings another. */
export function createAppRouter(app: App, history?: RouterHistory) {
  const router = createRouter({
    routeTree,
    context: { app },
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
  // To a view that came with the page there is no way.
  const comesWithPage = (from: unknown) => app.page !== null && from === undefined;
  router.subscribe("onBeforeNavigate", ({ fromLocation, hrefChanged }) => {
    if (comesWithPage(fromLocation)) return;
    if (hrefChanged) app.leave();
    app.progress.send({ type: "navigation.started" });
  });
  let latest: Visit | undefined;
  router.subscribe("onResolved", ({ fromLocation }) => {
    const visit = visitHere(router, app);
    if (!visit) return;
    latest = visit;
    const { current } = app.progress.getSnapshot().context;
    const moves = current !== null && mayMove();
    const arrive = () => {
      // Of two that come at once, the later one counts.
      if (latest === visit) app.progress.send({ type: "navigation.finished", visit, moves });
    };
    if (comesWithPage(fromLocation) && (!current || current.key === visit.key))
      app.progress.send({ type: "page.opened", visit });
    // The tap is answered first.
    else if (moves) void pause().then(arrive);
    else arrive();
  });
  return router;
}
