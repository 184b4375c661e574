/** The effect of each event that a chart emits: a navigation, a toast, a stored value. */
import type { ActorRefFrom, EventFrom } from "xstate";
import type { AccountDeletionEmitted } from "../../../machines/account-deletion.ts";
import type { BillEmitted } from "../../../machines/bill.ts";
import type { CardResultEmitted } from "../../../machines/card-result.ts";
import type { CardEmitted } from "../../../machines/card-setup.ts";
import type { CatalogueEmitted, Offer } from "../../../machines/catalogue.ts";
import type { Method } from "../../../machines/payment-methods.ts";
import type { CheckoutEmitted, checkoutMachine } from "../../../machines/checkout.ts";
import type { ClipboardEmitted } from "../../../machines/clipboard.ts";
import type { DownloadEmitted } from "../../../machines/download.ts";
import { topUpOf } from "../../../machines/earlier-orders.ts";
import { isForSelected, keptOf, wasReported } from "../../../machines/kept-orders.ts";
import type { LanguageEmitted, languageMachine } from "../../../machines/language.ts";
import type { OverlaysEmitted } from "../../../machines/overlays.ts";
import type { LoginEmitted } from "../../../machines/login.ts";
import type { MembershipEmitted } from "../../../machines/membership.ts";
import type { NotificationsEmitted, notificationsMachine, Words } from "../../../machines/notifications.ts";
import type { OrderCheckEmitted } from "../../../machines/order-check.ts";
import type { OrderEmitted } from "../../../machines/order.ts";
import type { PasswordEmitted } from "../../../machines/password.ts";
import type { ProfileEmitted } from "../../../machines/profile.ts";
import type { navigationMachine } from "../../../machines/navigation.ts";
import type { PullEmitted } from "../../../machines/pull.ts";
import type { PurchaseEmitted } from "../../../machines/purchase.ts";
import type { ReceiptEmitted } from "../../../machines/receipt.ts";
import type { RecoveryEmitted, recoveryMachine } from "../../../machines/recovery.ts";
import type { RegisterEmitted } from "../../../machines/register.ts";
import type { SecurityQuestionEmitted } from "../../../machines/security-question.ts";
import type { SessionEmitted, sessionMachine } from "../../../machines/session.ts";
import type { SessionsEmitted } from "../../../machines/sessions.ts";
import type { SheetEmitted } from "../../../machines/sheet.ts";
import type { PayOnceEmitted } from "../../../machines/pay-once.ts";
import type { PendingOrdersEmitted } from "../../../machines/pending-orders.ts";
import type { Dependencies } from "./dependencies.ts";
import { billOf, paymentOf } from "../navigation/destinations.ts";
import type { Navigation } from "../navigation/navigation.ts";
import { earlierMessages, errorMessage, pleaseLogIn, wentThrough } from "../messages/error-messages.ts";
import {
  accountDeleted,
  copied,
  copyingBlocked,
  loginSucceeded,
  modified,
  orderIdCopied,
  passwordChanged,
  perhapsChanged,
  perhapsDeleted,
  pictureFailed,
  printFailed,
  receiptSaved,
  sessionsEnded,
} from "../messages/screen-toasts.ts";
import { writeSession } from "../ports/session-values.ts";
import type { OrderStore } from "../ports/order-store.ts";

/** Every event that a chart may emit. */
export type Emitted =
  | AccountDeletionEmitted
  | BillEmitted
  | CardEmitted
  | CardResultEmitted
  | CatalogueEmitted
  | CheckoutEmitted
  | ClipboardEmitted
  | DownloadEmitted
  | LanguageEmitted
  | OverlaysEmitted
  | LoginEmitted
  | MembershipEmitted
  | NotificationsEmitted
  | OrderCheckEmitted
  | OrderEmitted
  | PasswordEmitted
  | PayOnceEmitted
  | ProfileEmitted
  | PullEmitted
  | PurchaseEmitted
  | ReceiptEmitted
  | RecoveryEmitted
  | RegisterEmitted
  | SecurityQuestionEmitted
  | SessionEmitted
  | SessionsEmitted
  | SheetEmitted
  | PendingOrdersEmitted;

