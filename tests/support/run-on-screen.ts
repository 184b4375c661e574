/** Performs a user model on the rendered screen: every path, the same on a page that a browser translates, and with a fault in the service's answers. */
import { describe, expect, onTestFinished, test } from "vitest";
import type { AnyStateMachine } from "xstate";
import { keepWalk, type Walked } from "./coverage.ts";
import { runWithFaults } from "./fault-paths.ts";
import { translate } from "./translator.ts";
import { happenBy, pathsOf, type ScreenDriver, type UserModel } from "./user-model.ts";

/** Declares one test a path: performed on the rendered screen, where `open` shows it and tells which states were seen. */
export function runOnScreen<M extends AnyStateMachine, Look extends object>(
  play: UserModel<M, Look>,
  open: () => Promise<{ hand: ScreenDriver; walked: Walked }>,
): void {
  describe(`${play.chart.id}, as a person meets it`, () => {
    for (const { name, perform } of pathsOf(play, "short")) {
      test(`path: ${name}`, async ({ task }) => {
        const { hand, walked } = await open();
        await perform(
          (action) => happenBy(hand, action, false),
          async (look) => expect(await play.looks(hand)).toEqual(look),
        );
        keepWalk(task, { level: "screen", chart: play.chart.id, states: walked });
      });
    }
    for (const { name, perform } of pathsOf(play, "states")) {
      test(`path on a page that a browser translates: ${name}`, async () => {
        const { hand } = await open();
        // Into the same words, so that they can be read.
        onTestFinished(translate(["", ""]));
        await perform(
          (action) => happenBy(hand, action, false),
          async (look) => expect(await play.looks(hand)).toEqual(look),
        );
      });
    }
  });
  runWithFaults(play, open);
}
