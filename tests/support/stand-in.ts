/** Another party's API: answers what section 7 of the specification names, and nothing that is ours alone. */
import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { once } from "node:events";

/** What an account of the stand-in holds. */
interface Member {
  account_name: string;
  password: string;
  name: string | null;
  sex: string | null;
  birth_date: string | null;
  pack_name: string | null;
  pack_exp_date: string | null;
  security_problem: string | null;
  answer: string;
}

interface Order {
  order_id: number;
  status: number;
  payment_amount: string;
  created_at: string;
  owner: string;
  pack: Pack;
}

type Pack = (typeof packs)[number];
type Body = Record<string, string | number>;
type Outcome = { code: number; message: string; data?: unknown };

const packs = [
  {
    id: 11,
    name: "Monthly",
    product_id: 71,
    price: "12.00",
    buy_price: "9.90",
    day_price: "0.33",
    discount: "82.5",
  },
  {
    id: 12,
    name: "Yearly",
    product_id: 72,
    price: "99.00",
    buy_price: "79.00",
    day_price: "0.22",
    discount: "79",
  },
];
const questions = ["What was your first pet?", "Where did you go to school?"];
/** By coin type. */
const addresses: Record<string, string> = {
  "4": "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
  "2": "0xdAC17F958D2ee523a2206206994597C13D831ec7",
};
export const SUPPORT_SITE = "https://support.example/";
export const CHECKOUT_SITE = "https://checkout.example/";

const ok = (data: unknown = null): Outcome => ({ code: 200, message: "success", data });
const no = (message: string): Outcome => ({ code: 1, message });
const nobody: Outcome = { code: 4001, message: "please log in first" };
/** Without a zone, as many write it. */
const now = () => new Date().toISOString().slice(0, 19).replace("T", " ");

export type StandIn = Awaited<ReturnType<typeof startStandIn>>;

