/** `npm run host-config`: writes what a static host needs to serve the built app as the service does, for nginx and for Caddy. Decision 25. */
import { globSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CARD_SCREEN, FRONT, pageFile, pageIn } from "../contract/pages.ts";
import {
  dataPolicy,
  everywhere,
  FEATURES,
  HTTPS_ONLY,
  pageFeatures,
  pagePolicy,
  picturePolicy,
  POLICY,
  readInline,
  type Deployment,
} from "./http/security-headers.ts";
import { readSettings } from "./settings.ts";

/** A value that changes no meaning between quotes: a policy has single ones alone. */
const quoted = (text: string) => {
  if (/["\\$\n]/.test(text)) throw new Error(`This cannot stand in a host's configuration: ${text}`);
  return `"${text}"`;
};

/** The policy of each kind of answer, by what tells it: a page's file, or the card screen's address. */
export async function policiesOf(deployment: Deployment, site: string) {
  const policyOf = async (file: string, path: string) =>
    pagePolicy(deployment, await readInline(site, file), path);
  // What has places for packages is no page as it is.
  const pages = globSync("*.html", { cwd: site })
    .filter((file) => !file.includes("+"))
    .toSorted();
  return {
    card: await policyOf(pageFile(CARD_SCREEN, "en"), CARD_SCREEN),
    pages: await Promise.all(
      pages.map(async (file) => [`/${file}`, await policyOf(file, pageIn(file).page)] as const),
    ),
    pictures: picturePolicy,
    others: dataPolicy,
    features: pageFeatures(deployment, FRONT),
    cardFeatures: pageFeatures(deployment, CARD_SCREEN),
  };
}
type Policies = Awaited<ReturnType<typeof policiesOf>>;

/** What every answer of the host has; the card screen has other features. */
const headers = [...everywhere.filter(([name]) => name !== FEATURES), HTTPS_ONLY];
const FOREVER = "public, max-age=31536000, immutable";
const PICTURES = ["svg", "png", "webp", "ico"];
/** Hidden files, and what only the build's tools read. The address of a screen may look like one further on. */
const HIDDEN = String.raw`^/\.|^/[^/]+\.(map|br)$|^/assets/.*\.(map|br)$`;

/** For the `http` block: `map`s, and a server that the operator gives its name and certificate. */
export const nginxOf = (
  { card, pages, pictures, others, features, cardFeatures }: Policies,
  site: string,
): string => `map $uri $policy {
  default ${quoted(others)};
  ~\\.(${PICTURES.join("|")})$ ${quoted(pictures)};
${pages.map(([file, policy]) => `  ${file} ${quoted(policy)};`).join("\n")}
}
map $request_uri $policy_here {
  default $policy;
  ~^${CARD_SCREEN}/*(\\?|$) ${quoted(card)};
}
map $request_uri $features {
  default ${quoted(features)};
  ~^${CARD_SCREEN}/*(\\?|$) ${quoted(cardFeatures)};
}
map $uri $caching {
  default no-cache;
  ~^/assets/ ${quoted(FOREVER)};
}
server {
  listen 80;
  root ${quoted(site)};
  charset utf-8;
  include mime.types;
  types { application/manifest+json webmanifest; }
  add_header ${POLICY} $policy_here always;
${headers.map(([name, value]) => `  add_header ${name} ${quoted(value)} always;`).join("\n")}
  add_header ${FEATURES} $features always;
  add_header Cache-Control $caching;
  location /assets/ { try_files $uri =404; }
  location ~ ${HIDDEN} { return 404; }
  location = / { try_files /index.html =404; }
  location / { try_files $uri $uri.html /index.html; }
}
`;

/** A site block: its first line is the operator's to change. In a `route`, Caddy keeps the order of the lines. */
export const caddyOf = (
  { card, pages, pictures, others, features, cardFeatures }: Policies,
  site: string,
): string => `:80 {
  root * ${quoted(site)}
  @hidden path_regexp ${HIDDEN}
  @pictures path ${PICTURES.map((type) => `*.${type}`).join(" ")}
  @card path ${CARD_SCREEN} ${CARD_SCREEN}/
  @assets {
    path /assets/*
    file
  }
${pages.map(([file], at) => `  @page${at} path ${file}`).join("\n")}
  route {
    header {
${headers.map(([name, value]) => `      ${name} ${quoted(value)}`).join("\n")}
      ${FEATURES} ${quoted(features)}
      Cache-Control no-cache
      ${POLICY} ${quoted(others)}
    }
    respond @hidden 404
    header @assets Cache-Control ${quoted(FOREVER)}
    header @pictures ${POLICY} ${quoted(pictures)}
    handle /assets/* {
      file_server
    }
    handle @card {
      rewrite * /${pageFile(CARD_SCREEN, "en")}
      header ${POLICY} ${quoted(card)}
      header ${FEATURES} ${quoted(cardFeatures)}
      file_server
    }
    route {
      rewrite / /index.html
      try_files {path} {path}.html /index.html
${pages.map(([, policy], at) => `      header @page${at} ${POLICY} ${quoted(policy)}`).join("\n")}
      file_server
    }
  }
}
`;

if (import.meta.main) {
  const { siteDir, ...deployment } = readSettings(process.env);
  const policies = await policiesOf(deployment, siteDir);
  const folder = join(import.meta.dirname, "../../build/host");
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of [
    ["nginx.conf", nginxOf(policies, siteDir)],
    ["Caddyfile", caddyOf(policies, siteDir)],
  ] as const)
    writeFileSync(join(folder, name), text);
  process.stdout.write(`${folder} has nginx.conf and Caddyfile for ${siteDir}.\n`);
}
