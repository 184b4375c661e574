/** What follows from each word of a chart: a place to go, a thing to say, a thing to keep. */
import { msg } from "@lingui/core/macro";
import type { ActorRefFrom, EventFrom } from "xstate";
import type { BillEmitted } from "../../machines/bill.ts";
import type { CardEmitted } from "../../machines/card-setup.ts";
import type { CatalogueEmitted, Offer } from "../../machines/catalogue.ts";
import type { Method } from "../../machines/methods.ts";
import type { CheckoutEmitted, checkoutMachine } from "../../machines/checkout.ts";
import type { CopyingEmitted } from "../../machines/copying.ts";
import type { DownloadEmitted } from "../../machines/download.ts";
import { keptOf, openPaymentOf } from "../../machines/kept-orders.ts";
import type { LayersEmitted } from "../../machines/layers.ts";
import type { LoginEmitted } from "../../machines/login.ts";
import type { NoticeEmitted, noticeMachine, Words } from "../../machines/notice.ts";
import type { OrderEmitted } from "../../machines/order.ts";
import type { PasswordEmitted } from "../../machines/password.ts";
import type { ProfileEmitted } from "../../machines/profile.ts";
import type { progressMachine } from "../../machines/progress.ts";
import type { PullEmitted } from "../../machines/pull.ts";
import type { PurchaseEmitted } from "../../machines/purchase.ts";
import type { RecoveryEmitted, recoveryMachine } from "../../machines/recovery.ts";
import type { RegisterEmitted } from "../../machines/register.ts";
import type { SecurityQuestionEmitted } from "../../machines/security-question.ts";
import type { SessionEmitted, sessionMachine } from "../../machines/session.ts";
import type { SheetEmitted } from "../../machines/sheet.ts";
import type { TravelEmitted, Way } from "../../machines/travel.ts";
import type { UnfinishedEmitted, unfinishedMachine } from "../../machines/unfinished.ts";
import { languageOf, type Language } from "../contract/languages.ts";
import type { Outside } from "./outside.ts";
import { addressOf, billPlace, paymentPlace } from "./places.ts";
import type { Ways } from "./ways.ts";
import { earlierFirst, pleaseLogIn, wordFailure } from "./wording.ts";

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
  | TravelEmitted
  | UnfinishedEmitted;

/** Whom a word may concern besides the outside. */
export type Company = {
  /** Each is made when it is first asked for. */
  living: {
    notice: ActorRefFrom<typeof noticeMachine>;
    progress: ActorRefFrom<typeof progressMachine>;
    unfinished: ActorRefFrom<typeof unfinishedMachine>;
  };
  session: ActorRefFrom<typeof sessionMachine>;
  ways: Ways;
  /** By the router that is there. */
  lead: (way: Way) => void;
  /** Of the account that is signed in, or "". */
  whoseName: () => string;
  say: (words: Words, tone?: "success" | "failure") => void;
  /** To the question of that number. */
  answer: (id: string, confirmed: boolean) => void;
  /** What lies over the screen under that number. */
  dismiss: (id: string) => void;
  /** To those that outlive their screens: each knows what is meant for it. */
  tellOutliving: (event: EventFrom<typeof checkoutMachine> | EventFrom<typeof recoveryMachine>) => void;
  /** Gives up what was asked for a screen to come. */
  forget: () => void;
};

type Consequences = { [T in Emitted["type"]]: (event: Extract<Emitted, { type: T }>) => void };