/** Starts it on a free port of this machine. */
export async function startStandIn() {
  const members = new Map<string, Member>();
  const holders = new Map<string, string>();
  const orders: Order[] = [];
  /** What was asked for that section 7 does not name. */
  const strays: string[] = [];

  function order(owner: string, body: Body): Order {
    const pack = packs.find(({ product_id }) => product_id === Number(body["product_id"]));
    if (!pack || pack.id !== Number(body["pack_id"])) throw new Error("No such package.");
    const made = {
      order_id: 1001 + orders.length,
      status: 0,
      payment_amount: pack.buy_price,
      created_at: now(),
      owner,
      pack,
    };
    orders.push(made);
    return made;
  }

  /** What anybody may ask. */
  const open: Record<string, (body: Body) => Outcome> = {
    "POST /api/login": ({ account_name, password }) => {
      const member = members.get(String(account_name));
      if (!member || member.password !== password) return no("Wrong account or password.");
      const token = randomUUID();
      holders.set(token, member.account_name);
      return ok({ token, user: { account_name: member.account_name } });
    },
    "POST /api/register": ({ account_name, password }) => {
      const name = String(account_name);
      if (members.has(name)) return no("That account exists.");
      members.set(name, {
        account_name: name,
        password: String(password),
        name: null,
        sex: null,
        birth_date: null,
        pack_name: null,
        pack_exp_date: null,
        security_problem: null,
        answer: "",
      });
      return ok();
    },
    "GET /api/security_problem_list": () => ok(questions),
    "GET /api/payment_method_list": () =>
      ok([
        { payment_method: "EbPay", open: "1" },
        { payment_method: "Razorpay", open: "1" },
        { payment_method: "Stripe", open: "1" },
        { payment_method: "Carrier pigeon", open: "1" },
      ]),
    "GET /api/packegs/list": () => ok([{}, [], packs]),
    "GET /api/contact/url": () => ok([{ contact_url: SUPPORT_SITE }]),
    "POST /api/problem_change_password": (body) => {
      const member = members.get(String(body["account_name"]));
      const isRight =
        member?.security_problem === body["security_problem"] &&
        member?.answer === body["security_problem_value"] &&
        body["new_password"] === body["new_password_confirmation"];
      if (!member || !isRight) return no("That did not match.");
      member.password = String(body["new_password"]);
      return ok();
    },
  };

  /** The calls that only a signed-in user may make. */
  const own: Record<string, (member: Member, body: Body, token: string) => Outcome> = {
    "POST /api/logout": (_, __, token) => {
      holders.delete(token);
      return ok();
    },
    "GET /api/user/center": ({ password: _password, answer: _answer, ...user }) => ok({ user }),
    "POST /api/user/update_info": (member, { name, sex, birth_date }) => {
      Object.assign(member, { name, sex, birth_date: `${birth_date} 00:00:00` });
      return ok();
    },
    "POST /api/user/change_password": (member, body) => {
      if (member.password !== body["old_password"]) return no("The old password is wrong.");
      member.password = String(body["new_password"]);
      return ok();
    },
    "POST /api/user/save_security_problem": (member, body) => {
      if (member.security_problem !== null) return no("It is set already.");
      member.security_problem = String(body["security_problem"]);
      member.answer = String(body["security_problem_value"]);
      return ok();
    },
    "POST /api/order/create": ({ account_name }, body) => {
      const { order_id, payment_amount } = order(account_name, body);
      const made = { order: { order_id, payment_amount } };
      return "payment_method" in body
        ? ok({ ...made, payUrl: `${CHECKOUT_SITE}${order_id}` })
        : ok({ ...made, payData: { address: addresses[String(body["coin_type"])] } });
    },
    "POST /api/razorpay/order/create": ({ account_name }, body) => {
      const { order_id, payment_amount } = order(account_name, body);
      return ok({ order: { order_id, payment_amount, third_reference_id: `order_${order_id}` } });
    },
    "POST /api/order/detail": ({ account_name }, body) => {
      const found = orders.find(
        ({ order_id, owner }) => order_id === Number(body["order_id"]) && owner === account_name,
      );
      if (!found) return no("No such order.");
      const { order_id, status, payment_amount, created_at } = found;
      return ok({ order_id, status, payment_amount, created_at });
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // The site is elsewhere; of an answer's own headers a browser then shows it none, the Date included.
    response.setHeader("Access-Control-Allow-Origin", "*");
    response.setHeader(
      "Access-Control-Allow-Headers",
      request.headers["access-control-request-headers"] ?? "*",
    );
    if (request.method === "OPTIONS") return void response.writeHead(204).end();
    const call = `${request.method} ${request.url}`;
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk as Uint8Array);
    const body = (chunks.length ? JSON.parse(Buffer.concat(chunks).toString()) : {}) as Body;
    const send = (outcome: object) => {
      response.setHeader("Content-Type", "application/json");
      response.end(JSON.stringify(outcome));
    };
    if (call === "GET /api/razorpay/key") return send({ key: "key_of_the_shop" });
    const token = (request.headers.authorization ?? "").replace(/^Bearer /, "");
    const member = members.get(holders.get(token) ?? "");
    const [everybodys, members_] = [open[call], own[call]];
    if (everybodys) return send(everybodys(body));
    if (!members_) {
      strays.push(call);
      return void response.writeHead(404).end();
    }
    send(member ? members_(member, body, token) : nobody);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.writeHead(500).end());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    members,
    orders,
    strays,
    /** The money has come, or never will. */
    settle: (orderId: string | number, status: 1 | 9) => {
      const found = orders.find(({ order_id }) => order_id === Number(orderId));
      const member = members.get(found?.owner ?? "");
      if (!found || !member) throw new Error(`There is no order ${orderId}.`);
      found.status = status;
      if (status === 1)
        Object.assign(member, { pack_name: found.pack.name, pack_exp_date: "2030-05-06 07:08:09" });
    },
    stop: () => stop(server),
  };
}

/** Ends a server and every connection to it. */
export async function stop(server: ReturnType<typeof createServer>): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
}
