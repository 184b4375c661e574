/** What a call costs as the data grow: the same service on databases of several sizes, asked in turn, so that what else the machine does meets all of them. */
import { calls, fire } from "./ratios.ts";
import { median } from "./report.ts";
import { setUpLoad, type Size } from "./setup.ts";

/** Members that have so many orders each. */
const ORDERS_EACH = 10;

/**
 * @param server PostgreSQL; null: the embedded database
 * @param sizes orders in each database
 * @returns by call: ms in the median at each size, and the largest as a share of the smallest
 */
export async function measureGrowth(
  server: string | null,
  sizes: readonly number[],
  { seconds, rounds }: { seconds: number; rounds: number },
): Promise<Record<string, Record<string, number>>> {
  const places = [];
  const rows: Record<string, Record<string, number>> = {};
  try {
    for (const orders of sizes) {
      const size: Size = { orders, members: orders / ORDERS_EACH };
      const setup = await setUpLoad(server, size);
      places.push({ orders, size, setup, service: await setup.service() });
    }
    for (const call of calls) {
      const rates = places.map((): number[] => []);
      // The first round warms up.
      for (let round = 0; round <= rounds; round += 1) {
        for (const [at, { service, size }] of places.entries()) {
          const { rate } = await fire(service, call, 1, seconds, size);
          if (round > 0) rates[at]?.push(rate);
        }
      }
      const ms = rates.map((each) => 1_000 / median(each));
      rows[call] = {
        ...Object.fromEntries(
          sizes.map((orders, at) => [`${orders} orders, ms`, Number(ms[at]?.toFixed(2))]),
        ),
        "largest to smallest": Number(((ms.at(-1) ?? NaN) / (ms[0] ?? NaN)).toFixed(2)),
      };
    }
    return rows;
  } finally {
    for (const { service, setup } of places) {
      await service.stop();
      await setup.drop();
    }
  }
}
