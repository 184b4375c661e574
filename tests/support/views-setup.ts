/** Before and after each test of the shop's app in jsdom. */
import { watchNoMore } from "./drawn-anew.ts";
import { afterEach, beforeEach } from "vitest";
import { begin, end } from "./app.tsx";

beforeEach(begin);
afterEach(() => {
  watchNoMore();
  end();
});
