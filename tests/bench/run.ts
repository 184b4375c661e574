/** `npm run bench`: how soon a screen is there on a slow phone, by Lighthouse, side by side with the same build without its written pages, and with a page of one line; or with an earlier build: `-- --before <its dist>`. `-- --runs 5`, `-- --only login,packages`, `-- --language en`, `-- --method devtools`. How to read it: docs/performance.md. */
import { cpSync, globSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { languages, type Language } from "../../src/contract/languages.ts";
import { FRONT, pageFile } from "../../src/contract/pages.ts";
import { Phone, startService, type Service } from "../support/browser.ts";
import { prepareBrowserTests } from "../support/browser-setup.ts";

const methods = ["simulate", "devtools"] as const;
type Method = (typeof methods)[number];

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "5" },
    only: { type: "string", default: "" },
    method: { type: "string", default: "simulate,devtools" },
    language: { type: "string", default: languages.join(",") },
    /** An earlier build, in place of the app alone. */
    before: { type: "string" },
  },
});
const runs = Number(values.runs);

/** The part of Lighthouse that is used. Its own types are not installed with the project. */
interface Result {
  lhr: {
    categories: Record<string, { score: number | null }>;
    audits: Record<string, { score: number | null; numericValue?: number }>;
    runtimeError?: { message: string };
    /** `benchmarkIndex`: how quick this machine is, by Lighthouse's own measure. */
    environment: { benchmarkIndex: number };
  };
}
type Lighthouse = (url: string, flags: object) => Promise<Result | undefined>;
interface Chrome {
  port: number;
  kill: () => void;
}
type ChromeLauncher = { launch: (options: object) => Promise<Chrome> };

const bring = (name: string): Promise<unknown> => import(import.meta.resolve(name));
const { default: lighthouse } = (await bring("lighthouse")) as { default: Lighthouse };
const { launch } = (await bring("chrome-launcher")) as ChromeLauncher;

/* What is measured */

/** Every address of the product; a function is given what the user of this browser has. */
const addresses = {
  landing: "/home",
  login: "/login",
  register: "/register",
  registered: "/registerSuccess",
  agreement: "/service",
  packages: "/buy",
  "packages for a member": ({ name }: Profile) => `/buy/${name}`,
  "way to pay": "/pay/monthly",
  payment: ({ payment }: Profile) => payment,
  card: "/razorpayDetail",
  receipt: ({ payment }: Profile) => `/receipt/${payment.split("/").at(-1) ?? ""}`,
  "delete account": "/deleteAccount",
  bill: ({ payment }: Profile) => `/billDetail/${payment.split("/").at(-1) ?? ""}/success/3.99/${Date.now()}`,
  account: "/personal_info",
  orders: "/orders",
  profile: "/personalInformation",
  password: "/changePassword",
  question: "/modifyPassword",
  sessions: "/sessions",
  settings: "/setting",
  recovery: "/forgetPasswordUserName",
  "recovery, question": ({ name }: Profile) => `/forgetPasswordInfo/${name}`,
  "recovery, password": ({ name }: Profile) => `/forgetPassword/0/${name}`,
} satisfies Record<string, string | ((profile: Profile) => string)>;
type Screen = keyof typeof addresses;
const only = values.only.split(",");
const screens = (Object.keys(addresses) as Screen[]).filter((screen) =>
  only.some((one) => screen.startsWith(one)),
);
/** Screens that a search engine sees: Lighthouse says more about these than how fast they are. */
const judged: ReadonlySet<Screen> = new Set(["landing", "login"]);
const allVariants = ["prerendered", "app alone", "before", "one line"] as const;
type Variant = (typeof allVariants)[number];
const variants = allVariants.filter((one) => one !== (values.before === undefined ? "before" : "app alone"));
/** A page of one line says what of each figure is the connection's, the browser's and the machine's own. */
const isMeasured = (screen: Screen, variant: Variant) => variant !== "one line" || screen === "landing";
const oneLine =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>One line</title></head><body><h1>One line</h1></body></html>';

const measures = {
  FCP: "first-contentful-paint",
  LCP: "largest-contentful-paint",
  TBT: "total-blocking-time",
  CLS: "cumulative-layout-shift",
} as const;
type Measured = Record<keyof typeof measures | "score", number>;

/** Lighthouse's own categories of a screen that anybody may open. */
const categories = ["performance", "accessibility", "best-practices", "seo"];

