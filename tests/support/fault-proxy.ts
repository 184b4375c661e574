/** A reverse proxy between a browser and the service, with faults: it knows the same ones as a network in this process. */
import { once } from "node:events";
import {
  createServer,
  request,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { arriving, faultOf, type FaultName } from "./faults.ts";

type Answer = { status: number; headers: IncomingHttpHeaders; body: Buffer };

/** @param target the service's origin */
export async function startFaultProxy(target: string) {
  const planned = new Map<string, FaultName>();
  const answered: { path: string; body: string }[] = [];
  const delayed = new Set<() => void>();
  /** A delay lasts until the test ends it. */
  const pause = (ms = 0) => (ms === 0 ? undefined : new Promise<void>((resolve) => delayed.add(resolve)));

  async function ask({ method, url = "/", headers }: IncomingMessage, body: Buffer): Promise<Answer> {
    // What is damaged must be readable.
    const sent = request(new URL(url, target), {
      method,
      headers: { ...headers, "accept-encoding": "identity" },
    });
    sent.end(body);
    const [answer] = (await once(sent, "response")) as [IncomingMessage];
    const whole = { status: answer.statusCode ?? 0, headers: answer.headers, body: await buffer(answer) };
    answered.push({ path: new URL(url, target).pathname, body: whole.body.toString() });
    return whole;
  }

  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const body = await buffer(req);
    const { pathname } = new URL(req.url ?? "/", target);
    const name = planned.get(pathname) ?? "none";
    planned.delete(pathname);
    const { reaches, requestDelay, answerDelay, answer } = faultOf(name);
    await pause(requestDelay);
    const [whole = null] = await Promise.all(Array.from({ length: reaches }, () => ask(req, body)));
    await pause(answerDelay);
    if (whole && answer === "whole") {
      res.writeHead(whole.status, whole.headers).end(whole.body);
      return;
    }
    const type = whole?.headers["content-type"] ?? "";
    const given = arriving(name, whole && { status: whole.status, type, body: whole.body.toString() });
    if (given === null) {
      req.socket.destroy();
      return;
    }
    if (answer !== "half") {
      res.writeHead(given.status, { "content-type": given.type }).end(given.body);
      return;
    }
    // The rest never comes.
    res.writeHead(given.status, { "content-type": given.type, "content-length": whole?.body.length });
    res.write(given.body, () => req.socket.destroy());
  }

  const server = createServer((req, res) => {
    serve(req, res).catch(() => req.socket.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The next call to `path` has that fault. */
    plan: (path: string, name: FaultName) => void planned.set(path, name),
    /** What the service answered there, whether it arrived or not. */
    answers: (path: string) => answered.filter((one) => one.path === path).map(({ body }) => body),
    /** How many calls are delayed now. */
    delayed: () => delayed.size,
    /** Ends every delay. */
    release: () => {
      for (const goOn of delayed) goOn();
      delayed.clear();
    },
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
