/** The signed-in member and when their membership ends. Specification, sections 2 (personal_info) and 3 ("User"). */
import { assign, not, setup, type PromiseActorLogic } from "xstate";
import { type Failure, loadFailed, showFailureIn } from "./failure.ts";
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
    context: {} as { member: Member | null; failure: Failure | null },
    events: {} as MembershipEvent,
    tags: {} as "slow" | "active",
  },
  actors: {} as MembershipPorts,
  delays: waitingDelays,
  guards: { isActive: ({ context }) => context.member !== null && context.member.pack_name !== null },
  actions: {
    keepMember: assign({ member: (_, { member }: { member: Member }) => member, failure: null }),
    keepFailure: assign({ failure: (_, { failure }: { failure: Failure }) => failure }),
  },
}).createMachine({
  id: "membership",
  context: { member: null, failure: null },
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
        onError: showFailureIn("failed"),
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