export function consequencesOf(
  outside: Outside,
  { living, session, ways, lead, whoseName, say, answer, dismiss, tellOutliving, forget }: Company,
): Consequences {
  const { storage } = outside;
  /** Nothing of one account is left for the next. */
  const changeAccount = () => {
    living.progress.send({ type: "views.dropped" });
    tellOutliving({ type: "account.changed" });
  };
  const forgetSession = () => {
    storage.remove("user_token");
    storage.remove("user_name");
    storage.remove("user_key");
    changeAccount();
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
  const leads: Record<Method, (offer: Offer) => void> = {
    EbPay: ({ product_id: id }) => ways.go({ to: "/pay/$id", params: { id } }),
    Razorpay: () => ways.go({ to: "/razorpayDetail" }),
    // Still within the tap: the window must open now.
    Stripe: (offer) => {
      const { orders } = living.unfinished.getSnapshot().context;
      const open = openPaymentOf(orders, session.getSnapshot().context.userName);
      // Nobody pays twice, as with the card: what became of the last payment comes before the next.
      if (open) {
        say(earlierFirst);
        ways.go(billPlace(open));
      } else tellOutliving({ type: "checkout.asked", offer, key: outside.randomWord() });
    },
  };

  return {
    "failure.met": ({ failure }) => {
      // Of being signed out the session speaks, once for all calls.
      if (failure.kind !== "signedOut") say(wordFailure(failure), "failure");
    },
    "login.succeeded": (event) => session.send(event),
    "register.succeeded": () => {
      // The form has made its account; whoever comes back to it makes another.
      living.progress.send({ type: "views.dropped" });
      ways.go({ to: "/registerSuccess" });
    },
    "session.began": ({ accountName }) => {
      storage.writeJson("user_key", { account_name: accountName });
      storage.writeText("user_name", accountName);
      changeAccount();
      say(msg`Login succeeded`, "success");
      ways.go({ to: "/home" }, { replace: true, unasked: true });
    },
    "session.ended": () => {
      forgetSession();
      ways.go({ to: "/login" }, { replace: true, unasked: true });
    },
    "session.required": () => {
      forgetSession();
      say(pleaseLogIn);
      ways.go({ to: "/login" }, { replace: true, unasked: true });
    },
    "session.switched": () => {
      changeAccount();
      ways.reconsider();
    },
    "offer.chosen": ({ offer, method }) => {
      storage.writeJson("selectedItem", offer);
      leads[method](offer);
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
      ways.go(paymentPlace(kept), { replace: true });
    },
    "payment.begun": ({ orderId, amount, packName, productId }) =>
      living.unfinished.send({
        type: "order.kept",
        order: { orderId, amount, packName, productId, accountName: whoseName() },
      }),
    "payment.failed": ({ orderId }) => living.unfinished.send({ type: "order.dropped", orderId }),
    "bill.asked": ({ isLast, ...bill }) => ways.go(billPlace(bill), { replace: isLast }),
    "order.settled": (event) => {
      const { orders } = living.unfinished.getSnapshot().context;
      const kept = keptOf(orders, whoseName(), event.orderId);
      const chosen = storage.readJson("selectedItem");
      // Another tab may have chosen another one meanwhile.
      const isChosen = kept?.productId
        ? kept.productId === chosen?.product_id
        : kept?.packName === chosen?.name;
      if (isChosen) storage.remove("selectedItem");
      living.unfinished.send(event);
      tellOutliving({ type: "order.settled" });
      living.progress.send({ type: "views.dropped" });
    },
    "orders.changed": ({ orders }) => storage.writeJson("orders", [...orders]),
    "card.closed": () => ways.goBack({ to: "/personal_info" }),
    "password.changed": () => {
      say(msg`Password changed successfully, please log in again`, "success");
      session.send({ type: "password.changed" });
    },
    "profile.saved": () => {
      say(msg`Modified successfully`, "success");
      ways.goBack({ to: "/setting" });
    },
    "question.saved": () => say(msg`Modified successfully`, "success"),
    "recovery.named": ({ accountName }) =>
      ways.go({ to: "/forgetPasswordInfo/$userName", params: { userName: accountName } }),
    "recovery.passwordKept": ({ accountName, handle }) =>
      ways.go({
        to: "/forgetPassword/$password/$userName",
        params: { password: handle, userName: accountName },
      }),
    "recovery.succeeded": () => {
      living.progress.send({ type: "views.dropped" });
      say(msg`Password changed successfully, please log in again`, "success");
      ways.go({ to: "/login" }, { replace: true });
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
    "dialog.settled": ({ id, confirmed }) => answer(id, confirmed),
    "layer.dismissed": ({ id }) => dismiss(id),
    "sheet.chosen": ({ value }) => void changeLanguage(languageOf(value)),
    "way.begun": () => living.progress.send({ type: "navigation.started" }),
    "way.led": ({ way }) => lead(way),
    "way.missed": () => {
      living.progress.send({ type: "navigation.missed" });
      say(wordFailure({ kind: "network" }), "failure");
    },
    "document.asked": ({ way }) => outside.openDocument(addressOf(way), way.replace),
    "refresh.asked": () => living.progress.send({ type: "views.dropped" }),
  };
}
