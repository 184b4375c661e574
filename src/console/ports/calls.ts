/** The page's calls: each a POST to its own origin, each answer or error in the charts' words. */
import { CallFailed } from "../../../machines/call-error.ts";
import type { ConsoleChangePorts, GivenCommand } from "../../../machines/console-change.ts";
import type { OperatorSessionPorts } from "../../../machines/operator-session.ts";
import type { ConsoleDownloadPorts, FileProgress } from "../../../machines/console-download.ts";
import type { ConsoleReadingPorts } from "../../../machines/console-reading.ts";
import { startAuthentication, startRegistration } from "@simplewebauthn/browser";
import { fromPromise } from "xstate";
import { saveFile } from "./browser.ts";
import { readMade } from "./made-file.ts";
import { csvCell } from "../../contract/csv.ts";
import {
  consoleCalls,
  LINES,
  MADE,
  type QueryAnswer,
  type Done,
  type ListName,
  type ShownChange,
  type Whoami,
} from "../../contract/console.ts";

/** What a screen reads. */
export type Question =
  | { call: "today" }
  | { call: "packages" }
  | { call: "backups" }
  | { call: "find"; text: string }
  | { call: "order"; order: string }
  | { call: "member"; name: string }
  | { call: "list"; list: ListName; filter: string };

type Tell = (progress: FileProgress) => void;

/** What the service answered, by its type. @throws CallFailed, or an Error where it is not whole */
async function answerIn(response: Response, tell: Tell): Promise<unknown> {
  switch (response.headers.get("Content-Type")) {
    case LINES:
      // Not as a text: a browser keeps a large file on its disk.
      return { data: { file: await response.blob() } };
    case MADE:
      if (response.body === null) throw new Error("There is no body.");
      return { data: await readMade(response.body, tell) };
    default:
      return response.json();
  }
}

/** Asks the service once. @param tell told how far a file is that is made @throws CallFailed */
async function post<T>(
  path: string,
  body: object,
  signal: AbortSignal | null,
  tell: Tell = () => undefined,
): Promise<T> {
  let response: Response;
  let answer: { data?: T; refused?: string };
  try {
    response = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal,
    });
    answer = (await answerIn(response, tell)) as typeof answer;
  } catch (error) {
    throw error instanceof CallFailed ? error : new CallFailed({ kind: "network" });
  }
  if (response.ok) return answer.data as T;
  const { status } = response;
  if (status === 401) throw new CallFailed({ kind: "signedOut" });
  if (status === 422) throw new CallFailed({ kind: "refused", code: status, message: answer.refused ?? "" });
  throw new CallFailed({ kind: "http", status, path });
}

type ProofWanted = Parameters<typeof startAuthentication>[0]["optionsJSON"];
type PasskeyWanted = Parameters<typeof startRegistration>[0]["optionsJSON"];

/** What a device answers; null where the person closed its question, or let its time go by. @throws CallFailed where it cannot answer */
const unlessDismissed = <T>(answer: Promise<T>): Promise<T | null> =>
  answer.catch(({ name, message }: Error) => {
    if (name === "NotAllowedError" || name === "AbortError") return null;
    throw new CallFailed({ kind: "refused", code: 0, message });
  });

/** A device that has a passkey of this operator makes no second one. */
const ALREADY_THERE = "InvalidStateError";

const textOf = (value: unknown) => (typeof value === "string" || typeof value === "number" ? value : "");

/** Rows as CSV: a column for each name that any row has. */
function csvOf(rows: readonly Record<string, unknown>[]): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return [names, ...rows.map((row) => names.map((name) => textOf(row[name])))]
    .map((cells) => cells.map(csvCell).join(","))
    .join("\n");
}

const plainGiven = ({ command, args, options }: GivenCommand) => ({ command, args, options });
const doneOf = ({ entry, rows }: Done) => ({ entry, answer: rows });

