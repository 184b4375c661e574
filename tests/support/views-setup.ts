/** Before and after each test of the views: the files of a worker load the app once, and this is run for each of them. */
import { watchNoMore } from "./drawn-anew.ts";
import { afterEach, beforeEach } from "vitest";
import { begin, end } from "./app.tsx";

beforeEach(begin);
afterEach(() => {
  watchNoMore();
  end();
});
