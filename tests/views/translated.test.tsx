/** What other programs do to the page, and what React draws anew because of it: words change, nothing throws, and what was typed stays. Decision 21. */
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { Sentence } from "../../src/app/ui/sentence.tsx";
import { tolerateForeignNodes } from "../../src/app/ports/foreign-nodes.ts";
import { setLocale } from "../../src/app/ports/language.ts";
import { box, button, openApp, reads, secret, settled } from "../support/app.tsx";
import { fragileTexts, translate } from "../support/translator.ts";

const plain = () => document.body.textContent.replaceAll(/[[\]]/g, "");

describe("a sentence on a translated page", () => {
  const own = Object.getOwnPropertyDescriptors(Node.prototype);
  afterEach(() => {
    cleanup();
    Object.defineProperties(Node.prototype, { removeChild: own.removeChild, insertBefore: own.insertBefore });
  });
  /** Draws it, lets the translator have it, and draws what comes next. */
  const drawOn = async (draw: (step: number) => React.ReactNode, steps: number) => {
    tolerateForeignNodes();
    const { rerender } = render(draw(0));
    onTestFinished(translate(["[", "]"]));
    const seen = [plain()];
    for (let step = 1; step <= steps; step += 1) {
      await act(async () => rerender(draw(step)));
      seen.push(plain());
    }
    return seen;
  };

  test("says what it says now, its amounts with it, and has them marked", async () => {
    const draw = (step: number) => (
      <p>
        <Sentence>{`${step}.50 USDT has arrived on TRC20.`}</Sentence>
      </p>
    );
    expect(await drawOn(draw, 2)).toEqual([
      "0.50 USDT has arrived on TRC20.",
      "1.50 USDT has arrived on TRC20.",
      "2.50 USDT has arrived on TRC20.",
    ]);
    expect([...document.querySelectorAll("[translate=no]")].map((part) => part.textContent)).toEqual([
      "2.50 USDT",
      "TRC20",
    ]);
  });

  test("with a link in it goes and comes whole, and another one beside it stays", async () => {
    const draw = (step: number) => (
      <p>
        {step === 1 ? null : (
          <Sentence>
            Step {step}: go <a href="#there">there</a>.
          </Sentence>
        )}
        <Sentence>That is all.</Sentence>
      </p>
    );
    expect(await drawOn(draw, 2)).toEqual([
      "Step 0: go there.That is all.",
      "That is all.",
      "Step 2: go there.That is all.",
    ]);
  });

  test("is drawn on where a translator has moved the elements of React", async () => {
    tolerateForeignNodes();
    const draw = (step: number) => (
      <p>
        {step === 1 ? null : <b>First, </b>}
        <i>then</i>
      </p>
    );
    const { container, rerender } = render(draw(0));
    const [paragraph] = container.children;
    const font = document.createElement("font");
    font.append(...(paragraph?.children ?? []));
    paragraph?.append(font);
    const seen = [plain()];
    for (const step of [1, 2]) {
      await act(async () => rerender(draw(step)));
      seen.push(plain());
    }
    expect(seen).toEqual(["First, then", "then", "First, then"]);
  });

  test("is what a text beside something else has to be: by itself it is told of", () => {
    render(
      <p>
        Beside <b>another</b>
      </p>,
    );
    expect(fragileTexts()).toEqual(["Beside "]);
  });
});

const typeIn = async ({ type }: Awaited<ReturnType<typeof openApp>>) => {
  await type(box("Account"), "anna");
  await type(secret("Password"), "the password");
};

test("a screen that broke and is drawn anew has what was typed, and not on the next one", async () => {
  const harness = await openApp("/register");
  await typeIn(harness);
  await harness.tap(screen.getByRole("checkbox"));
  await harness.type(secret("Password"), "short");
  // What React has to say of it.
  const complaints = vi.spyOn(console, "error").mockImplementation(() => undefined);
  // As a browser does, once, where another program has taken the page apart.
  // oxlint-disable-next-line typescript/unbound-method -- called with the node that it belongs to
  const { appendChild } = Node.prototype;
  let isBroken = false;
  vi.spyOn(Node.prototype, "appendChild").mockImplementation(function append<T extends Node>(
    this: Node,
    child: T,
  ): T {
    if (isBroken || !this.isConnected) return appendChild.call(this, child) as T;
    isBroken = true;
    throw new DOMException("The node is not here.", "NotFoundError");
  });
  await harness.tap(button("Create account"));
  expect(reads("This page did not load")).toBe(true);
  complaints.mockClear();
  await harness.tap(button("Try again"));
  expect({
    account: box("Account").value,
    password: secret("Password").value,
    agreed: screen.getByRole<HTMLInputElement>("checkbox").checked,
  }).toEqual({ account: "anna", password: "short", agreed: true });
  await harness.visit("/login");
  expect({ account: box("Account").value, password: secret("Password").value }).toEqual({
    account: "",
    password: "",
  });
});

test("another language leaves what was typed", async () => {
  const harness = await openApp("/login");
  await typeIn(harness);
  await settled(() => setLocale("zh-CN"));
  expect({ account: box("账号").value, password: secret("密码").value }).toEqual({
    account: "anna",
    password: "the password",
  });
});
