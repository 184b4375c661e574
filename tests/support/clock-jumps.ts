/** Clocks of Node processes that are wrong, or jump while they run, by a script that is loaded first; of the embedded database, too. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Makes `Date` wrong by `skew` milliseconds, an expression that is evaluated ten times a second; in worker threads, too. */
const preload = (skew: string) =>
  `--import=data:text/javascript,${encodeURIComponent(`
    import { readFileSync } from "node:fs";
    const Right = Date;
    let [wrong, until] = [0, 0];
    const skew = () => {
      if (performance.now() > until) [wrong, until] = [${skew}, performance.now() + 100];
      return wrong;
    };
    globalThis.Date = class extends Right {
      constructor(...given) { if (given.length === 0) super(Right.now() + skew()); else super(...given); }
      static now() { return Right.now() + skew(); }
    };`)}`;

/** The environment of a Node process whose machine's clock is wrong by so many milliseconds. */
export const skewed = (skew: number) => ({ NODE_OPTIONS: preload(String(skew)) });

export type Clocks = ReturnType<typeof jumpingClocks>;

/** Clocks that are right until they are set. */
export function jumpingClocks() {
  const folder = mkdtempSync(join(tmpdir(), "clock-"));
  const file = join(folder, "seconds");
  const set = (seconds: number) => writeFileSync(file, String(seconds));
  set(0);
  return {
    /** Sets all of them at once to so many seconds ahead of the right time. */
    set,
    /** The environment of a Node process that goes by them. */
    process: { NODE_OPTIONS: preload(`Number(readFileSync(${JSON.stringify(file)}, "utf8")) * 1_000`) },
    remove: () => rmSync(folder, { recursive: true }),
  };
}
