/** The service and the bare handler side by side: blocks of the same calls in turn, so that what else the machine does meets both. */
import { randomUUID } from "node:crypto";
import { coinTypes, paths } from "../../src/contract/calls.ts";
import { IDEMPOTENCY_HEADER } from "../../src/contract/envelope.ts";
import { median } from "./report.ts";
import { membersInTurn, orderOf, tokenOf, type Running, type Size } from "./setup.ts";

/** The part of autocannon that is used. Its own types are not installed with the project. */
interface Request {
  method: "GET" | "POST";
  path: string;
  body?: string;
  headers?: Record<string, string>;
  setupRequest: (request: Request) => Request;
}
interface Result {
  duration: number;
  requests: { total: number };
  latency: { p50: number; p99: number; max: number };
  non2xx: number;
  errors: number;
  mismatches: number;
}
type Autocannon = (options: {
  url: string;
  connections: number;
  duration: number;
  requests: Request[];
  verifyBody: (body: string) => boolean;
}) => Promise<Result>;
// By a name in a variable, because it is installed in this folder alone.
const library = "autocannon";
const { default: autocannon } = (await import(library)) as { default: Autocannon };

export const calls = ["order detail", "user centre", "order creation"] as const;
export type Call = (typeof calls)[number];

/** The request of one call, as each member in turn sends it. */
function requestOf(call: Call, size?: Size): Request {
  const memberInTurn = membersInTurn(size);
  const headersOf = (member: number) => ({
    "Content-Type": "application/json",
    Authorization: `Bearer ${tokenOf(member)}`,
  });
  switch (call) {
    case "order detail":
      return {
        method: "POST",
        path: paths.orderDetail,
        setupRequest(request) {
          const member = memberInTurn();
          return {
            ...request,
            headers: headersOf(member),
            body: JSON.stringify({ order_id: orderOf(member) }),
          };
        },
      };
    case "user centre":
      return {
        method: "GET",
        path: paths.centre,
        setupRequest: (request) => ({ ...request, headers: headersOf(memberInTurn()) }),
      };
    case "order creation":
      return {
        method: "POST",
        path: paths.createOrder,
        body: JSON.stringify({ pack_id: "1", product_id: "monthly", coin_type: coinTypes.ERC20 }),
        setupRequest: (request) => ({
          ...request,
          headers: { ...headersOf(memberInTurn()), [IDEMPOTENCY_HEADER]: randomUUID() },
        }),
      };
  }
}

export interface Block {
  /** Calls a second. */
  rate: number;
  /** Microseconds of processor time of the answering process, a call. */
  processor: number;
  /** The same of PostgreSQL's processes. */
  server: number;
  /** In ms. */
  latency: Result["latency"];
}

/** Asks as fast as answers come. @throws Error when an answer was not a success */
export async function fire(
  { origin, processor, server }: Running,
  call: Call,
  connections: number,
  seconds: number,
  size?: Size,
): Promise<Block> {
  const [before, serverBefore] = [processor(), server()];
  const { requests, duration, latency, errors, mismatches, non2xx } = await autocannon({
    url: origin,
    connections,
    duration: seconds,
    requests: [requestOf(call, size)],
    verifyBody: (body) => body.includes('"code":200'),
  });
  const wrong = errors + mismatches + non2xx;
  if (wrong > 0) throw new Error(`${wrong} of ${requests.total} answers to ${call} were no success.`);
  return {
    rate: requests.total / duration,
    processor: ((processor() - before) * 1e6) / requests.total,
    server: ((server() - serverBefore) * 1e6) / requests.total,
    latency,
  };
}

export interface Comparison {
  call: Call;
  service: Block[];
  bare: Block[];
  /** The service's rate as a share of the bare handler's in the same pair: the median. */
  ratio: number;
}

/** @param pairs of blocks that count; one more of each before them warms both up */
export async function compare(
  service: Running,
  bare: Running,
  call: Call,
  { connections, seconds, pairs }: { connections: number; seconds: number; pairs: number },
): Promise<Comparison> {
  const blocks: { service: Block[]; bare: Block[] } = { service: [], bare: [] };
  for (let pair = 0; pair <= pairs; pair += 1) {
    const both = [
      { name: "service" as const, running: service },
      { name: "bare" as const, running: bare },
    ];
    for (const { name, running } of pair % 2 === 0 ? both : both.toReversed()) {
      const block = await fire(running, call, connections, seconds);
      if (pair > 0) blocks[name].push(block);
    }
  }
  const ratios = blocks.service.map(({ rate }, at) => rate / (blocks.bare[at]?.rate ?? Number.NaN));
  return { call, ...blocks, ratio: median(ratios) };
}
