/** The API client: one method per call of section 7, by subject. Each resolves with validated data or rejects with `CallFailed`. */
import { createRequests, type ApiDependencies } from "./api-request.ts";
import { shopCalls } from "./api-shop.ts";
import { accountCalls } from "./api-account.ts";
import { orderCalls } from "./api-orders.ts";
import { cardCalls } from "./api-card.ts";

export type Api = ReturnType<typeof createApi>;

export function createApi(dependencies: ApiDependencies) {
  const requests = createRequests(dependencies);
  return {
    ...accountCalls(requests, dependencies),
    ...shopCalls(requests, dependencies),
    ...orderCalls(requests, dependencies),
    ...cardCalls(requests),
  };
}
