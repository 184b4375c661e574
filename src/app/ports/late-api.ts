/** The calls of section 7, whose code comes with the first of them: a screen that asks nothing does not load it. */
import { CallFailed } from "../../../machines/failure.ts";
import type { Api, ApiOutside } from "./api.ts";
import { isReachable } from "./page.ts";

/** Why a file of the app cannot be had: there is no network, or a newer release has taken it away. */
export const whyMissed = async () => new CallFailed({ kind: (await isReachable()) ? "outdated" : "network" });

/** The API whose every method waits for its code; `fetchCode` begins that before anything is asked. */
export function createLateApi(outside: ApiOutside): { api: Api; fetchCode: () => void } {
  let made: Promise<Api> | undefined;
  const make = () => {
    made ??= import("./api.ts").then(
      ({ createApi }) => createApi(outside),
      async () => {
        // Asked for again with the next call, for the network may be back.
        made = undefined;
        throw await whyMissed();
      },
    );
    return made;
  };
  const api = new Proxy({} as Api, {
    get:
      (_, name: keyof Api) =>
      async (...input: never[]) =>
        ((await make())[name] as (...input: never[]) => unknown)(...input),
  });
  return { api, fetchCode: () => void make().catch(() => undefined) };
}
