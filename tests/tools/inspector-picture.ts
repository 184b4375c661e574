/** Photographs the inspector on a payment into docs/inspector.png: `npm run picture:inspector`. */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { launch, openPhone } from "../support/browser.ts";
import { prepareChromium } from "../support/browser-setup.ts";
import { startDevelopment } from "../support/development.ts";

const { values } = parseArgs({
  options: { dark: { type: "boolean", default: false }, out: { type: "string" } },
});
const path = values.out ?? join(import.meta.dirname, "../../docs/inspector.png");

const [browser, development] = await Promise.all([
  launch({ chromium: prepareChromium() }),
  startDevelopment(),
]);
try {
  const visitor = await openPhone(browser, development, {
    desk: { width: 1680, height: 1000 },
    sharpness: 2,
    colorScheme: values.dark ? "dark" : "light",
  });
  const { page } = visitor;
  await visitor.register("Wanderer");
  await visitor.choosePackage("annual");
  await visitor.order("29.99");
  await visitor.see("Complete the payment");
  await page.keyboard.press("Control+Shift+X");
  const actors = page.getByRole("navigation", { name: "Actors" });
  await actors.getByRole("button", { name: /^order / }).tap();
  await page.locator('.drawn[data-chart="order"] [data-active]').first().waitFor();
  await page.getByRole("button", { name: "Copy the amount" }).tap();
  await page.getByLabel("all actors").check();
  // The countdown has ticked twice, and the toast is gone.
  await visitor.text("Copied").waitFor();
  await visitor.text("Copied").waitFor({ state: "hidden" });
  await page.locator('.drawn [data-active][data-state="order.open.counting"]').waitFor();
  await page.mouse.move(0, 0);
  await page.screenshot({ path, animations: "disabled" });
  process.stdout.write(`The picture is ${path}\n`);
} finally {
  await browser.close();
  await development.stop();
}
