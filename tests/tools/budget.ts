/** `npm run check:size`: what a screen makes a phone load, measured in the build itself and on the wire, against what it may. `docs/performance.md` says why so much. */
import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { languages } from "../../src/contract/languages.ts";
import { buildApp } from "../../src/service/app.ts";
import type { Env, Service } from "../../src/service/http/service.ts";
import { readCatalogue } from "../../src/service/catalogue.ts";
import { readSettings } from "../../src/service/settings.ts";

/** Thousands of bytes, by brotli at its best. */
const budget = {
  /** All JavaScript of the landing page, its words in the larger language with it. */
  first: 140,
  /** Of that, the libraries that the specification names. */
  libraries: 103,
  /** What any other screen adds. */
  later: 16.5,
  /** What comes once, beside whichever screen first has a use for it: more words, the calls, the check of an address, the QR code, the card's script, the drawing of a receipt. */
  beside: [
    ["/screens.po", 6],
    ["/agreement.po", 5],
    ["/ports/api.ts", 9.3],
    ["/contract/address.ts", 5.6],
    ["/react-qr-code/", 7.6],
    ["/ports/card-provider.ts", 2.3],
    ["/ports/receipt-picture.ts", 2],
  ] as const,
  /** Each page that the build has drawn, with its headers: what a server sends before it waits for the first answer, ten packets of 1,460 bytes. */
  page: 14.6,
};

/** What came later than the oldest browsers (decision 15), be it ours or a library's, and the build leaves as it is. */
const tooNew =
  /\bstatic\s*\{|\(\?<[=!]|\.(?:toSorted|toReversed|toSpliced|findLast(?:Index)?|withResolvers|groupBy|fromAsync|canParse|throwIfAborted)\b|\bstructuredClone\b|\bAbortSignal\.(?:any|timeout)\b/;

type Chunk = { file: string; imports?: string[]; isDynamicEntry?: boolean };

const site = process.argv[2] ?? "dist";
const read = (file: string) => readFileSync(join(site, file));
const manifest = JSON.parse(read(".vite/manifest.json").toString()) as Record<string, Chunk>;

const small = (bytes: Buffer) =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }).length / 1000;
const chunkOf = (name: string): Chunk => {
  const chunk = manifest[name];
  if (!chunk) throw new Error(`The build has no ${name}.`);
  return chunk;
};
/** The files that `name` cannot do without. */
const filesOf = (name: string): string[] => {
  const { file, imports = [] } = chunkOf(name);
  return [...new Set([file, ...imports.flatMap(filesOf)])];
};
const sizeOf = (files: Iterable<string>) => [...files].reduce((sum, file) => sum + small(read(file)), 0);

const words = languages.map((language) => chunkOf(`locales/${language}/messages.po`).file);
const shell = new Set([...filesOf("index.html"), ...filesOf("src/app/screens/landing.tsx")]);
const libraries = [...shell].filter((file) => file.includes("/libraries-"));

const rows: [what: string, size: number, most: number][] = [
  [
    "JavaScript of the landing page",
    sizeOf(shell) + Math.max(...words.map((file) => sizeOf([file]))),
    budget.first,
  ],
  ["  of it libraries", sizeOf(libraries), budget.libraries],
];
const faults: string[] = [];
for (const [name, { isDynamicEntry }] of Object.entries(manifest)) {
  if (!isDynamicEntry || name.endsWith("/messages.po") || shell.has(chunkOf(name).file)) continue;
  const more = sizeOf(filesOf(name).filter((file) => !shell.has(file)));
  const once = budget.beside.find(([part]) => name.includes(part));
  const known = name.replace(
    /^.*(screens|components|navigation|ports|contract|node_modules|locales)\/|\/lib\/.*|\.(tsx?|po)$/g,
    "",
  );
  if (once) rows.push([`  once, ${known}`, more, once[1]]);
  else if (/\/(screens|components)\//.test(name)) rows.push([`  more for ${known}`, more, budget.later]);
  else faults.push(`Nothing says how much ${name} may weigh.`);
}
/** The status line, the headers and the body of an answer, in bytes. */
async function travelsFrom(server: Server, path: string): Promise<number> {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  // As behind a proxy with a certificate, from a link of another site: with every header that there is.
  socket.write(
    [`GET ${path} HTTP/1.1`, "Host: everlit.example", "Connection: close", "Accept-Encoding: br"]
      .concat("X-Forwarded-Proto: https", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Dest: document", "", "")
      .join("\r\n"),
  );
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  await once(socket, "close");
  const answer = Buffer.concat(chunks);
  if (!answer.toString("latin1").startsWith("HTTP/1.1 200")) throw new Error(`${path} is not answered.`);
  return answer.length;
}

const pages = globSync("*.html", { cwd: site })
  // What has places for packages is sent under the name of its page, with the packages.
  .filter((file) => file !== "index.html" && !file.includes("+"))
  .toSorted();
// Nothing of the site asks the database.
const app = buildApp({
  settings: { ...readSettings({}), siteDir: site, trustedProxies: 1 },
  sandbox: new Hono<Env>(),
  catalogue: readCatalogue("src/service/catalogue.json"),
  rails: {},
  now: Date.now,
} as unknown as Service);
const answer = getRequestListener(app.fetch);
const server = createServer((request, response) => void answer(request, response)).listen(0, "127.0.0.1");
await once(server, "listening");
try {
  for (const file of pages)
    rows.push([`The page ${file}, sent`, (await travelsFrom(server, `/${file}`)) / 1000, budget.page]);
} finally {
  server.close();
}
for (const file of pages) {
  // Before it is drawn, a page asks for nothing that has to be run.
  if (/<script[^>]+src=|<link[^>]+modulepreload/.test(read(file).toString()))
    faults.push(`${file} asks for a script of its own before it is drawn.`);
}
// The pages with what stands in them.
for (const file of globSync("**/*.{js,html}", { cwd: site })) {
  const [later] = tooNew.exec(read(file).toString()) ?? [];
  if (later) faults.push(`${file} has ${later}, which the oldest browsers do not know.`);
}
/** Thousands of bytes before the first route's limit, from which on it says that there is little room left. */
const NEAR = 2;
for (const [what, size, most] of rows) {
  const near =
    most === budget.first && size > most - NEAR ? `, nearly full: ${NEAR} kB at most are left` : "";
  const line = `${what.padEnd(40)} ${size.toFixed(1).padStart(6)} kB of ${most}${near}`;
  process.stdout.write(`${line}\n`);
  if (size > most) faults.push(`${what.trim()}: ${size.toFixed(1)} kB, ${most} at most.`);
}
if (faults.length > 0) {
  process.stderr.write(`\n${faults.join("\n")}\n`);
  process.exitCode = 1;
}
