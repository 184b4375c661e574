/** What each chart asks of the outside, by the id of the chart, and the charts that have been given it. */
import { fromPromise, type AnyStateMachine, type PromiseActorLogic, type StateMachine } from "xstate";
import type { BillPorts } from "../../machines/bill.ts";
import type { CardPorts } from "../../machines/card-setup.ts";
import type { CataloguePorts } from "../../machines/catalogue.ts";
import type { CheckoutPorts } from "../../machines/checkout.ts";
import type { CopyingPorts } from "../../machines/copying.ts";
import type { DownloadPorts } from "../../machines/download.ts";
import { CallFailed } from "../../machines/failure.ts";
import type { LoginPorts } from "../../machines/login.ts";
import type { MembershipPorts } from "../../machines/membership.ts";
import type { OrderPorts } from "../../machines/order.ts";
import type { PasswordPorts } from "../../machines/password.ts";
import type { ProfilePorts } from "../../machines/profile.ts";
import type { PurchasePorts } from "../../machines/purchase.ts";
import type { QrPorts } from "../../machines/qr.ts";
import type { QuestionListPorts } from "../../machines/question-list.ts";
import type { RecoveryPorts } from "../../machines/recovery.ts";
import type { RegisterPorts } from "../../machines/register.ts";
import type { SecurityQuestionPorts } from "../../machines/security-question.ts";
import type { SessionPorts } from "../../machines/session.ts";
import type { SupportPorts } from "../../machines/support.ts";
import type { TravelPorts } from "../../machines/travel.ts";
import type { Outside } from "./outside.ts";
import type { Api } from "./ports/api.ts";

type Ports = {
  bill: BillPorts;
  card: CardPorts;
  catalogue: CataloguePorts;
  checkout: CheckoutPorts;
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
  recovery: RecoveryPorts;
  register: RegisterPorts;
  securityQuestion: SecurityQuestionPorts;
  session: SessionPorts;
  support: SupportPorts;
  travel: TravelPorts;
};

/** What a chart must be besides, to be given its ports: nothing, where `Ports` has all that it invokes. */
export type Supplied<M extends AnyStateMachine> =
  // oxlint-disable-next-line typescript/no-explicit-any -- the other parameters of a machine do not matter here
  M extends StateMachine<any, any, any, infer P, any, any, any, any, any, any, any, any, any, infer S, any>
    ? (S["id"] extends keyof Ports ? Ports[S["id"]] : object) extends {
        [Port in P as Port["src"]]: Port["logic"];
      }
      ? unknown
      : `Ports has not all that ${S["id"]} asks for.`
    : never;

/** Of a call: the actor that makes it, and gives it up with whoever asked. */
const asking = <Input, Output>(
  call: (input: Input, signal: AbortSignal) => Promise<Output>,
): PromiseActorLogic<Output, Input> => fromPromise(({ input, signal }) => call(input, signal));

function portsOf(outside: Outside, api: Api, fetchRouter: () => Promise<void>): Ports {
  const logIn = asking(api.logIn);
  const readOrder = asking(api.readOrder);
  return {
    bill: { readOrder },
    card: {
      createCardOrder: asking(api.createCardOrder),
      openProvider: fromPromise(async ({ signal }) => {
        const [key] = await Promise.all([
          api.readCardKey(signal),
          outside.loadCardScript(outside.config(), signal),
        ]);
        return { key };
      }),
      payByCard: fromPromise(({ input: { order, key, card } }) => outside.payByCard(order, key, card)),
      verifyCard: asking(api.verifyCard),
      readOrder,
    },
    catalogue: {
      readPackages: fromPromise(({ signal }) => api.readPackages(signal)),
      readMethods: fromPromise(({ signal }) => api.readMethods(signal)),
    },
    checkout: {
      openCheckout: fromPromise(async ({ input, signal }) => {
        const made = {
          orderId: null as string | null,
          packName: input.offer.name,
          productId: input.offer.product_id,
          amount: "",
          createdAt: "",
        };
        const { blocked } = await outside.openWindow(async () => {
          const { payUrl, ...checkout } = await api.createCheckout(input, signal);
          Object.assign(made, checkout);
          return payUrl;
        }, signal);
        return { ...made, blocked };
      }),
    },
    copying: { copyText: fromPromise(({ input }) => outside.copyText(input.text)) },
    download: {
      // Beside its script no card can be paid by: that takes another document, which must know who is signed in.
      readBuilds: fromPromise(({ signal }) =>
        outside.storage.lasts
          ? outside.readBuilds(outside.config(), signal)
          : Promise.reject(new CallFailed({ kind: "unreadable" })),
      ),
      install: fromPromise(({ input }) => outside.install(input)),
      openSite: fromPromise(({ input: { device }, signal }) =>
        outside.openWindow(async () => `${(await outside.config()).providerSite}/download/${device}`, signal),
      ),
    },
    login: { logIn },
    membership: { readMember: fromPromise(({ signal }) => api.readMember(signal)) },
    order: {
      readOrder,
      readIssued: asking(api.readIssued),
      readClock: fromPromise(async () => outside.clock.now()),
    },
    password: { changePassword: asking(api.changePassword) },
    profile: {
      readParticulars: fromPromise(({ signal }) => api.readMember(signal)),
      saveParticulars: asking(api.saveParticulars),
    },
    purchase: { createOrder: asking(api.createOrder) },
    qr: { loadQr: fromPromise(() => outside.loadQr()) },
    questionList: { readQuestions: fromPromise(({ signal }) => api.readQuestions(signal)) },
    recovery: { resetPassword: asking(api.resetPassword) },
    register: { logIn, register: asking(api.register) },
    securityQuestion: {
      readQuestion: fromPromise(async ({ signal }) => (await api.readMember(signal)).security_problem),
      saveQuestion: asking(api.saveQuestion),
    },
    // However long nobody waits for it any more: the API is to hear of it.
    session: { logOut: fromPromise(() => api.logOut()) },
    support: {
      openSupport: fromPromise(({ signal }) => outside.openWindow(() => api.readContact(signal), signal)),
    },
    travel: { fetchRouter: fromPromise(fetchRouter) },
  };
}

/** @returns what gives a chart its ports: the same chart for the same, which comes with its screen, not with the app */
export function supplyFrom(...from: Parameters<typeof portsOf>) {
  const ports: Partial<Record<string, object>> = portsOf(...from);
  const given = new Map<AnyStateMachine, AnyStateMachine>();
  return <T extends AnyStateMachine>(chart: T & Supplied<T>): T => {
    const actors = ports[chart.id];
    // One that asks nothing of the outside is whole as it is.
    if (!actors) return chart;
    const known = given.get(chart) ?? (chart.provide({ actors }) as AnyStateMachine);
    given.set(chart, known);
    return known as T;
  };
}
