/** The ports of each chart, by the id of the chart, and the charts provided with them. */
import { fromPromise, StateMachine, type AnyStateMachine, type PromiseActorLogic } from "xstate";
import type { AccountDeletionPorts } from "../../../machines/account-deletion.ts";
import type { BillPorts } from "../../../machines/bill.ts";
import type { CardResultPorts } from "../../../machines/card-result.ts";
import type { CardPorts } from "../../../machines/card-setup.ts";
import type { CataloguePorts } from "../../../machines/catalogue.ts";
import type { CheckoutPorts } from "../../../machines/checkout.ts";
import type { ClipboardPorts } from "../../../machines/clipboard.ts";
import type { DownloadPorts } from "../../../machines/download.ts";
import { CallFailed } from "../../../machines/call-error.ts";
import type { LanguagePorts } from "../../../machines/language.ts";
import type { LoginPorts } from "../../../machines/login.ts";
import type { MembershipPorts } from "../../../machines/membership.ts";
import type { OrderCheckPorts } from "../../../machines/order-check.ts";
import type { OrderHistoryPorts } from "../../../machines/order-history.ts";
import type { OrderPorts } from "../../../machines/order.ts";
import type { PasswordPorts } from "../../../machines/password.ts";
import type { ProfilePorts } from "../../../machines/profile.ts";
import type { PayOncePorts } from "../../../machines/pay-once.ts";
import type { PurchasePorts } from "../../../machines/purchase.ts";
import type { QrPorts } from "../../../machines/qr.ts";
import type { QuestionListPorts } from "../../../machines/question-list.ts";
import type { ReceiptPorts } from "../../../machines/receipt.ts";
import type { RecoveryPorts } from "../../../machines/recovery.ts";
import type { RegisterPorts } from "../../../machines/register.ts";
import type { SecurityQuestionPorts } from "../../../machines/security-question.ts";
import type { SessionsPorts } from "../../../machines/sessions.ts";
import type { SupportPorts } from "../../../machines/support.ts";
import { languageOf } from "../../contract/languages.ts";
import type { Dependencies } from "./dependencies.ts";
import type { PayOnce } from "./pay-once.ts";
import type { Api } from "../ports/api.ts";

type Ports = {
  accountDeletion: AccountDeletionPorts;
  bill: BillPorts;
  card: CardPorts;
  cardResult: CardResultPorts;
  catalogue: CataloguePorts;
  checkout: CheckoutPorts;
  clipboard: ClipboardPorts;
  download: DownloadPorts;
  language: LanguagePorts;
  login: LoginPorts;
  membership: MembershipPorts;
  order: OrderPorts;
  orderCheck: OrderCheckPorts;
  orderHistory: OrderHistoryPorts;
  password: PasswordPorts;
  payOnce: PayOncePorts;
  profile: ProfilePorts;
  purchase: PurchasePorts;
  qr: QrPorts;
  questionList: QuestionListPorts;
  receipt: ReceiptPorts;
  recovery: RecoveryPorts;
  register: RegisterPorts;
  securityQuestion: SecurityQuestionPorts;
  sessions: SessionsPorts;
  support: SupportPorts;
};

/** A type error names the chart whose ports are missing from `Ports`. */
export type Provided<M extends AnyStateMachine> =
  // oxlint-disable-next-line typescript/no-explicit-any -- the other parameters of a machine do not matter here
  M extends StateMachine<any, any, any, infer P, any, any, any, any, any, any, any, any, any, infer S, any>
    ? (S["id"] extends keyof Ports ? Ports[S["id"]] : object) extends {
        // A chart that another invokes is provided with its own.
        [Port in P as Port["logic"] extends AnyStateMachine ? never : Port["src"]]: Port["logic"];
      }
      ? unknown
      : `Ports has not all that ${S["id"]} asks for.`
    : never;

/** The actor of a call; the call is aborted when the actor stops. */
const promiseOf = <Input, Output>(
  call: (input: Input, signal: AbortSignal) => Promise<Output>,
): PromiseActorLogic<Output, Input> => fromPromise(({ input, signal }) => call(input, signal));

