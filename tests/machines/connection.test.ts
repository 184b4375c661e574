/** The phone's network: online or offline, as was last heard. */
import { expect } from "vitest";
import { connectionMachine } from "../../machines/connection.ts";
import { connection as model } from "../models/connection.ts";
import { runOnMachine } from "../support/user-model.ts";
import { invariantsOf } from "../support/invariant-runner.ts";

const connection = invariantsOf(connectionMachine, {
  inputs: [{ online: true }, { online: false }],
  events: [{ type: "network.lost" }, { type: "network.found" }],
  answers: {},
  simple: true,
});

connection.always("is what was last heard of the network", ({ state }, history) => {
  const last = history.findLast(({ event }) => event.type.startsWith("network."))?.event.type;
  const isThere = last === undefined ? state.context.online : last === "network.found";
  expect(state.value).toBe(isThere ? "online" : "offline");
});

runOnMachine(model);
