/** Every port given to every chart, once; the actors that live as long as the page; and what follows from what the charts say. */
import { msg } from "@lingui/core/macro";
import {
  createActor,
  fromPromise,
  type Actor,
  type ActorOptions,
  type AnyActorLogic,
  type AnyActorRef,
  type AnyStateMachine,
  type EmittedFrom,
  type StateMachine,
} from "xstate";
import type { CardEmitted, CardOrder, CardPorts, CardProof } from "../../machines/card-setup.ts";
import type { Card } from "../../machines/card-fields.ts";
import { checkoutMachine, type CheckoutEmitted, type CheckoutPorts } from "../../machines/checkout.ts";
import { dragMachine } from "../../machines/drag.ts";
import type { Builds, Device, DownloadEmitted, DownloadPorts } from "../../machines/download.ts";
import type { PasswordEmitted, PasswordPorts } from "../../machines/password.ts";
import type { ProfileEmitted, ProfilePorts } from "../../machines/profile.ts";
import type { QuestionListPorts } from "../../machines/question-list.ts";
import { recoveryMachine, type RecoveryEmitted, type RecoveryPorts } from "../../machines/recovery.ts";
import type { SecurityQuestionEmitted, SecurityQuestionPorts } from "../../machines/security-question.ts";
import type { BillEmitted, BillPorts } from "../../machines/bill.ts";
import type { CatalogueEmitted, CataloguePorts, Method, Offer } from "../../machines/catalogue.ts";
import type { CopyingEmitted, CopyingPorts } from "../../machines/copying.ts";
import { layersMachine, type LayersEmitted } from "../../machines/layers.ts";
import { CallFailed } from "../../machines/failure.ts";
import type { LoginEmitted, LoginPorts } from "../../machines/login.ts";
import type { MembershipPorts } from "../../machines/membership.ts";
import { noticeMachine, type Dialog, type NoticeEmitted, type Words } from "../../machines/notice.ts";
import type { OrderEmitted, OrderPorts } from "../../machines/order.ts";
import { progressMachine } from "../../machines/progress.ts";
import type { PullEmitted } from "../../machines/pull.ts";
import type { PurchaseEmitted, PurchasePorts } from "../../machines/purchase.ts";
import type { QrPorts } from "../../machines/qr.ts";
import type { RegisterEmitted, RegisterPorts } from "../../machines/register.ts";
import { sessionMachine, type SessionEmitted, type SessionPorts } from "../../machines/session.ts";
import type { SheetEmitted } from "../../machines/sheet.ts";
import type { SupportPorts } from "../../machines/support.ts";
import { keptOf } from "../../machines/kept-orders.ts";
import { unfinishedMachine, type UnfinishedEmitted } from "../../machines/unfinished.ts";
import { languageOf, type Language } from "../contract/languages.ts";
import type { Api } from "./ports/api.ts";
import { todayBy, type Clock } from "./ports/clock.ts";
import type { Grip, Over } from "./parts/over.ts";
import type { Config } from "./ports/config.ts";
import { withForesight } from "./ports/foresight.ts";
import type { AppStorage } from "./ports/storage.ts";
import { billPlace, paymentPlace, type Place } from "./places.ts";
import { pleaseLogIn, wordFailure } from "./wording.ts";

/** All that is outside: made in main.tsx, faked in tests. */
export type Outside = {
  config: Promise<Config>;
  /** The same where the page itself says it, so that nothing waits for it. */
  known?: Config | null;
  /** "ahead": the build writes the page, for whoever will open it. "written": such a page is being brought to life. */
  page?: "ahead" | "written";
  storage: AppStorage;
  clock: Clock;
  /** `refused` is called when the API says that nobody is signed in, once for all that was being asked then. */
  connect: (refused: () => void) => Api;
  /** A word that nobody can guess. */
  randomWord: () => string;
  copyText: (text: string) => Promise<void>;
  /** The code that draws QR codes. */
  loadQr: () => Promise<void>;
  /** The card provider's script: loaded, and called within the tap. */
  loadCardScript: (config: Promise<Config>, signal: AbortSignal) => Promise<void>;
  payByCard: (order: CardOrder, key: string, card: Card) => Promise<CardProof | null>;
  readBuilds: (config: Promise<Config>, signal: AbortSignal) => Promise<Builds>;
  install: (wanted: { device: Device; url: string }) => Promise<void>;
  openWindow: (find: () => Promise<string>, signal?: AbortSignal) => Promise<{ blocked: string | null }>;
  /** False where another language was asked for meanwhile: that one is spoken then. */
  speak: (language: Language) => Promise<boolean>;
  /** `replace`: the way back does not lead here again. `unasked`: no screen may hold the person back. */
  go: (place: Place, how?: { replace?: boolean; unasked?: boolean }) => void;
  /** As the arrow of a screen does. */
  goBack: (place: Place) => void;
  /** Asks the guards of the routes again. */
  reconsider: () => void;
  inspect?: ActorOptions<AnyActorLogic>["inspect"];
};

