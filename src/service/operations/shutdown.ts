/** Ends the HTTP server in order: what was asked is answered, and nothing more is taken on. */
import type { Server, ServerResponse } from "node:http";

function announceEnd(answer: ServerResponse): void {
  if (!answer.headersSent) answer.setHeader("Connection", "close");
}

/** @returns what ends it: after `patience` ms also what has not been answered by then */
export function drainable(server: Server): (patience: number) => Promise<void> {
  const underWay = new Set<ServerResponse>();
  let draining = false;
  // Before the service's own listener, which may answer at once.
  server.prependListener("request", (_, answer: ServerResponse) => {
    if (draining) announceEnd(answer);
    underWay.add(answer);
    answer.once("close", () => {
      underWay.delete(answer);
      // What was on its way when the end came could not announce it.
      if (draining) server.closeIdleConnections();
    });
  });
  return async (patience) => {
    draining = true;
    underWay.forEach(announceEnd);
    const timer = setTimeout(() => server.closeAllConnections(), patience);
    // This refuses new connections, and closes those without a request.
    await new Promise<void>((resolve) => void server.close(() => resolve()));
    clearTimeout(timer);
  };
}