/** What an effect may use. */
export type EffectContext = {
  session: ActorRefFrom<typeof sessionMachine>;
  /** Shown once the page is seen. */
  tell: (event: EventFrom<typeof notificationsMachine>) => void;
  /** What waits for the page to be seen is not shown. */
  dropUnseen: () => void;
  language: ActorRefFrom<typeof languageMachine>;
  navigationActor: ActorRefFrom<typeof navigationMachine>;
  orderStore: OrderStore;
  navigation: Navigation;
  /** The account that is stored, which another tab may have changed. */
  storedName: () => string | null;
  /** `silent`: the screen says it to a screen reader elsewhere. */
  toast: (words: Words, tone?: "success" | "failure", silent?: boolean) => void;
  /** Answers the question of that id. */
  settleQuestion: (id: string, confirmed: boolean) => void;
  /** Closes the overlay of that id. */
  dismiss: (id: string) => void;
  /** Tells the actors that outlive their screens: each knows its own events. */
  tellScreenActors: (event: EventFrom<typeof checkoutMachine> | EventFrom<typeof recoveryMachine>) => void;
  cancelPrefetched: () => void;
  /** Has the API end the session of that token. */
  endSession: (token: string | null) => void;
};

type Effects = { [T in Emitted["type"]]: (event: Extract<Emitted, { type: T }>) => void };

