/** What it costs the built service to read what it missed of a busy network, against a stand-in for a node of Tron on this machine: a part of `npm run watcher-cost`. `-- --blocks 7200` reads a quarter of a day; `-- --before <folder>` measures an earlier checkout in the same run, first; `-- --rest 60` begins a minute after the start. */
// oxlint-disable no-console -- a tool answers on the console
import { execFileSync, fork, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { loadavg, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { freePort, temporaryDatabase } from "../support/temporary-database.ts";

/** As USDT has on Tron: about two million in a day of 28,800 blocks. */
const TRANSFERS = 70;
const DAY = 28_800;
const DEPTH = 19;
const BEGUN = 1_000;
/** By java-tron's own limits. */
const MOST_BLOCKS = 5_000;
const MOST_LOGS = 10_000;
const USDT = "a614f803b6fd780986a42c78ec9c7f77e6ded13c";
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const CHAIN_ID = 728_126_428;
const XPUB =
  "xpub6D4BDPcP2GT577Vvch3R8wDkScZWzQzMMUm3PWbmWvVJrZwQY4VUNgqFJPMM3No2dFDFGTsxxpG5uJh7n7epu4trkrX7x7DogT5Uv6fcLW5";

const hex = (value: number, length = 64) => value.toString(16).padStart(length, "0");

/** Answers as a node of Tron, in a process of its own; it has more blocks when it is told so. */
function answerAsNode(): void {
  let head = BEGUN;
  const questions: Record<string, number> = {};
  const hashOf = (block: number) => `0x${hex(block)}`;
  const blockOf = (block: number) => ({
    number: `0x${block.toString(16)}`,
    hash: hashOf(block),
    parentHash: hashOf(block - 1),
    timestamp: `0x${Math.floor(Date.now() / 1000 - (head - block) * 3).toString(16)}`,
  });
  const logsOf = (block: number) =>
    Array.from(
      { length: TRANSFERS },
      (_, at) =>
        `{"address":"0x${USDT}","topics":["${TRANSFER}","0x${hex(block * 131 + at)}","0x${hex(block * 137 + at)}"],"data":"0x${hex(1_000_000 + at)}","blockNumber":"0x${block.toString(16)}","blockHash":"${hashOf(block)}","transactionHash":"0x${hex(block * TRANSFERS + at)}","transactionIndex":"0x${at.toString(16)}","logIndex":"0x${at.toString(16)}","removed":false}`,
    ).join(",");

  function resultOf(method: string, [first]: readonly unknown[]): string {
    questions[method] = (questions[method] ?? 0) + 1;
    if (method === "eth_chainId") return JSON.stringify(`0x${CHAIN_ID.toString(16)}`);
    if (method === "eth_call") {
      const { data } = first as { data: string };
      // decimals() is 6; nothing else is answered.
      return data === "0x313ce567" ? JSON.stringify(`0x${hex(6)}`) : '"0x"';
    }
    if (method === "eth_getBlockByNumber") {
      const at = first === "latest" ? head : first === "finalized" ? head - DEPTH : Number(first);
      return JSON.stringify(at > head ? null : blockOf(at));
    }
    const { fromBlock, toBlock } = first as { fromBlock: string; toBlock: string };
    const [from, to] = [Number(fromBlock), Math.min(head, Number(toBlock))];
    if (to - from >= MOST_BLOCKS) throw new Error("exceed max block range: 5000");
    if ((to - from + 1) * TRANSFERS > MOST_LOGS) throw new Error("query returned more than 10000 results");
    const blocks = Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => logsOf(from + at));
    return `[${blocks.join(",")}]`;
  }

  async function bodyOf(request: IncomingMessage): Promise<string> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    return Buffer.concat(parts).toString();
  }
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const {
      id,
      method,
      params = [],
    } = JSON.parse(await bodyOf(request)) as { id: number; method: string; params?: unknown[] };
    response.setHeader("Content-Type", "application/json");
    try {
      response.end(`{"jsonrpc":"2.0","id":${id},"result":${resultOf(method, params)}}`);
    } catch (error) {
      const { message } = error as Error;
      response.end(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32_005, message } }));
    }
  }
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
  process.on("message", (more: number) => {
    head += more;
    process.send?.({ head, questions: { ...questions } });
  });
}

/** Ms between two looks of the service's own thread at the clock, and from which on a delay is written down. */
const TICK = 5;
const PAUSE = 10;
/** Runs in the service: writes down each pause of its thread, and how long of it the thread was ready and had no processor. */
const watchPauses = (file: string) => `
  import { appendFileSync, readFileSync } from "node:fs";
  import { isMainThread } from "node:worker_threads";
  const waited = () => Number(readFileSync("/proc/self/task/" + process.pid + "/schedstat", "utf8").split(" ")[1]) / 1e6;
  let [last, before] = [performance.now(), 0];
  if (isMainThread) setInterval(() => {
    const [pause, wait] = [performance.now() - last - ${TICK}, waited()];
    if (pause > ${PAUSE}) appendFileSync(${JSON.stringify(file)}, [Date.now(), pause, wait - before].join(" ") + "\\n");
    [last, before] = [performance.now(), wait];
  }, ${TICK}).unref();`;

/** The longest pause since a time, and the longest but for what a thread waited for a processor, in ms. */
function pausesIn(file: string, since: number): { pause: number; own: number } {
  const lines = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
  const pauses = lines.map((line) => line.split(" ").map(Number)).filter(([at = 0]) => at >= since);
  return {
    pause: Math.max(0, ...pauses.map(([, pause = 0]) => pause)),
    own: Math.max(0, ...pauses.map(([, pause = 0, wait = 0]) => pause - wait)),
  };
}

