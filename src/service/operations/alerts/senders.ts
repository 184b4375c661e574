/** The ways by which operators are told: mail, Telegram and ntfy. Each takes a message or says why it did not. */
import { LRUCache } from "lru-cache";
import { createTransport } from "nodemailer";
import { SECOND } from "../../../contract/durations.ts";
import { factsOf } from "../../platform/log.ts";
import { isLoopback, type AlertSettings } from "../../settings.ts";

export const channels = ["mail", "telegram", "ntfy"] as const;
export type Channel = (typeof channels)[number];

/** `id` is the same however often it is sent. */
export interface Message {
  id: string;
  title: string;
  text: string;
}

/** Ms in which a message is taken. */
const ANSWER_TIMEOUT = 15 * SECOND;

/** Sends a message. @throws Error with why it was not taken */
export type Send = (message: Message, signal: AbortSignal) => Promise<void>;

type Receiver = string | { address: string };

const addressOf = (receiver: Receiver) =>
  (typeof receiver === "string" ? receiver : receiver.address).toLowerCase();

/** What a mail server answered for each receiver. */
interface Answered {
  accepted?: readonly Receiver[];
  rejected: readonly Receiver[];
  rejectedErrors?: readonly Error[] | undefined;
}

/** Where all were refused, it is an error that holds the same. */
function refusedAll(error: unknown): Answered {
  if (error instanceof Error && "rejected" in error) return error as Error & Answered;
  throw error;
}

function mailer({ url, from, to }: NonNullable<AlertSettings["mail"]>): Send {
  const { hostname, username } = new URL(url);
  /** By a message's id, who took it where others were refused: it is sent to those alone again. */
  const tookIt = new LRUCache<string, readonly string[]>({ max: 1_000 });
  return async ({ id, title, text }, signal) => {
    const transport = createTransport({
      url,
      connectionTimeout: ANSWER_TIMEOUT,
      greetingTimeout: ANSWER_TIMEOUT,
      socketTimeout: ANSWER_TIMEOUT,
      // A password goes to another machine by an encrypted connection, or not at all.
      requireTLS: username !== "" && !isLoopback(hostname),
    });
    const stop = () => transport.close();
    signal.addEventListener("abort", stop);
    try {
      const host = from.slice(from.lastIndexOf("@") + 1).replace(/>$/, "");
      const took = tookIt.get(id) ?? [];
      const left = to.filter((address) => !took.includes(address.toLowerCase()));
      const mail = {
        from,
        to: [...to],
        envelope: { from, to: left },
        subject: title,
        text,
        messageId: `<${id}@${host}>`,
        // No vacation notice answers it.
        headers: { "Auto-Submitted": "auto-generated" },
      };
      const answered: Answered = await transport.sendMail(mail).catch(refusedAll);
      const { accepted = [], rejected, rejectedErrors: [reason] = [] } = answered;
      if (rejected.length === 0) return;
      tookIt.set(id, [...took, ...accepted.map(addressOf)]);
      throw new Error(`${rejected.map(addressOf).join(", ")}: ${reason?.message}`);
    } finally {
      signal.removeEventListener("abort", stop);
      stop();
    }
  };
}

async function post(url: string, body: object, headers: Record<string, string>, signal: AbortSignal) {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
    redirect: "error",
    signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_TIMEOUT)]),
  });
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
}

const telegram =
  ({ api, token, chat }: NonNullable<AlertSettings["telegram"]>): Send =>
  ({ title, text }, signal) =>
    post(`${api}/bot${token}/sendMessage`, { chat_id: chat, text: `${title}\n\n${text}` }, {}, signal);

function ntfy({ url, token }: NonNullable<AlertSettings["ntfy"]>): Send {
  const { origin, pathname } = new URL(url);
  const topic = pathname.slice(1);
  const headers: Record<string, string> = token === null ? {} : { Authorization: `Bearer ${token}` };
  return ({ title, text }, signal) => post(origin, { topic, title, message: text }, headers, signal);
}

/** The ways that are set. */
export function sendersOf(settings: AlertSettings): Partial<Record<Channel, Send>> {
  return {
    ...(settings.mail && { mail: mailer(settings.mail) }),
    ...(settings.telegram && { telegram: telegram(settings.telegram) }),
    ...(settings.ntfy && { ntfy: ntfy(settings.ntfy) }),
  };
}

/** Sends a message. @returns why it was not taken, without the secrets that its address may hold; null when it was */
export async function refusalOf(send: Send, message: Message, signal: AbortSignal): Promise<string | null> {
  try {
    await send(message, signal);
    return null;
  } catch (error) {
    return factsOf(error)["error"] ?? "";
  }
}
