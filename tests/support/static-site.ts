/** Any static host: the built site's files, index.html for every other address, and the deployment's own `/config.json`. */
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
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

/** @param files what is served besides the site, by its address: text, or for objects JSON */
export async function serveSite(site: string, files: (origin: string) => Record<string, string | object>) {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? "/", "http://site").pathname));
    const extra = files(origin)[path];
    const file = join(site, path);
    const isFile = existsSync(file) && statSync(file).isFile();
    const type = extra === undefined && !isFile ? ".html" : extname(path);
    response.setHeader("Content-Type", types[type] ?? "application/octet-stream");
    if (extra !== undefined)
      return void response.end(typeof extra === "string" ? extra : JSON.stringify(extra));
    createReadStream(isFile ? file : join(site, "index.html")).pipe(response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, stop: () => stop(server) };
}
