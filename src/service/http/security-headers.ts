/** What browsers may do with each answer: the one source for the headers of the service and for the configuration of a static host. Decision 25. */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { languages } from "../../contract/languages.ts";
import { CARD_SCREEN, pageAt, pageFile, pageIn } from "../../contract/pages.ts";
import { outsideScripts, originsOf } from "./scripts.ts";
import type { Settings } from "../settings.ts";

/** What the policies depend on. */
export type Deployment = Pick<Settings, "apiBaseUrl" | "downloadSdk" | "payments" | "razorpay">;

export const POLICY = "Content-Security-Policy";
/** Cuts a page off from the window that opened it. Windows that the page itself opens stay in its reach. */
export const OPENER_POLICY = "Cross-Origin-Opener-Policy";
/** Which other sites may embed the answer without asking (`<img>`, `<script>`). Calls of the API ask, by CORS. */
export const RESOURCE_POLICY = "Cross-Origin-Resource-Policy";

/** Tells browsers to come by https alone from now on. They ignore it on http. Subdomains are the operator's to decide. */
export const HTTPS_ONLY = ["Strict-Transport-Security", "max-age=31536000"] as const;

export const FEATURES = "Permissions-Policy";
const without = (...features: readonly string[]) => features.map((feature) => `${feature}=()`).join(", ");

const features = without("camera", "geolocation", "microphone");

/** On every answer. The first packets of a page hold these as well: nothing here says what a browser does by itself. */
export const everywhere: readonly (readonly [name: string, value: string])[] = [
  [OPENER_POLICY, "same-origin-allow-popups"],
  [RESOURCE_POLICY, "same-origin"],
  ["X-Content-Type-Options", "nosniff"],
  ["Referrer-Policy", "no-referrer"],
  [FEATURES, features],
];

/** Where the scripts of others run: no sensor and no device either. */
const featuresBesideOthers = without("accelerometer", "camera", "display-capture", "geolocation")
  .concat(", ")
  .concat(without("gyroscope", "magnetometer", "microphone", "midi", "usb"));

/** What the card provider's script needs of the card screen's document. Decision 25 says why, and who says so. */
const CARD_SOURCES = {
  scripts: ["https://checkout.razorpay.com", "https://cdn.razorpay.com"],
  calls: [
    "https://api.razorpay.com",
    "https://lumberjack.razorpay.com",
    "https://lumberjack-cx.razorpay.com",
    "https://lumberjack-metrics.razorpay.com",
  ],
  pictures: ["https://cdn.razorpay.com"],
  frames: ["https://api.razorpay.com", "https://checkout.razorpay.com"],
  forms: ["https://api.razorpay.com"],
};

/** The Trusted Types policy of the app, `src/app/ports/trusted-types.ts`. */
const TRUSTED_TYPES = "app";

/** What stands in a document, by the hashes that a policy names. */
export interface Inline {
  scripts: readonly string[];
  styles: readonly string[];
}

export const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const hashesIn = (page: string, element: RegExp) => [
  ...new Set([...page.matchAll(element)].map(([, text = ""]) => hashOf(text))),
];

/** The scripts and styles in these documents. Data in a script element (`type=…`) is no script. */
export const inlineIn = (...pages: readonly string[]): Inline => ({
  scripts: hashesIn(pages.join(""), /<script>([^]*?)<\/script>/g),
  styles: hashesIn(pages.join(""), /<style[^>]*>([^]*?)<\/style>/g),
});

/**
 * The same for the page `file` of the site, with its twin in the other language: a page's own script may put the twin's
 * content into it.
 */
export async function readInline(root: string, file: string): Promise<Inline> {
  const { page } = pageIn(file);
  const files = languages.map((language) => join(root, pageFile(page, language)));
  return inlineIn(...(await Promise.all(files.filter(existsSync).map((each) => readFile(each, "utf8")))));
}

/** styled-components writes its rules through the CSSOM into an element that has no text. */
const EMPTY_STYLE = hashOf("");

/** A directive and its sources; none where there is no source. */
const directive = (name: string, ...sources: readonly string[]) =>
  sources.length === 0 ? [] : [[name, ...new Set(sources)].join(" ")];

/** No answer is framed or changes where links lead. `default-src` forbids plug-ins; it does not concern these two. */
const never = ["base-uri 'none'", "frame-ancestors 'none'"];

const takesCards = ({ payments, razorpay }: Deployment) => payments === "live" && razorpay !== null;

/** Whether the document at `path` is the one that a card is paid by in. */
export const isCardScreen = (path: string) => pageAt(path) === CARD_SCREEN;

/** Whether scripts of others run in the document at `path`. */
const isSharedAt = (deployment: Deployment, path: string) =>
  deployment.downloadSdk !== null || (takesCards(deployment) && isCardScreen(path));

/** The features that the document at `path` goes without. */
export const pageFeatures = (deployment: Deployment, path: string): string =>
  isSharedAt(deployment, path) ? featuresBesideOthers : features;

/**
 * What a document of the app may do. Workers are scripts, and what else is not named is forbidden.
 * @param path the address of its screen: the card provider is let into the card screen's document alone
 */
export function pagePolicy(deployment: Deployment, inline: Inline, path: string): string {
  const { apiBaseUrl } = deployment;
  const origins = originsOf(outsideScripts(deployment));
  const withProvider = takesCards(deployment) && isCardScreen(path);
  const ofCards = (kind: keyof typeof CARD_SOURCES) => (withProvider ? CARD_SOURCES[kind] : []);
  const api = apiBaseUrl === null ? [] : [new URL(apiBaseUrl).origin];
  // How scripts of others write styles and markup is not ours to say.
  const isShared = isSharedAt(deployment, path);
  return [
    "default-src 'none'",
    ...directive("script-src", "'self'", ...inline.scripts, ...origins, ...ofCards("scripts")),
    ...(isShared ? ["style-src 'unsafe-inline'"] : directive("style-src", EMPTY_STYLE, ...inline.styles)),
    ...directive("img-src", "'self'", "data:", ...ofCards("pictures")),
    ...directive("connect-src", "'self'", ...api, ...origins, ...ofCards("calls")),
    ...directive("frame-src", ...ofCards("frames")),
    "manifest-src 'self'",
    ...directive("form-action", "'self'", ...ofCards("forms")),
    ...never,
    ...(isShared ? [] : ["require-trusted-types-for 'script'", `trusted-types ${TRUSTED_TYPES}`]),
  ].join("; ");
}

/** What the operator's page may do: its own files run and its own calls are made, and nothing else. */
export const consolePolicy = (inline: Inline): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    ...directive("style-src", "'self'", EMPTY_STYLE, ...inline.styles),
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'none'",
    ...never,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");

/** What a page of the sandbox may do: it has one style, and at most a script of the sandbox. */
export const sandboxPagePolicy = (style: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${hashOf(style)}`,
    "img-src data:",
    "form-action 'self'",
    ...never,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");

/** For what is no document: scripts, data, text. The worker's script is one of them, and asks for the site's files. */
export const dataPolicy = ["default-src 'none'", "connect-src 'self'", "form-action 'none'", ...never].join(
  "; ",
);

/** For a picture. An SVG has a style in it, and runs nothing where it is opened by itself. */
export const picturePolicy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "form-action 'none'",
  ...never,
  "sandbox",
].join("; ");

export const isPicture = (type: string | null | undefined) => type?.startsWith("image/") ?? false;
