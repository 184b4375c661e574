/** Any static host: the built site's files, `/home` being home.html where there is one, index.html for every other address, and the deployment's own `/config.json`. */
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { basename, extname, join, normalize } from "node:path";
import { stop } from "./stand-in.ts";

const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
  ".webmanifest": "application/manifest+json",
};

/** What is served besides the site, by its address: text, or for objects JSON. */
type Extras = (
  origin: string,
  request: IncomingMessage,
  body: Record<string, string>,
) => Record<string, string | object>;

/** What a host does on a bad day, with its pages and its configuration. */
type Trouble = "fails" | "hangs" | null;

/** @param headersOf what a document is sent with besides, by its file and the path that was asked for */
export async function serveSite(
  site: string,
  extras: Extras,
  headersOf?: (file: string, path: string) => Promise<Record<string, string>>,
) {
  let trouble: Trouble = null;
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk as Uint8Array);
    const body = chunks.length
      ? (JSON.parse(Buffer.concat(chunks).toString()) as Record<string, string>)
      : {};
    const path = normalize(decodeURIComponent(new URL(request.url ?? "/", "http://site").pathname));
    const extra = extras(origin, request, body)[path];
    const file = [join(site, path), join(site, `${path}.html`)].find(
      (name) => existsSync(name) && statSync(name).isFile(),
    );
    const isObject = typeof extra === "object";
    const type = isObject ? ".json" : extname(extra === undefined ? (file ?? "index.html") : path);
    // An API whose answers come at another time than now has a clock that says so.
    if (isObject && "server_time" in extra)
      response.setHeader("Date", new Date(Number(extra.server_time)).toUTCString());
    response.setHeader("Content-Type", types[type] ?? "application/octet-stream");
    // As a host is told to: a file of the build that changes has another name. Fonts, too, are the same for as long as anybody looks.
    if (/^\/(assets|fonts|latin)\//.test(path)) response.setHeader("Cache-Control", "max-age=3600");
    if (extra !== undefined) return void response.end(isObject ? JSON.stringify(extra) : extra);
    const sent = file ?? join(site, "index.html");
    if (extname(sent) === ".html" && headersOf)
      response.setHeaders(new Map(Object.entries(await headersOf(basename(sent), path))));
    createReadStream(sent).pipe(response);
  }
  const server = createServer((request, response) => {
    if (trouble && /^\/(?:[^.]*|config\.json)$/.test(request.url ?? "")) {
      if (trouble === "fails") response.writeHead(503).end();
      return;
    }
    answer(request, response).catch(() => response.writeHead(500).end());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    /** From now on, until it is told otherwise. */
    have: (next: Trouble) => {
      trouble = next;
    },
    stop: () => stop(server),
  };
}
