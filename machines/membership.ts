/** The signed-in member and when their membership ends. Specification, sections 2 (personal_info) and 3 ("User"). */
import { assign, not, setup, type PromiseActorLogic } from "xstate";
import { type CallError, loadFailed, showErrorIn } from "./call-error.ts";
import { waiting, waitingDelays } from "./slow-request.ts";

/** As the API sends it; a null `pack_name` means no membership. */
export type Member = {
  account_name: string;
  name: string | null;
  pack_name: string | null;
  pack_exp_date: string | null;
};

export type MembershipPorts = { readMember: PromiseActorLogic<Member> };

type MembershipEvent = { type: "screen.activated" } | { type: "retry" };

export const membershipMachine = setup({
  types: {
    context: {} as { member: Member | null; error: CallError | null },
    events: {} as MembershipEvent,
    tags: {} as "slow" | "active",
  },
  actors: {} as MembershipPorts,
  delays: waitingDelays,
  guards: { isActive: ({ context }) => context.member !== null && context.member.pack_name !== null },
  actions: {
    keepMember: assign({ member: (_, { member }: { member: Member }) => member, error: null }),
    keepError: assign({ error: (_, { error }: { error: CallError }) => error }),
  },
}).createMachine({
  id: "membership",
  context: { member: null, error: null },
  initial: "loading",
  states: {
    loading: {
      invoke: {
        id: "readMember",
        src: "readMember",
        onDone: {
          target: "shown",
          actions: { type: "keepMember", params: ({ event }) => ({ member: event.output }) },
        },
        onError: showErrorIn("failed"),
      },
      ...waiting,
      on: { retry: { target: "loading", reenter: true } },
    },
    failed: loadFailed,
    shown: {
      type: "parallel",
      states: {
        standing: {
          initial: "none",
          states: {
            none: { always: { guard: "isActive", target: "active" } },
            active: { tags: "active", always: { guard: not("isActive"), target: "none" } },
          },
        },
        // The data stays visible during a refresh; a failed one changes nothing.
        news: {
          initial: "current",
          on: { "screen.activated": ".refreshing" },
          states: {
            current: {},
            refreshing: {
              invoke: {
                id: "readMember",
                src: "readMember",
                onDone: {
                  target: "current",
                  actions: { type: "keepMember", params: ({ event }) => ({ member: event.output }) },
                },
                onError: "current",
              },
            },
          },
        },
      },
    },
  },
});
