/** `npm run memory`: whether an hour of the payment screen's countdown, and then a bill that asks the API again and again, leave anything behind. The browser's clock runs ahead; docs/performance.md says how to read it. */
import { launch, openPhone, startService, type Phone } from "../support/browser.ts";
import { prepareBrowserTests } from "../support/browser-setup.ts";

/** So much of the clock at once as may pass between two ticks that a phone would see. */
const SLICE = 1_000;

interface Holding {
  /** kB that are used after everything unused was swept up. */
  heap: number;
  nodes: number;
  listeners: number;
}

const { setup, remove } = prepareBrowserTests();
try {
  const [browser, service] = await Promise.all([launch(setup), startService(setup)]);
  try {
    const phone = await openPhone(browser, service, { account: await service.join("Memory") });
    await phone.page.clock.install();
    await phone.choosePackage();
    await phone.order("3.99");
    const rows: string[] = ["screen   minutes      heap  nodes  listeners  asked"];
    let asked = 0;
    phone.page.on("request", () => {
      asked += 1;
    });
    const look = await watch(phone);
    const stay = async (screen: string, minutes: number, step: number) => {
      // What a first minute brings for good is no leak.
      await pass(phone, 1);
      for (let minute = 0; minute <= minutes; minute += step) {
        const { heap, nodes, listeners } = await look();
        const kB = `${Math.round(heap).toLocaleString("en")} kB`;
        const cells = [String(minute), kB, String(nodes), String(listeners), String(asked)];
        const widths = [7, 8, 5, 9, 5];
        rows.push([screen.padEnd(7), ...cells.map((cell, at) => cell.padStart(widths[at] ?? 0))].join("  "));
        if (minute < minutes) await pass(phone, step);
      }
    };
    await stay("payment", 60, 10);
    await phone.tap("button", "Complete the payment");
    await phone.heading("Your bill").waitFor();
    // It asks by itself for ten minutes.
    await stay("bill", 8, 2);
    process.stdout.write(`${rows.join("\n")}\n`);
  } finally {
    await browser.close();
    await service.stop();
  }
} finally {
  remove();
}

async function pass({ page }: Phone, minutes: number): Promise<void> {
  for (let gone = 0; gone < minutes * 60_000; gone += SLICE) await page.clock.runFor(SLICE);
}

async function watch({ context, page }: Phone): Promise<() => Promise<Holding>> {
  const session = await context.newCDPSession(page);
  await session.send("Performance.enable");
  return async () => {
    // What a first sweep frees may hold on to more.
    for (let sweep = 0; sweep < 3; sweep += 1) await session.send("HeapProfiler.collectGarbage");
    const { metrics } = await session.send("Performance.getMetrics");
    const valueOf = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
    return {
      heap: valueOf("JSHeapUsedSize") / 1_000,
      nodes: valueOf("Nodes"),
      listeners: valueOf("JSEventListeners"),
    };
  };
}
