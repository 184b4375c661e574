/** The API's calls that need no account: the packages, the ways to pay, customer support. */
import { CallFailed } from "../../../machines/call-error.ts";
import { knownMethods, type Method } from "../../../machines/payment-methods.ts";
import { contact, packages, paths, paymentMethods } from "../../contract/calls.ts";
import type { ApiDependencies, Requests } from "./api-request.ts";
import { isSafeAddress } from "./windows.ts";

export const shopCalls = ({ get }: Requests, { config }: Pick<ApiDependencies, "config">) => ({
  readPackages: (signal?: AbortSignal) => get(paths.packages, packages, signal, { public: true }),
  /** Only enabled methods that this app knows. */
  readMethods: async (signal?: AbortSignal): Promise<readonly Method[]> => {
    const entries = await get(paths.paymentMethods, paymentMethods, signal, { public: true });
    return knownMethods.filter((method) =>
      entries.some((entry) => entry.payment_method === method && entry.open === "1"),
    );
  },
  /** The URL of customer support. Rejects an unsafe one. */
  readContact: async (signal?: AbortSignal) => {
    const addresses = await get(paths.contact, contact, signal, { public: true });
    const { sandbox } = await config();
    const address = addresses.find((each) => isSafeAddress(each, sandbox));
    if (address === undefined) throw new CallFailed({ kind: "unreadable" });
    return address;
  },
});