/** How far the user of a browser has come: a payment that was begun leads away from the card's screen. */
type Stage = "chosen" | "ordered";
const stageOf = (screen: Screen): Stage => (screen === "card" ? "chosen" : "ordered");

/** A browser of one language, with a user signed in who is about to pay. */
interface Profile {
  folder: string;
  name: string;
  /** The path of the payment; "" where none was begun. */
  payment: string;
}

async function prepareProfile(
  executable: string,
  service: Service,
  language: Language,
  stage: Stage,
): Promise<Profile> {
  const name = `${language === "en" ? "BenchAnna" : "BenchLi"}${stage}`;
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: executable,
    args: flagsFor(language),
    baseURL: service.origin,
    locale: language === "en" ? "en-US" : language,
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
    serviceWorkers: "block",
  });
  const page = context.pages()[0] ?? (await context.newPage());
  const phone = new Phone(context, page, language, []);
  await phone.register(name);
  await phone.choosePackage();
  if (stage === "ordered") await phone.order("3.99");
  const payment = stage === "ordered" ? new URL(page.url()).pathname : "";
  await context.close();
  return { folder, name, payment };
}

const flagsFor = (language: Language) => [
  "--headless=new",
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
  "--disable-gpu",
  "--disable-quic",
  `--lang=${language}`,
  `--accept-lang=${language}`,
];

/** Lighthouse now and then loses its own trace, and says itself that it is to be run again. */
const TRIES = 3;

async function look(port: number, url: string, method: Method, open: boolean): Promise<Result["lhr"]> {
  const faults: string[] = [];
  for (let tried = 0; tried < TRIES; tried += 1) {
    const result = await lighthouse(url, {
      port,
      logLevel: "error",
      onlyCategories: open ? categories : ["performance"],
      throttlingMethod: method,
    });
    if (result && !result.lhr.runtimeError) return result.lhr;
    faults.push(result?.lhr.runtimeError?.message ?? "no answer");
  }
  throw new Error(`Lighthouse does not measure ${url}: ${faults.join("; ")}`);
}

const measuredIn = ({ categories: { performance }, audits }: Result["lhr"]): Measured => {
  const value = (measure: keyof typeof measures) => audits[measures[measure]]?.numericValue ?? Number.NaN;
  return {
    FCP: value("FCP"),
    LCP: value("LCP"),
    TBT: value("TBT"),
    CLS: value("CLS"),
    score: (performance?.score ?? Number.NaN) * 100,
  };
};

/* The report */

const sorted = (numbers: readonly number[]) => numbers.toSorted((one, other) => one - other);
const median = (numbers: readonly number[]) => sorted(numbers)[Math.floor(numbers.length / 2)] ?? Number.NaN;

const figure = (measure: keyof Measured, value: number) =>
  measure === "CLS" ? value.toFixed(3) : Math.round(value).toLocaleString("en");

/** `651 (640–702)` */
function cell(measure: keyof Measured, all: readonly Measured[]): string {
  const numbers = sorted(all.map((one) => one[measure]));
  const [least = Number.NaN, most = Number.NaN] = [numbers[0], numbers.at(-1)];
  const range = least === most ? "" : ` (${figure(measure, least)}–${figure(measure, most)})`;
  return figure(measure, median(numbers)) + range;
}

