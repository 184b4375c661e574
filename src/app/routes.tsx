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
import type { Words } from "../../machines/notice.ts";
import type { App } from "./compose.ts";
import { Lost } from "./views/lost.tsx";
import { Shell } from "./views/shell.tsx";
import { pleaseLogIn } from "./wording.ts";

declare module "@tanstack/react-router" {
  interface StaticDataRouteOption {
    title?: Words;
    /** The view is thrown away when it is left. */
    noCache?: true;
  }
  interface Register {
    router: AppRouter;
  }
}

const root = createRootRouteWithContext<{ app: App }>()({ component: Shell, notFoundComponent: Lost });

/** Only for the signed-in; everybody else is told, and sent to the login page. */
const membersOnly = ({ context: { app } }: { context: { app: App } }) => {
  if (app.session.getSnapshot().matches("signedIn")) return;
  app.say(pleaseLogIn);
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
  staticData: { title: msg`Never-offline VPN` },
  component: lazyRouteComponent(() => import("./views/home.tsx"), "Home"),
});

const login = createRoute({
  getParentRoute: () => root,
  path: "/login",
  staticData: { title: msg`Log in` },
  component: lazyRouteComponent(() => import("./views/login.tsx"), "Login"),
});

const register = createRoute({
  getParentRoute: () => root,
  path: "/register",
  staticData: { title: msg`Create an account` },
  component: lazyRouteComponent(() => import("./views/register.tsx"), "Register"),
});

const registerSuccess = createRoute({
  getParentRoute: () => root,
  path: "/registerSuccess",
  staticData: { title: msg`Account created` },
  component: lazyRouteComponent(() => import("./views/register-success.tsx"), "RegisterSuccess"),
});

const service = createRoute({
  getParentRoute: () => root,
  path: "/service",
  staticData: { title: msg`User service agreement` },
  component: lazyRouteComponent(() => import("./views/service.tsx"), "Service"),
});

const personalInfo = createRoute({
  getParentRoute: () => root,
  path: "/personal_info",
  beforeLoad: membersOnly,
  staticData: { title: msg`Personal center` },
  component: lazyRouteComponent(() => import("./views/personal-info.tsx"), "PersonalInfo"),
});

const setting = createRoute({
  getParentRoute: () => root,
  path: "/setting",
  beforeLoad: membersOnly,
  staticData: { title: msg`Settings` },
  component: lazyRouteComponent(() => import("./views/setting.tsx"), "Setting"),
});

const buyView = lazyRouteComponent(() => import("./views/buy.tsx"), "Buy");
const buy = createRoute({
  getParentRoute: () => root,
  path: "/buy",
  staticData: { title: msg`Choose a package` },
  component: buyView,
});
const buyProduct = createRoute({
  getParentRoute: () => root,
  path: "/buy/$name",
  staticData: { title: msg`Choose a package` },
  component: buyView,
});

const pay = createRoute({
  getParentRoute: () => root,
  path: "/pay/$id",
  beforeLoad: ({ context: { app }, params: { id } }) => {
    if (app.storage.readJson("selectedItem")?.product_id !== id)
      throw redirect({ to: "/buy", replace: true });
  },
  staticData: { title: msg`Pay`, noCache: true },
  component: lazyRouteComponent(() => import("./views/pay.tsx"), "Pay"),
});

const payDetail = createRoute({
  getParentRoute: () => root,
  path: "/payDetail/$pack_id/$product_id/$pay_type/$pay_price/$pay_address/$pay_order_id",
  beforeLoad: membersOnly,
  staticData: { title: msg`Send the payment`, noCache: true },
  component: lazyRouteComponent(() => import("./views/pay-detail.tsx"), "PayDetail"),
});

const billDetail = createRoute({
  getParentRoute: () => root,
  path: "/billDetail/$order_id/$pay_status/$pay_price/$pay_time",
  beforeLoad: membersOnly,
  staticData: { title: msg`Your bill`, noCache: true },
  component: lazyRouteComponent(() => import("./views/bill-detail.tsx"), "BillDetail"),
});

const routeTree = root.addChildren([
  front,
  home,
  login,
  register,
  registerSuccess,
  service,
  personalInfo,
  setting,
  buy,
  buyProduct,
  pay,
  payDetail,
  billDetail,
]);

export type AppRouter = ReturnType<typeof createAppRouter>;

/** The router, told about by the progress chart; `history` is the browser's unless a test brings its own. */
export function createAppRouter(app: App, history?: RouterHistory) {
  const router = createRouter({
    routeTree,
    context: { app },
    defaultPreload: "intent",
    notFoundMode: "root",
    // Nothing in a query string is ours: numbers in it stay text.
    parseSearch: () => ({}),
    stringifySearch: () => "",
    ...(history ? { history } : {}),
  });
  router.subscribe("onBeforeNavigate", () => app.progress.send({ type: "navigation.started" }));
  router.subscribe("onResolved", () => {
    const match = router.state.matches.at(-1);
    if (!match) return;
    app.progress.send({
      type: "navigation.finished",
      visit: {
        name: match.routeId,
        // Another person's view is another view.
        key: `${app.session.getSnapshot().context.userName ?? ""} ${match.pathname}`,
        noCache: match.staticData.noCache === true,
        params: match.params,
      },
    });
  });
  return router;
}
