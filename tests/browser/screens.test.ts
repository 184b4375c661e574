/** Every screen of the table: its title and its words, what a phone and WCAG 2.2 AA expect of it, what the Content-Security-Policy forbids, and every picture as it was when a person last checked it. */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import type { Browser } from "playwright-core";
import { routes } from "../../src/app/navigation/routes.ts";
import { languages, type Language } from "../../src/contract/languages.ts";
import { byPerson, openPhones, screens, settle, show, type Screen } from "../screens.ts";
import { violationsOn } from "../support/axe.ts";
import { strangersOn, type Phone } from "../support/browser.ts";
import { startFixtureSite } from "../support/fixtures.ts";
import { repeats, shownIn } from "../support/lane.ts";
import { atSizes, cutOff, fieldHints, sizes, smallLetters, smallTargets } from "../support/phone-fit.ts";
import { comparePicture, keepPicture } from "../support/pictures.ts";
import { eventually, sharedBrowser } from "./support.ts";

const kept = join(import.meta.dirname, "pictures");
const failures = join(import.meta.dirname, "../../build/pictures");
/** `npm run pictures` keeps the pictures that differ instead of refusing them. */
const keeping = process.env["PICTURES"] === "keep";
/** Letters are drawn by the system, from the same files not the same way everywhere: the pictures are Linux's. */
const comparing = process.platform === "linux";

const schemes = ["light", "dark"] as const;
type Scheme = (typeof schemes)[number];
const phoneWidth = 390;
const phoneSize = { width: phoneWidth, height: 844 };
/** A small phone and a desk. */
const otherWidths = [320, 1280];

/** The line along the top runs on for half a second after a screen has come, and a caret blinks. */
const still = "[data-visible] { visibility: hidden } * { caret-color: transparent !important }";
/** In a sheet of the page's own, which a policy lets be. */
const hold = ({ page }: Phone) =>
  page.evaluate((rules) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(rules);
    document.adoptedStyleSheets = [sheet];
  }, still);

let browser: Browser;
let fixtureSite: Awaited<ReturnType<typeof startFixtureSite>>;
beforeAll(async () => {
  const setup = inject("setup");
  [browser, fixtureSite] = await Promise.all([sharedBrowser("chromium"), startFixtureSite(setup)]);
  rmSync(failures, { recursive: true, force: true });
});
afterAll(async () => {
  await fixtureSite?.stop();
});

const nameOf = (screen: Screen, language: Language, scheme: Scheme, width: number) =>
  `${screen.name}.${language}.${scheme}${width === phoneWidth ? "" : `.${width}`}.png`;

/** Of Chinese the key screens tell what is laid out otherwise; that each of the others is translated is the views' and the catalogue's matter. */
const isWhole = (language: Language) => language === "en" || repeats;
const screensIn = (language: Language) => screens.filter(({ key }) => isWhole(language) || key);
/** All colours come from the theme, and the key screens have them all, in the light and in the dark. */
const schemesOf = ({ key }: Screen, language: Language): readonly Scheme[] =>
  repeats || (key && isWhole(language)) ? schemes : ["light"];
/** The narrowest window and the largest text: what fits there fits elsewhere. */
const narrow = repeats ? sizes : sizes.slice(1, 3);

/** What the API's answers, or their want, leave in the console: by who looks. */
const foreseen: Partial<Record<Screen["who"], RegExp>> = {
  stranded: /status of 404|^status 404/,
  cut: /ERR_INTERNET_DISCONNECTED/,
};

/** Runs `check` on the screen at the height of all that is on it, where its pictures show that. */
async function atHeight<T>({ page }: Phone, whole: boolean, check: () => Promise<T>): Promise<T> {
  const size = page.viewportSize() ?? phoneSize;
  const height = whole ? await page.evaluate(() => document.documentElement.scrollHeight) : size.height;
  if (height <= size.height) return check();
  await page.setViewportSize({ ...size, height });
  const result = await check();
  await page.setViewportSize(size);
  return result;
}