const tableOf = (rows: readonly (readonly string[])[]): string => {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((text, at) => text.padEnd(widths[at] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
};

/* The run */

type Round = { method: Method; screen: Screen; language: Language; variant: Variant };

async function measure(
  setup: { chromium: string },
  services: Record<Variant, Service>,
): Promise<{
  found: Map<string, { round: Round; all: Measured[] }>;
  quality: Map<string, string>;
  quickness: number[];
}> {
  const found = new Map<string, { round: Round; all: Measured[] }>();
  const quality = new Map<string, string>();
  const quickness: number[] = [];
  const wanted = methods.filter((method) => values.method.split(",").includes(method));
  for (const language of languages.filter((one) => values.language.split(",").includes(one))) {
    const phones = new Map<
      Stage,
      { profiles: Record<Variant, Profile>; browsers: Record<Variant, Chrome> }
    >();
    for (const stage of new Set(screens.map(stageOf))) {
      const profiles = await ofEach((variant) =>
        prepareProfile(setup.chromium, services[variant], language, stage),
      );
      const browsers = await ofEach((variant) => open(setup.chromium, profiles[variant].folder, language));
      phones.set(stage, { profiles, browsers });
    }
    try {
      // One of each, again and again: whatever else the machine does falls on all alike.
      for (let run = 0; run < runs; run += 1) {
        for (const method of wanted) {
          for (const screen of screens) {
            const phone = phones.get(stageOf(screen));
            if (!phone) throw new Error(`No browser is open for ${screen}.`);
            const { profiles, browsers } = phone;
            for (const variant of variants.filter((one) => isMeasured(screen, one))) {
              const address = addresses[screen];
              const path = typeof address === "string" ? address : address(profiles[variant]);
              const lhr = await look(
                browsers[variant].port,
                services[variant].origin + path,
                method,
                judged.has(screen) && variant === "prerendered",
              );
              const round = { method, screen, language, variant };
              const key = Object.values(round).join(" ");
              const entry = found.get(key) ?? { round, all: [] };
              entry.all.push(measuredIn(lhr));
              quickness.push(lhr.environment.benchmarkIndex);
              found.set(key, entry);
              if (!judged.has(screen) || variant !== "prerendered") continue;
              const [, ...others] = categories;
              const scores = others.map((name) => `${name} ${(lhr.categories[name]?.score ?? 0) * 100}`);
              const faults = Object.entries(lhr.audits)
                .filter(([, { score }]) => score !== null && score < 0.9)
                .map(([name]) => name);
              quality.set(
                `${screen} ${language}`,
                `${scores.join(", ")}; not whole: ${faults.join(", ") || "nothing"}`,
              );
            }
          }
        }
      }
    } finally {
      for (const { profiles, browsers } of phones.values()) {
        for (const { kill } of Object.values(browsers)) kill();
        for (const { folder } of Object.values(profiles)) rmSync(folder, { recursive: true, force: true });
      }
    }
  }
  return { found, quality, quickness };
}

/** One after the other, for they would wait for each other. */
async function ofEach<T>(make: (variant: Variant) => Promise<T>): Promise<Record<Variant, T>> {
  const made: Partial<Record<Variant, T>> = {};
  for (const variant of variants) made[variant] = await make(variant);
  return made as Record<Variant, T>;
}

const open = (executable: string, userDataDir: string, language: Language): Promise<Chrome> =>
  launch({ chromePath: executable, userDataDir, chromeFlags: flagsFor(language), logLevel: "error" });

const { setup, remove } = prepareBrowserTests();
const [bare, line] = [`${setup.site}-alone`, `${setup.site}-line`];
try {
  // The same build without its written pages: a host that answers everything with the app.
  cpSync(setup.site, bare, { recursive: true });
  for (const page of globSync("*.html", { cwd: bare })) {
    if (page !== "index.html") rmSync(join(bare, page));
  }
  cpSync(setup.site, line, { recursive: true });
  for (const language of languages) writeFileSync(join(line, pageFile(FRONT, language)), oneLine);
  const services = await ofEach((variant) =>
    startService({
      ...setup,
      site: { prerendered: setup.site, "app alone": bare, before: values.before ?? "", "one line": line }[
        variant
      ],
    }),
  );
  try {
    const { found, quality, quickness } = await measure(setup, services);
    const names = ["FCP", "LCP", "TBT", "CLS", "score"] as const;
    const rows = [...found.values()]
      .toSorted((one, other) =>
        one.round.method === other.round.method ? 0 : one.round.method === "simulate" ? -1 : 1,
      )
      .map(({ round: { method, screen, language, variant }, all }) => [
        method,
        screen,
        language,
        variant,
        ...names.map((name) => cell(name, all)),
      ]);
    const [load = 0] = loadavg();
    process.stdout.write(
      `${runs} runs of each, median (least–most), in ms; the machine's load is ${load.toFixed(1)} on ${availableParallelism()} processors, its index by Lighthouse ${Math.round(median(quickness))}.\n\n` +
        `${tableOf([["throttling", "screen", "language", "served", ...names], ...rows])}\n\n` +
        `${[...quality].map(([name, words]) => `${name}: ${words}`).join("\n")}\n`,
    );
  } finally {
    await Promise.all(Object.values(services).map((service) => service.stop()));
  }
} finally {
  remove();
  for (const copy of [bare, line]) rmSync(copy, { recursive: true, force: true });
}
