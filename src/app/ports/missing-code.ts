/** Why a file of the app cannot be loaded: there is no network, or a newer release has taken the file away. */
import { CallFailed } from "../../../machines/call-error.ts";
import { isReachable } from "./page.ts";

export const missingCode = async () =>
  new CallFailed({ kind: (await isReachable()) ? "outdated" : "network" });