/** @returns what is wrong with the picture of the screen, in words */
async function pictureFaults(phone: Phone, name: string): Promise<string[]> {
  await settle(phone);
  const png = await phone.page.screenshot({ animations: "disabled", caret: "initial" });
  const file = join(kept, name);
  const fault = comparing || keeping ? comparePicture(file, png, failures) : null;
  if (fault === null) return [];
  if (!keeping) return [fault];
  keepPicture(file, png);
  return [];
}

/** What is wrong with the screens in one language, each with the screen's name, and what was met on the way. */
interface Findings {
  /** Of what is read: title, words of the other language, the console. */
  words: string[];
  /** Of what a thumb, a large text and a narrow or wide window need. */
  fit: string[];
  /** Of accessibility, policy and picture. */
  looks: string[];
  /** What fields tell the phone, by the place and the field's name. */
  hints: Record<string, string>;
  /** The screens' addresses, by their first part. */
  places: Set<string>;
}

const placeOf = (path: string) => path.split("/")[1] ?? "";

/** Each screen is loaded once: the scheme changes while it is open, and in the dark only its colours can be wrong anew. */
async function look(phone: Phone, screen: Screen, language: Language, findings: Findings): Promise<void> {
  const { page } = phone;
  const note = (list: string[], faults: readonly string[]) =>
    list.push(...faults.map((fault) => `${screen.name}.${language}: ${fault}`));
  await show(phone, screen);
  // What has not been drawn yet has a guessed height.
  await settle(phone);
  const place = placeOf(new URL(page.url()).pathname);
  const isNew = !findings.places.has(place);
  findings.places.add(place);
  await eventually(() => page.title())
    .toBe(screen.title === undefined ? phone.product : `${phone.say(screen.title)} · ${phone.product}`)
    .catch((error: Error) => note(findings.words, [error.message]));
  note(findings.words, await strangersOn(page, language));
  note(findings.words, phone.takeProblems(foreseen[screen.who]));
  note(findings.fit, [...(await smallTargets(page)), ...(await smallLetters(page))]);
  for (const [name, hint] of Object.entries(await fieldHints(page)))
    findings.hints[`${place} ${name}`] = hint;

  await hold(phone);
  await atHeight(phone, screen.whole === true, async () => {
    for (const scheme of schemesOf(screen, language)) {
      await page.emulateMedia({ colorScheme: scheme });
      note(findings.looks, await pictureFaults(phone, nameOf(screen, language, scheme, phoneWidth)));
      const of = scheme === "dark" ? "colours" : isWhole(language) ? "all" : "structure";
      note(findings.looks, await violationsOn(phone, of, screen.who !== "cut"));
    }
  });
  await page.emulateMedia({ colorScheme: "light" });
  if (screen.key) {
    for (const width of otherWidths) {
      await page.setViewportSize({ width, height: width < phoneWidth ? 568 : 800 });
      note(findings.looks, await pictureFaults(phone, nameOf(screen, language, "light", width)));
    }
    await page.setViewportSize(phoneSize);
  }
  if (isNew) note(findings.fit, await cutOff(page, narrow));
}

async function sweep(language: Language): Promise<Findings> {
  const findings: Findings = { words: [], fit: [], looks: [], hints: {}, places: new Set() };
  const phones = openPhones(browser, fixtureSite, { language });
  for (const screen of byPerson(screensIn(language)))
    await look(await phones.of(screen), screen, language, findings);
  await phones.close();
  return findings;
}

let swept: Promise<Findings[]> | undefined;
/** Both languages' findings: whichever test is first sweeps for all. One after the other, by one phone. */
const sweeps = () => (swept ??= sweepAll());
async function sweepAll(): Promise<Findings[]> {
  const all: Findings[] = [];
  for (const language of languages) all.push(await sweep(language));
  return all;
}