/** Whatever any chart may say. */
export type Emitted =
  | BillEmitted
  | CardEmitted
  | CatalogueEmitted
  | CheckoutEmitted
  | CopyingEmitted
  | DownloadEmitted
  | LayersEmitted
  | LoginEmitted
  | NoticeEmitted
  | OrderEmitted
  | PasswordEmitted
  | ProfileEmitted
  | PullEmitted
  | PurchaseEmitted
  | RecoveryEmitted
  | RegisterEmitted
  | SecurityQuestionEmitted
  | SessionEmitted
  | SheetEmitted
  | UnfinishedEmitted;

/** What the charts of the screens ask of the outside, by the id of the chart. */
type ScreenPorts = {
  bill: BillPorts;
  card: CardPorts;
  catalogue: CataloguePorts;
  copying: CopyingPorts;
  download: DownloadPorts;
  login: LoginPorts;
  membership: MembershipPorts;
  order: OrderPorts;
  password: PasswordPorts;
  profile: ProfilePorts;
  purchase: PurchasePorts;
  qr: QrPorts;
  questionList: QuestionListPorts;
  register: RegisterPorts;
  securityQuestion: SecurityQuestionPorts;
  support: SupportPorts;
};

/** What a chart must be besides, to be given its ports: nothing, where `ScreenPorts` has all that it invokes. */
export type Supplied<M extends AnyStateMachine> =
  // oxlint-disable-next-line typescript/no-explicit-any -- the other parameters of a machine do not matter here
  M extends StateMachine<any, any, any, infer P, any, any, any, any, any, any, any, any, any, infer S, any>
    ? (S["id"] extends keyof ScreenPorts ? ScreenPorts[S["id"]] : object) extends {
        [Port in P as Port["src"]]: Port["logic"];
      }
      ? unknown
      : `ScreenPorts has not all that ${S["id"]} asks for.`
    : never;

/** Each is made when it is first asked for: all of them at once would be a task that a touch has to wait for. */
function lazily<T extends object>(makers: { [K in keyof T]: () => T[K] }): T {
  const made = {} as T;
  for (const name of Object.keys(makers) as (keyof T)[]) {
    const get = () => {
      const value = makers[name]();
      Object.defineProperty(made, name, { value });
      return value;
    };
    Object.defineProperty(made, name, { get, configurable: true });
  }
  return made;
}

export type App = ReturnType<typeof compose>;

