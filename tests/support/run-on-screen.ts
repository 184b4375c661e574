/** Performs a user model on the rendered screen: by every step, to every state on a page that a browser translates, and with a fault in the service's answers. */
import { describe, expect, onTestFinished, test } from "vitest";
import type { AnyStateMachine } from "xstate";
import { keepWalk, type Walked } from "./coverage.ts";
import { runWithFaults } from "./fault-paths.ts";
import { repeats } from "./lane.ts";
import { translate } from "./translator.ts";
import { performOnScreen, pathsOf, type UserModel } from "./user-model.ts";
import type { User } from "../user.ts";

/**
 * Declares one test a tour, and in the second lane one a path: performed on the rendered screen, where `open` shows it and
 * tells which states were seen.
 * @param by "paths" in either lane: of a model that says what is seen soon after the start, and not what a minute leaves behind
 */
export function runOnScreen<M extends AnyStateMachine, View extends object>(
  model: UserModel<M, View>,
  open: () => Promise<{ user: User; walked: Walked }>,
  by: "tours" | "paths" = repeats ? "paths" : "tours",
): void {
  describe(`${model.chart.id}, as a user meets it`, () => {
    for (const { name, perform } of pathsOf(model, by === "paths" ? "everyStep" : "toursOfSteps")) {
      test(`path: ${name}`, async ({ task }) => {
        const { user, walked } = await open();
        await perform(
          (action) => performOnScreen(user, action, false),
          async (view) => expect(await model.viewOnScreen(user)).toEqual(view),
        );
        keepWalk(task, { level: "screen", chart: model.chart.id, states: walked });
      });
    }
    for (const { name, perform } of pathsOf(model, by === "paths" ? "everyState" : "toursOfStates")) {
      test(`path on a page that a browser translates: ${name}`, async () => {
        const { user } = await open();
        // Into the same words, so that they can be read.
        onTestFinished(translate(["", ""]));
        await perform(
          (action) => performOnScreen(user, action, false),
          async (view) => expect(await model.viewOnScreen(user)).toEqual(view),
        );
      });
    }
  });
  runWithFaults(model, open);
}