// What is tried again looks again.
beforeEach(({ task }) => {
  if ((task.result?.retryCount ?? 0) > 0) swept = undefined;
});

describe("every screen", { timeout: 900_000 }, () => {
  test("is fit for everyone, breaks no policy, and looks as it did", async () => {
    if (!comparing) process.stderr.write("The pictures are not compared: they are those of Linux.\n");
    expect(
      (await sweeps()).flatMap(({ looks }) => looks),
      "Look at build/pictures; `npm run pictures` keeps what is right.",
    ).toEqual([]);
  });

  test("has a title of its own language, no word of the other, and a silent console", async () => {
    expect((await sweeps()).flatMap(({ words }) => words)).toEqual([]);
  });

  test("has room for a thumb, and none is wider than the glass", async () => {
    expect((await sweeps()).flatMap(({ fit }) => fit)).toEqual([]);
  });

  test("has fields that say what they take, for the phone to fill them and to show the right keys", async () => {
    const [english, chinese] = await sweeps();
    expect(english?.hints).toMatchObject(chinese?.hints ?? {});
    expect(english?.hints).toEqual({
      "login account_name": "username text next",
      "login password": "current-password text go",
      "register account_name": "username text next",
      "register password": "new-password text go",
      "forgetPasswordUserName account_name": "username text go",
      "forgetPasswordInfo new_password": "new-password text next",
      "forgetPasswordInfo new_password_confirmation": "new-password text go",
      "personalInformation name": "nickname text done",
      "changePassword old_password": "current-password text next",
      "changePassword new_password": "new-password text next",
      "changePassword new_password_confirmation": "new-password text go",
      "deleteAccount password": "current-password text go",
      "forgetPassword security_problem_value": "off text go",
      "sessions password": "current-password text go",
      "modifyPassword security_problem_value": "off text next",
      "modifyPassword password": "current-password text go",
      "razorpayDetail card_number": "cc-number numeric next",
      "razorpayDetail expiry": "cc-exp numeric next",
      "razorpayDetail cvv": "cc-csc numeric next",
      "razorpayDetail cardholder": "cc-name text go",
    });
  });

  test("of the app's route table stands in the table of screens", async () => {
    const [english] = await sweeps();
    const placesOfRoutes = Object.values(routes).map(({ path }) => placeOf(path));
    expect([...(english?.places ?? [])].toSorted()).toEqual(
      // The last one leads nowhere.
      [...new Set([...placesOfRoutes, "no"])].toSorted(),
    );
  });
});

test.each(shownIn("en"))(
  "packages stand in one layout, however wide and large their words: %s",
  async (language) => {
    const phones = openPhones(browser, fixtureSite, { language });
    const buy = screens.find(({ name }) => name === "buy") as Screen;
    const phone = await phones.of(buy);
    await show(phone, buy);
    const uneven: string[] = [];
    await atSizes(phone.page, [...sizes, [360, 780, "100%"], [320, 568, "200%"]], async (at) => {
      const heights = await phone.page
        .getByRole("radio")
        .evaluateAll((radios) => radios.map((radio) => Math.round(radio.getBoundingClientRect().height)));
      if (heights.length < 2 || new Set(heights).size !== 1) uneven.push(`${at}: ${heights.join()}`);
    });
    await phones.close();
    expect(uneven).toEqual([]);
  },
);

test("no picture is kept of a screen that is gone", () => {
  const names = screens.flatMap((screen) =>
    languages.flatMap((language) =>
      schemes.flatMap((scheme) =>
        [phoneWidth, ...(screen.key && scheme === "light" ? otherWidths : [])].map((width) =>
          nameOf(screen, language, scheme, width),
        ),
      ),
    ),
  );
  if (keeping) for (const name of readdirSync(kept)) if (!names.includes(name)) rmSync(join(kept, name));
  expect(readdirSync(kept).toSorted()).toEqual(names.toSorted());
});