function portsOf(dependencies: Dependencies, api: Api, payOnce: PayOnce): Ports {
  const logIn = promiseOf(api.logIn);
  const readOrder = promiseOf(api.readOrder);
  return {
    accountDeletion: { deleteAccount: promiseOf(api.deleteAccount) },
    bill: { readOrder },
    card: {
      createCardOrder: promiseOf(api.createCardOrder),
      openProvider: fromPromise(async ({ signal }) => {
        const [key] = await Promise.all([
          api.readCardKey(signal),
          dependencies.loadCardScript(dependencies.config(), signal),
        ]);
        return { key };
      }),
      payByCard: fromPromise(({ input }) => payOnce.payByCard(input)),
    },
    cardResult: { verifyCard: promiseOf(api.verifyCard), readOrder },
    catalogue: {
      readPackages: fromPromise(({ signal }) => api.readPackages(signal)),
      readMethods: fromPromise(({ signal }) => api.readMethods(signal)),
    },
    checkout: {
      openCheckout: promiseOf(payOnce.openCheckout),
    },
    clipboard: { copyText: fromPromise(({ input }) => dependencies.copyText(input.text)) },
    download: {
      // A card cannot be paid beside the download script: that needs another document, which must find the session in
      // storage.
      readBuilds: fromPromise(({ signal }) =>
        dependencies.storage.lasts
          ? dependencies.readBuilds(dependencies.config(), signal)
          : Promise.reject(new CallFailed({ kind: "unreadable" })),
      ),
      install: fromPromise(({ input }) => dependencies.install(input)),
      openSite: fromPromise(({ input: { device }, signal }) =>
        dependencies.openWindow(
          async () => `${(await dependencies.config()).providerSite}/download/${device}`,
          signal,
        ),
      ),
    },
    language: {
      setLocale: fromPromise(({ input }) =>
        dependencies.setLocale(languageOf(input.language)).catch(() => {
          throw new CallFailed({ kind: "network" });
        }),
      ),
    },
    login: { logIn },
    membership: {
      readMember: fromPromise(({ input: { quiet }, signal }) =>
        api[quiet ? "peekMember" : "readMember"](signal),
      ),
    },
    order: {
      readIssued: promiseOf(api.readIssued),
      readClock: fromPromise(async () => dependencies.clock.now()),
    },
    orderCheck: { readOrder },
    orderHistory: { readOrders: promiseOf(api.readOrders) },
    password: { changePassword: promiseOf(api.changePassword) },
    profile: {
      readParticulars: fromPromise(({ signal }) => api.readMember(signal)),
      saveParticulars: promiseOf(api.saveParticulars),
    },
    payOnce: { findEarlier: promiseOf(payOnce.findEarlier) },
    purchase: { createOrder: promiseOf(api.createOrder) },
    qr: { loadQr: fromPromise(() => dependencies.loadQr()) },
    questionList: { readQuestions: fromPromise(({ signal }) => api.readQuestions(signal)) },
    receipt: {
      readOrder,
      savePicture: fromPromise(({ input }) => dependencies.savePicture(input)),
      print: fromPromise(() => dependencies.print()),
    },
    recovery: { resetPassword: promiseOf(api.resetPassword) },
    register: { logIn, register: promiseOf(api.register) },
    securityQuestion: {
      readQuestion: fromPromise(async ({ signal }) => (await api.readMember(signal)).security_problem),
      saveQuestion: promiseOf(api.saveQuestion),
    },
    sessions: {
      readSessions: fromPromise(({ signal }) => api.readSessions(signal)),
      endSessions: promiseOf(api.endSessions),
    },
    support: {
      openSupport: fromPromise(({ signal }) =>
        dependencies.openWindow(() => api.readContact(signal), signal),
      ),
    },
  };
}

/** @returns provides a chart, and those that it invokes, with their ports, once: the same chart for the same one */
export function createProvide(...from: Parameters<typeof portsOf>) {
  const ports: Partial<Record<string, object>> = portsOf(...from);
  const provided = new Map<AnyStateMachine, AnyStateMachine>();
  const provide = (chart: AnyStateMachine): AnyStateMachine => {
    const cached = provided.get(chart);
    if (cached) return cached;
    const invoked = Object.entries(chart.implementations.actors).flatMap(([src, logic]) =>
      logic instanceof StateMachine ? [[src, provide(logic as AnyStateMachine)] as const] : [],
    );
    const actors = { ...ports[chart.id], ...Object.fromEntries(invoked) };
    const made = Object.keys(actors).length === 0 ? chart : (chart.provide({ actors }) as AnyStateMachine);
    provided.set(chart, made);
    return made;
  };
  return <T extends AnyStateMachine>(chart: T & Provided<T>): T => provide(chart) as T;
}