export function createEffects(dependencies: Dependencies, context: EffectContext): Effects {
  const { session, tell, language, navigationActor, orderStore, storedName, toast } = context;
  /** Shown for longer than a toast, because it says what to do instead. */
  const say = (words: Words) => tell({ type: "notify.requested", notify: { words } });
  const { settleQuestion, dismiss, tellScreenActors, cancelPrefetched, endSession } = context;
  const { navigate, goBack, invalidate } = context.navigation;
  const userName = () => session.getSnapshot().context.userName ?? "";
  const { storage } = dependencies;
  /** Leaves nothing of one account to the next. */
  const changeAccount = () => {
    navigationActor.send({ type: "views.dropped" });
    tellScreenActors({ type: "account.changed" });
  };
  /** @returns false where another account is stored by now: that one stays, and this tab adopts it */
  const forgetSession = (endedName: string | null): boolean => {
    const stored = storedName();
    if (endedName !== null && stored !== null && stored !== endedName) {
      session.send({ type: "storage.changed", userName: stored });
      return false;
    }
    for (const key of ["user_token", "user_name", "user_key", "membership"] as const) storage.remove(key);
    changeAccount();
    return true;
  };
  /** What each payment method leads to. Decisions, "EbPay". */
  const payBy: Record<Method, (offer: Offer) => void> = {
    EbPay: ({ product_id: id }) => navigate({ to: "payUsdt", params: { id } }),
    Razorpay: () => navigate({ to: "cardPayment" }),
    // Within the tap, or the browser blocks the window.
    Stripe: (offer) =>
      tellScreenActors({ type: "checkout.requested", offer, key: dependencies.randomWord() }),
  };

  return {
    "request.failed": ({ error, inForm }) => {
      // The session tells that the user is signed out, once for all calls.
      if (error.kind !== "signedOut") toast(errorMessage(error), "failure", inForm);
    },
    "login.succeeded": (event) => session.send(event),
    // What is kept here under that name is of a deleted account.
    "account.created": ({ accountName }) => orderStore.forget(accountName),
    "register.succeeded": () => {
      // The form has created its account: coming back to it starts a new one.
      navigationActor.send({ type: "views.dropped" });
      navigate({ to: "registerSuccess" });
    },
    "session.began": ({ accountName }) => {
      storage.writeJson("user_key", { account_name: accountName });
      storage.writeText("user_name", accountName);
      changeAccount();
      toast(loginSucceeded, "success");
      navigate({ to: "landing" }, { replace: true, ignoreBlocker: true });
    },
    // The token is about to be deleted here. Another account may be stored by now: that one goes on.
    "session.left": ({ userName: leaving }) => {
      if (storedName() === leaving) endSession(storage.readText("user_token"));
    },
    "session.ended": (event) => {
      if (!forgetSession(event.userName)) return;
      navigate({ to: "login" }, { replace: true, ignoreBlocker: true });
    },
    "session.required": (event) => {
      if (!forgetSession(event.userName)) return;
      // Its orders are kept, because the account may still be there. `account.created` deletes them otherwise.
      if (event.unheard) say(event.unheard === "password" ? perhapsChanged : perhapsDeleted);
      else toast(pleaseLogIn);
      navigate({ to: "login" }, { replace: true, ignoreBlocker: true });
    },
    "ending.sent": (event) => session.send(event),
    "ending.refused": (event) => session.send(event),
    // What waits to be said is about the session before, as "Please log in first" is.
    "session.switched": () => {
      context.dropUnseen();
      changeAccount();
      invalidate();
    },
    "member.read": ({ member: { pack_name, end } }) => {
      if (!pack_name || !end) return storage.remove("membership");
      storage.writeJson("membership", {
        accountName: userName(),
        pack_name,
        pack_exp_date: end.text,
        ends: Date.now() - end.past,
      });
    },
    "offer.chosen": ({ offer, method }) => {
      storage.writeJson("selectedItem", offer);
      payBy[method](offer);
    },
    "order.issued": ({ offer, order }) => {
      const kept = {
        ...order,
        accountName: userName(),
        packId: offer.id,
        productId: offer.product_id,
        packName: offer.name,
      };
      orderStore.keep(kept);
      navigate(paymentOf(kept), { replace: true });
    },
    "network.kept": ({ network }) => writeSession("network", network),
    "payment.begun": ({ orderId, amount, packName, productId, payUrl }) =>
      orderStore.keep({ orderId, amount, packName, productId, payUrl, accountName: userName() }),
    "payment.failed": ({ orderId }) => orderStore.drop(orderId),
    "payment.reported": ({ orderId }) => orderStore.report(orderId),
    "earlier.followed": ({ earlier, isLast }) => {
      const words = earlierMessages[earlier.kind];
      if (words) toast(words);
      const topUp = topUpOf(earlier);
      // An order from another device is kept here too, so that it can be continued in this browser.
      if (earlier.kind !== "paid" && !keptOf(orderStore.orders(), userName(), earlier.order.orderId))
        orderStore.keep(earlier.order);
      navigate(topUp ? paymentOf(topUp) : billOf(earlier.order), { replace: isLast });
    },
    "bill.opened": ({ isLast, ...bill }) => navigate(billOf(bill), { replace: isLast }),
    "order.settled": ({ orderId, isPaid, inBackground }) => {
      const kept = keptOf(orderStore.orders(), userName(), orderId);
      // The user was told that it failed, so they are told when the API says otherwise.
      if (inBackground && isPaid && wasReported(kept)) toast(wentThrough(kept), "success");
      if (isForSelected(kept, storage.readJson("selectedItem"))) storage.remove("selectedItem");
      orderStore.settle(orderId, isPaid);
      tellScreenActors({ type: "order.settled" });
      // An old bill, looked at once more, changes no view.
      if (kept !== null) navigationActor.send({ type: "views.dropped" });
    },
    "order.dropped": ({ orderId }) => orderStore.drop(orderId),
    "reminder.putAway": ({ orderId }) => orderStore.putAway(orderId),
    "card.closed": () => goBack({ to: "account" }),
    "password.changed": () => {
      toast(passwordChanged, "success");
      session.send({ type: "sessions.closed" });
    },
    "account.deleted": () => {
      orderStore.forget(userName());
      toast(accountDeleted, "success");
      session.send({ type: "sessions.closed" });
    },
    "profile.saved": () => {
      toast(modified, "success");
      goBack({ to: "settings" });
    },
    "question.saved": () => toast(modified, "success"),
    "sessions.ended": () => toast(sessionsEnded, "success"),
    "picture.saved": () => toast(receiptSaved, "success"),
    "picture.failed": () => say(pictureFailed),
    "print.failed": () => say(printFailed),
    "recovery.named": ({ accountName }) =>
      navigate({ to: "recoveryPassword", params: { userName: accountName } }),
    "recovery.passwordKept": ({ accountName, handle }) =>
      navigate({
        to: "recoveryQuestion",
        params: { password: handle, userName: accountName },
      }),
    "recovery.succeeded": () => {
      navigationActor.send({ type: "views.dropped" });
      toast(passwordChanged, "success");
      navigate({ to: "login" }, { replace: true });
    },
    "builds.read": ({ builds }) => storage.writeJson("packages", builds),
    "copy.succeeded": ({ what }) => toast(what === "orderId" ? orderIdCopied : copied, "success"),
    "copy.failed": () => say(copyingBlocked),
    "dialog.settled": ({ id, confirmed }) => settleQuestion(id, confirmed),
    "overlay.dismissed": ({ id }) => dismiss(id),
    "sheet.chosen": ({ value }) => language.send({ type: "language.chosen", language: value }),
    "language.changed": (event) => {
      storage.writeText("language", event.language);
      // Prefetched answers are in the other language.
      cancelPrefetched();
    },
    "refresh.requested": () => navigationActor.send({ type: "views.dropped" }),
  };
}