/** @param onSignedOut told when a call finds that the session is over */
export function createCalls(onSignedOut: () => void) {
  const postOrEnd = async <T>(
    path: string,
    body: object,
    signal: AbortSignal | null,
    tell?: Tell,
  ): Promise<T> => {
    try {
      return await post<T>(path, body, signal, tell);
    } catch (error) {
      if (error instanceof CallFailed && error.error.kind === "signedOut") onSignedOut();
      throw error;
    }
  };
  /** The latest answer, with the table of commands. */
  let operator: Whoami | null = null;
  const whoami = async (signal: AbortSignal) =>
    (operator = await post<Whoami>(consoleCalls.whoami, {}, signal));

  const session: OperatorSessionPorts = {
    enter: fromPromise(async ({ input: { link }, signal }) => {
      await post(consoleCalls.enter, { link }, signal);
      return whoami(signal);
    }),
    enterByPasskey: fromPromise(async ({ signal }) => {
      const wanted = await post<ProofWanted>(consoleCalls.proof, {}, signal);
      const proof = await unlessDismissed(startAuthentication({ optionsJSON: wanted }));
      if (proof === null) return null;
      await post(consoleCalls.enterByPasskey, proof, signal);
      return whoami(signal);
    }),
    addPasskey: fromPromise(async ({ signal }) => {
      const wanted = await postOrEnd<PasskeyWanted>(consoleCalls.newPasskey, {}, signal);
      const made = await unlessDismissed(
        startRegistration({ optionsJSON: wanted }).then(
          (passkey) => ({ passkey }),
          (error: Error) => {
            if (error.name === ALREADY_THERE) return { passkey: null };
            throw error;
          },
        ),
      );
      if (made?.passkey) await postOrEnd(consoleCalls.addPasskey, made.passkey, signal);
      return made !== null;
    }),
    whoami: fromPromise(async ({ signal }) => whoami(signal)),
    leave: fromPromise(async ({ signal }) => post<void>(consoleCalls.leave, {}, signal)),
  };
  const reading: ConsoleReadingPorts = {
    read: fromPromise(async ({ input: { question, cursor, atLeast }, signal }) => {
      const { call, ...body } = question as Question;
      if (call !== "list") return { items: [await postOrEnd(consoleCalls[call], body, signal)], next: null };
      const items: unknown[] = [];
      let next = cursor;
      do {
        const asked = { ...body, cursor: next };
        const page = await postOrEnd<{ rows: unknown[]; next: string | null }>(
          consoleCalls.list,
          asked,
          signal,
        );
        items.push(...page.rows);
        ({ next } = page);
      } while (next !== null && items.length < atLeast);
      return { items, next };
    }),
  };
  const change: ConsoleChangePorts = {
    preview: fromPromise(async ({ input: { given }, signal }) => {
      type Shown = { change: ShownChange } | { done: Done };
      const shown = await postOrEnd<Shown>(consoleCalls.preview, plainGiven(given), signal);
      if ("done" in shown) return { done: doneOf(shown.done) };
      const { confirm, digest } = shown.change;
      return { preview: { confirm, digest, details: shown.change } };
    }),
    // Not given up when the screen is left: it may have been done already.
    perform: fromPromise(async ({ input: { given, shown } }) =>
      doneOf(await postOrEnd<Done>(consoleCalls.perform, { ...plainGiven(given), shown }, null)),
    ),
  };
  /** @param tell told how far a file is that is made */
  const downloadsTelling = (tell: Tell): ConsoleDownloadPorts => ({
    download: fromPromise(async ({ input: { command, args }, signal }) => {
      const asked = { command, args, options: {} };
      const answer = await postOrEnd<QueryAnswer>(consoleCalls.ask, asked, signal, tell);
      if ("entry" in answer) {
        saveFile(answer.name, answer.file);
        return { entry: answer.entry };
      }
      const content = "file" in answer ? answer.file : csvOf(answer.rows);
      saveFile([command, ...args].join("-") + ".csv", new Blob([content], { type: "text/csv" }));
      return { entry: null };
    }),
    // Not given up when the session ends meanwhile: the file is there.
    confirm: fromPromise(async ({ input }) => postOrEnd<void>(consoleCalls.backupReceived, input, null)),
  });
  return { session, reading, change, downloadsTelling, table: () => operator?.commands ?? [] };
}
export type Calls = ReturnType<typeof createCalls>;