interface Told {
  head: number;
  questions: Record<string, number>;
}

/** What is measured of a service: seconds of the whole and of the processor, MB, ms, questions to the node. */
interface Cost {
  seconds: number;
  processor: number;
  peak: number;
  atRest: number;
  pause: number;
  /** The longest, but for what it waited for a processor. */
  own: number;
  questions: number;
}

const sum = (values: Record<string, number>) => Object.values(values).reduce((all, each) => all + each, 0);

const { values } = parseArgs({
  options: {
    node: { type: "boolean" },
    blocks: { type: "string", default: String(DAY) },
    before: { type: "string" },
    /** Of Node, as the ready files have them; seconds from the start until the outage begins. */
    options: { type: "string", default: "--max-semi-space-size=4" },
    rest: { type: "string", default: "0" },
  },
});

async function measure(folder: string, blocks: number): Promise<Cost> {
  execFileSync("npm", ["run", "--silent", "build:service"], { cwd: folder });
  const node = fork(import.meta.filename, ["--node"]);
  const ask = async (more: number): Promise<Told> => {
    node.send(more);
    return ((await once(node, "message")) as [Told])[0];
  };
  const [{ port }] = (await once(node, "message")) as [{ port: number }];
  const server = process.env["TEST_DATABASE_URL"];
  const database = server === undefined ? null : await temporaryDatabase(server);
  const data = mkdtempSync(join(tmpdir(), "catch-up-"));
  const pauses = `${data}-pauses`;
  const watch = `--import=data:text/javascript,${encodeURIComponent(watchPauses(pauses))}`;
  const metricsPort = await freePort();
  const start = (): ChildProcess =>
    spawn(process.execPath, [...process.execArgv, "build/service.js"], {
      cwd: folder,
      env: {
        PATH: process.env["PATH"],
        MALLOC_ARENA_MAX: "2",
        NODE_OPTIONS: `${values.options} ${watch}`,
        PORT: "0",
        DATA_DIR: data,
        ...(database && { DATABASE_URL: database.location }),
        METRICS_PORT: String(metricsPort),
        PAYMENTS: "live",
        TRC20_XPUB: XPUB,
        TRC20_NODES: `http://127.0.0.1:${port}`,
      },
      stdio: ["ignore", "ignore", "inherit"],
    });
  const metrics = async () => {
    const text = await fetch(`http://127.0.0.1:${metricsPort}/metrics`).then(
      (answer) => answer.text(),
      () => "",
    );
    return (name: string) => {
      const line = text.split("\n").find((each) => each.startsWith(`${name} `));
      return line === undefined ? NaN : Number(line.slice(name.length));
    };
  };
  const block = 'everlit_network_block{network="TRC20"}';
  /** Of the process at this moment, in MB. */
  const resident = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${service.pid}/status`, "utf8"))?.[1]) / 1024;
  let service = start();
  const isReading = async () => {
    while (!((await metrics())(block) >= BEGUN - DEPTH)) await setTimeout(200);
  };
  try {
    await isReading();
    // The first start of all makes the embedded database's files, in twice the memory, which is not what is measured.
    if (!database) {
      const ended = once(service, "exit");
      service.kill();
      await ended;
      service = start();
      await isReading();
    }
    await setTimeout(Number(values.rest) * 1_000);
    const atRest = resident();
    const before = await metrics();
    const { head, questions } = await ask(blocks);
    const [begun, begunAt] = [performance.now(), Date.now()];
    let peak = 0;
    let now = before;
    while (!(now(block) >= head - DEPTH)) {
      await setTimeout(250);
      now = await metrics();
      peak = Math.max(peak, resident());
    }
    const cpu = "process_cpu_seconds_total";
    return {
      seconds: (performance.now() - begun) / 1000,
      processor: now(cpu) - before(cpu),
      peak,
      atRest,
      ...pausesIn(pauses, begunAt),
      questions: sum((await ask(0)).questions) - sum(questions),
    };
  } finally {
    const closed = once(service, "exit");
    service.kill("SIGKILL");
    node.kill();
    await closed;
    await database?.drop();
    rmSync(data, { recursive: true, force: true });
    rmSync(pauses, { force: true });
  }
}

if (values.node === true) answerAsNode();
else {
  const blocks = Number(values.blocks);
  const trees = [...(values.before === undefined ? [] : [resolve(values.before)]), process.cwd()];
  const rows = [];
  for (const tree of trees) {
    const cost = await measure(tree, blocks);
    rows.push({
      what: tree === process.cwd() ? "now" : "before",
      seconds: cost.seconds.toFixed(0),
      "seconds of processor": cost.processor.toFixed(1),
      "… for a day": ((cost.processor * DAY) / blocks).toFixed(0),
      "MB at rest": cost.atRest.toFixed(0),
      "MB at most": cost.peak.toFixed(0),
      "longest pause, ms": cost.pause.toFixed(0),
      "… but for waiting for a processor": cost.own.toFixed(0),
      questions: cost.questions,
    });
  }
  console.log(
    `${blocks} blocks of ${TRANSFERS} transfers, ${((100 * blocks) / DAY).toFixed(0)} % of a day, on ${process.env["TEST_DATABASE_URL"] === undefined ? "the embedded database" : "PostgreSQL"}; load of the machine ${loadavg()[0]?.toFixed(1)}.`,
  );
  console.table(rows);
}
