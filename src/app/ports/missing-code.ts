/** Why a script cannot be loaded: there is no network, a newer release has removed the file, or the browser blocks a provider's. */
import { CallFailed } from "../../../machines/call-error.ts";
import { isReachable } from "./page.ts";

/** @param kind the reason where the site answers */
export const missingCode = async (kind: "outdated" | "barred" = "outdated") =>
  new CallFailed({ kind: (await isReachable()) ? kind : "network" });