export function compose(outside: Outside) {
  const { storage, clock } = outside;
  const options = outside.inspect ? { inspect: outside.inspect } : {};
  const { api, foresee, forget } = withForesight(
    outside.connect(() => session.send({ type: "session.refused" })),
  );

  const loginPorts: LoginPorts = { logIn: fromPromise(({ input, signal }) => api.logIn(input, signal)) };
  const registerPorts: RegisterPorts = {
    ...loginPorts,
    register: fromPromise(({ input, signal }) => api.register(input, signal)),
  };
  // However long nobody waits for it any more: the API is to hear of it.
  const sessionPorts: SessionPorts = { logOut: fromPromise(() => api.logOut()) };
  const cataloguePorts: CataloguePorts = {
    readPackages: fromPromise(({ signal }) => api.readPackages(signal)),
    readMethods: fromPromise(({ signal }) => api.readMethods(signal)),
  };
  const membershipPorts: MembershipPorts = {
    readMember: fromPromise(({ signal }) => api.readMember(signal)),
  };
  const purchasePorts: PurchasePorts = {
    createOrder: fromPromise(({ input, signal }) => api.createOrder(input, signal)),
  };
  const orderPorts: OrderPorts = {
    readOrder: fromPromise(({ input, signal }) => api.readOrder(input, signal)),
    readIssued: fromPromise(({ input, signal }) => api.readIssued(input, signal)),
    readClock: fromPromise(async () => clock.now()),
  };
  const billPorts: BillPorts = { readOrder: orderPorts.readOrder };
  const copyingPorts: CopyingPorts = { copyText: fromPromise(({ input }) => outside.copyText(input.text)) };
  const qrPorts: QrPorts = { loadQr: fromPromise(() => outside.loadQr()) };
  const supportPorts: SupportPorts = {
    openSupport: fromPromise(({ signal }) => outside.openWindow(() => api.readContact(signal), signal)),
  };

  const questionListPorts: QuestionListPorts = {
    readQuestions: fromPromise(({ signal }) => api.readQuestions(signal)),
  };
  const recoveryPorts: RecoveryPorts = {
    resetPassword: fromPromise(({ input, signal }) => api.resetPassword(input, signal)),
  };
  const passwordPorts: PasswordPorts = {
    changePassword: fromPromise(({ input, signal }) => api.changePassword(input, signal)),
  };
  const securityQuestionPorts: SecurityQuestionPorts = {
    readQuestion: fromPromise(async ({ signal }) => (await api.readMember(signal)).security_problem),
    saveQuestion: fromPromise(({ input, signal }) => api.saveQuestion(input, signal)),
  };
  const profilePorts: ProfilePorts = {
    readParticulars: fromPromise(({ signal }) => api.readMember(signal)),
    saveParticulars: fromPromise(({ input, signal }) => api.saveParticulars(input, signal)),
  };
  const cardPorts: CardPorts = {
    createCardOrder: fromPromise(({ input, signal }) => api.createCardOrder(input, signal)),
    openProvider: fromPromise(async ({ signal }) => {
      const [key] = await Promise.all([
        api.readCardKey(signal),
        outside.loadCardScript(outside.config, signal),
      ]);
      return { key };
    }),
    payByCard: fromPromise(({ input: { order, key, card } }) => outside.payByCard(order, key, card)),
    verifyCard: fromPromise(({ input, signal }) => api.verifyCard(input, signal)),
    readOrder: orderPorts.readOrder,
  };
  const checkoutPorts: CheckoutPorts = {
    openCheckout: fromPromise(async ({ input, signal }) => {
      const made = { orderId: null as string | null, packName: input.offer.name, amount: "", createdAt: "" };
      const { blocked } = await outside.openWindow(async () => {
        const { payUrl, ...checkout } = await api.createCheckout(input, signal);
        Object.assign(made, checkout);
        return payUrl;
      }, signal);
      return { ...made, blocked };
    }),
  };
  const downloadPorts: DownloadPorts = {
    // Beside its script no card can be paid by: that takes another document, which must know who is signed in.
    readBuilds: fromPromise(({ signal }) =>
      storage.lasts
        ? outside.readBuilds(outside.config, signal)
        : Promise.reject(new CallFailed({ kind: "unreadable" })),
    ),
    install: fromPromise(({ input }) => outside.install(input)),
    openSite: fromPromise(({ input: { device }, signal }) =>
      outside.openWindow(async () => `${(await outside.config).providerSite}/download/${device}`, signal),
    ),
  };

  const readName = () => storage.readText("user_name") ?? storage.readJson("user_key")?.account_name ?? null;
  const session = createActor(sessionMachine.provide({ actors: sessionPorts }), {
    ...options,
    input: { userName: readName() },
  });
  const whoseName = () => session.getSnapshot().context.userName ?? "";

  const begin = <L extends AnyActorLogic>(
    actor: Actor<L> & (EmittedFrom<L> extends Emitted ? unknown : never),
  ): Actor<L> => {
    actor.on("*", (event) => hear(event as Emitted));
    return actor.start();
  };
  /** Those that wait for something on behalf of a screen, and outlive it. */
  const outliving: AnyActorRef[] = [];
  const outlives = <T extends AnyActorRef>(actor: T): T => {
    outliving.push(actor);
    return actor;
  };
  const living = lazily({
    notice: () => begin(createActor(noticeMachine, options)),
    progress: () => createActor(progressMachine, options).start(),
    layers: () => begin(createActor(layersMachine, options)),
    unfinished: () =>
      begin(
        createActor(unfinishedMachine, {
          ...options,
          input: { orders: storage.readJson("orders") ?? [] },
        }),
      ),
    recovery: () => outlives(begin(createActor(recoveryMachine.provide({ actors: recoveryPorts }), options))),
    checkout: () => outlives(begin(createActor(checkoutMachine.provide({ actors: checkoutPorts }), options))),
  });
  const dismissals = new Map<string, () => void>();
  let opened = 0;
  const newGrip = (): Grip => {
    const drag = createActor(dragMachine, options).start();
    return {
      hold: (at) => drag.send({ type: "touch.began", at }),
      follow: (move) => drag.send({ type: "touch.moved", ...move }),
      release: (end) => drag.send({ type: "touch.ended", ...end }),
      lose: () => drag.send({ type: "touch.lost" }),
      isFollowing: () => drag.getSnapshot().hasTag("following"),
      watch: (place, thrown) => {
        const following = drag.subscribe(({ context }) => place(context.distance));
        const throwing = drag.on("sheet.thrown", thrown);
        return () => {
          following.unsubscribe();
          throwing.unsubscribe();
        };
      },
    };
  };
  const over: Over = {
    open: (dismiss) => {
      opened += 1;
      const id = String(opened);
      dismissals.set(id, dismiss);
      living.layers.send({ type: "layer.opened", id });
      return () => {
        dismissals.delete(id);
        living.layers.send({ type: "layer.closed", id });
      };
    },
    newGrip,
  };

  const asked = new Map<string, (confirmed: boolean) => void>();
  let questions = 0;
  /** Asks the person; settles exactly once, with "no" where nobody answers, or `signal` takes the question back. */
  const ask = (dialog: Omit<Dialog, "id">, signal?: AbortSignal) =>
    new Promise<boolean>((resolve) => {
      questions += 1;
      const id = String(questions);
      asked.set(id, resolve);
      signal?.addEventListener("abort", () => living.notice.send({ type: "dialog.withdrawn", id }));
      living.notice.send({ type: "dialog.asked", dialog: { ...dialog, id } });
    });
  const say = (words: Words, tone: "plain" | "success" | "failure" = "plain") =>
    living.notice.send({ type: "toast.asked", toast: { words, tone } });
  /** Nothing of one account is left for the next. */
  const changeAccount = () => {
    living.progress.send({ type: "views.dropped" });
    for (const actor of outliving) actor.send({ type: "account.changed" });
  };
  const forgetSession = () => {
    storage.remove("user_token");
    storage.remove("user_name");
    storage.remove("user_key");
    changeAccount();
  };
  /** A screen is left: what the charts that outlive it wait for is given up with it. */
  const leave = () => {
    forget();
    for (const actor of outliving) actor.send({ type: "waiting.dropped" });
  };
  const changeLanguage = async (language: Language) => {
    try {
      if (!(await outside.speak(language))) return;
      storage.writeText("language", language);
      // What was asked for a screen to come is in the other one.
      forget();
    } catch {
      say(wordFailure({ kind: "network" }), "failure");
    }
  };

  /** Where each way to pay leads. Decisions, "EbPay". */
  const ways: Record<Method, (offer: Offer) => void> = {
    EbPay: ({ product_id: id }) => outside.go({ to: "/pay/$id", params: { id } }),
    Razorpay: () => outside.go({ to: "/razorpayDetail" }),
    // Still within the tap: the window must open now.
    Stripe: (offer) => living.checkout.send({ type: "checkout.asked", offer, key: outside.randomWord() }),
  };

  /** What follows from each word of a chart: a place to go, a thing to say, a thing to keep. */
  const consequences: { [T in Emitted["type"]]: (event: Extract<Emitted, { type: T }>) => void } = {
    "failure.met": ({ failure }) => {
      // Of being signed out the session speaks, once for all calls.
      if (failure.kind !== "signedOut") say(wordFailure(failure), "failure");
    },
    "login.succeeded": (event) => session.send(event),
    "register.succeeded": () => {
      // The form has made its account; whoever comes back to it makes another.
      living.progress.send({ type: "views.dropped" });
      outside.go({ to: "/registerSuccess" });
    },
    "session.began": ({ accountName }) => {
      storage.writeJson("user_key", { account_name: accountName });
      storage.writeText("user_name", accountName);
      changeAccount();
      say(msg`Login succeeded`, "success");
      outside.go({ to: "/home" }, { replace: true, unasked: true });
    },
    "session.ended": () => {
      forgetSession();
      outside.go({ to: "/login" }, { replace: true, unasked: true });
    },
    "session.required": () => {
      forgetSession();
      say(pleaseLogIn);
      outside.go({ to: "/login" }, { replace: true, unasked: true });
    },
    "session.switched": () => {
      changeAccount();
      outside.reconsider();
    },
    "offer.chosen": ({ offer, method }) => {
      storage.writeJson("selectedItem", offer);
      ways[method](offer);
    },
    "order.issued": ({ offer, order }) => {
      const kept = {
        ...order,
        accountName: whoseName(),
        packId: offer.id,
        productId: offer.product_id,
        packName: offer.name,
      };
      living.unfinished.send({ type: "order.kept", order: kept });
      outside.go(paymentPlace(kept), { replace: true });
    },
    "payment.begun": ({ orderId, amount, packName }) =>
      living.unfinished.send({
        type: "order.kept",
        order: { orderId, amount, packName, accountName: whoseName() },
      }),
    "payment.failed": ({ orderId }) => living.unfinished.send({ type: "order.dropped", orderId }),
    "bill.asked": ({ isLast, ...bill }) => outside.go(billPlace(bill), { replace: isLast }),
    "order.settled": (event) => {
      const { orders } = living.unfinished.getSnapshot().context;
      const kept = keptOf(orders, whoseName(), event.orderId);
      // Another tab may have chosen another one meanwhile.
      if (kept?.packName === storage.readJson("selectedItem")?.name) storage.remove("selectedItem");
      living.unfinished.send(event);
      living.checkout.send({ type: "order.settled" });
      living.progress.send({ type: "views.dropped" });
    },
    "orders.changed": ({ orders }) => storage.writeJson("orders", [...orders]),
    "card.closed": () => outside.goBack({ to: "/personal_info" }),
    "password.changed": () => {
      say(msg`Password changed successfully, please log in again`, "success");
      session.send({ type: "password.changed" });
    },
    "profile.saved": () => {
      say(msg`Modified successfully`, "success");
      outside.goBack({ to: "/setting" });
    },
    "question.saved": () => say(msg`Modified successfully`, "success"),
    "recovery.named": ({ accountName }) =>
      outside.go({ to: "/forgetPasswordInfo/$userName", params: { userName: accountName } }),
    "recovery.passwordKept": ({ accountName, handle }) =>
      outside.go({
        to: "/forgetPassword/$password/$userName",
        params: { password: handle, userName: accountName },
      }),
    "recovery.succeeded": () => {
      living.progress.send({ type: "views.dropped" });
      say(msg`Password changed successfully, please log in again`, "success");
      outside.go({ to: "/login" }, { replace: true });
    },
    "builds.read": ({ builds }) => storage.writeJson("packages", builds),
    "copy.succeeded": ({ what }) =>
      say(what === "orderId" ? msg`Replicating Success` : msg`Copied`, "success"),
    // Told for longer than other things, for it says what to do instead.
    "copy.failed": () =>
      living.notice.send({
        type: "notify.asked",
        notify: { words: msg`Copying is blocked here. Press and hold the text to copy it.` },
      }),
    "dialog.settled": ({ id, confirmed }) => {
      asked.get(id)?.(confirmed);
      asked.delete(id);
    },
    "layer.dismissed": ({ id }) => dismissals.get(id)?.(),
    "sheet.chosen": ({ value }) => void changeLanguage(languageOf(value)),
    "refresh.asked": () => living.progress.send({ type: "views.dropped" }),
  };
  const hear = <T extends Emitted["type"]>(event: Extract<Emitted, { type: T }>) => {
    const follow: (event: Extract<Emitted, { type: T }>) => void = consequences[event.type];
    follow(event);
  };

  const ports: ScreenPorts = {
    bill: billPorts,
    card: cardPorts,
    catalogue: cataloguePorts,
    copying: copyingPorts,
    download: downloadPorts,
    login: loginPorts,
    membership: membershipPorts,
    order: orderPorts,
    password: passwordPorts,
    profile: profilePorts,
    purchase: purchasePorts,
    qr: qrPorts,
    questionList: questionListPorts,
    register: registerPorts,
    securityQuestion: securityQuestionPorts,
    support: supportPorts,
  };
  const given = new Map<AnyStateMachine, AnyStateMachine>();
  /** A screen's chart with its ports, the same for the same. It comes with its screen, not with the app. */
  const give = <T extends AnyStateMachine>(chart: T & Supplied<T>): T => {
    const actors = (ports as Partial<Record<string, object>>)[chart.id];
    // One that asks nothing of the outside is whole as it is.
    if (!actors) return chart;
    const known = given.get(chart) ?? (chart.provide({ actors }) as AnyStateMachine);
    given.set(chart, known);
    return known as T;
  };

  begin(session);
  for (const key of ["user_name", "user_key"] as const) {
    storage.watch(key, () => session.send({ type: "storage.changed", userName: readName() }));
  }
  storage.watch("orders", () =>
    living.unfinished.send({ type: "storage.changed", orders: storage.readJson("orders") ?? [] }),
  );

  return Object.assign(living, {
    config: outside.config,
    known: outside.known ?? null,
    page: outside.page ?? null,
    storage,
    session,
    over,
    today: () => todayBy(clock),
    ask,
    say,
    hear,
    newVisit: outside.randomWord,
    options,
    give,
    foresee,
    leave,
  });
}
