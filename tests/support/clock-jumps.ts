/** Clocks that jump while their machines run: of a Node process by a script that it loads first, of a PostgreSQL of its own by libfaketime, where that is installed. */
import { chmodSync, globSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
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
  // In the form of libfaketime: a sign, and seconds.
  const set = (seconds: number) => writeFileSync(file, `${seconds < 0 ? "" : "+"}${seconds}`);
  set(0);
  // The server runs as another user.
  chmodSync(folder, 0o755);
  const [library] = globSync("/usr/lib/*/faketime/libfaketimeMT.so.1");
  return {
    /** Sets all of them at once to so many seconds ahead of the right time. */
    set,
    /** The environment of a Node process that goes by them. */
    process: { NODE_OPTIONS: preload(`Number(readFileSync(${JSON.stringify(file)}, "utf8")) * 1_000`) },
    /** The environment of a PostgreSQL that goes by them; null without libfaketime. */
    server:
      library === undefined
        ? null
        : {
            LD_PRELOAD: library,
            FAKETIME_TIMESTAMP_FILE: file,
            FAKETIME_NO_CACHE: "1",
            FAKETIME_DONT_FAKE_MONOTONIC: "1",
          },
    remove: () => rmSync(folder, { recursive: true }),
  };
}
