/** The signed-in member, when their membership ends, and how near that is. Specification, sections 2 (personal_info) and 3 ("User"); decision 31. */
import { assign, not, setup, type PromiseActorLogic } from "xstate";
import type { Distance } from "../src/contract/moments.ts";
import { type CallError, loadFailed, showErrorIn } from "./call-error.ts";
import { endOf, type MembershipEnd } from "./membership-end.ts";
import { loading, waitingDelays } from "./slow-request.ts";

/** As the API sends it; a null `pack_name` means no membership. */
export type Member = {
  account_name: string;
  name: string | null;
  pack_name: string | null;
  pack_exp_date: string | null;
  /** How far off its end is, or how long ago the last one's; null where the API names none. */
  end: Distance | null;
};

/** `quiet`: unasked for, so that an answer "not signed in" ends no session. */
export type MembershipInput = { quiet: boolean };

export type MembershipPorts = { readMember: PromiseActorLogic<Member, MembershipInput> };

type MembershipEvent =
  | { type: "screen.activated" }
  /** The phone is looked at again: days may have passed. */
  | { type: "page.visible" }
  | { type: "retry" };

type MembershipContext = MembershipInput & {
  member: Member | null;
  /** Null where nothing is to be said of it. */
  end: MembershipEnd | null;
  error: CallError | null;
};

export const membershipMachine = setup({
  types: {
    context: {} as MembershipContext,
    input: {} as MembershipInput,
    events: {} as MembershipEvent,
    tags: {} as "slow" | "active",
  },
  actors: {} as MembershipPorts,
  delays: waitingDelays,
  guards: { isActive: ({ context }) => context.member !== null && context.member.pack_name !== null },
  actions: {
    keepMember: assign((_, { member }: { member: Member }) => ({
      member,
      end: endOf(member.pack_name !== null, member.end),
      error: null,
    })),
    keepError: assign({ error: (_, { error }: { error: CallError }) => error }),
  },
}).createMachine({
  id: "membership",
  context: ({ input }) => ({ quiet: input.quiet, member: null, end: null, error: null }),
  initial: "loading",
  states: {
    loading: {
      ...loading,
      invoke: {
        id: "readMember",
        src: "readMember",
        input: ({ context: { quiet } }) => ({ quiet }),
        onDone: {
          target: "shown",
          actions: { type: "keepMember", params: ({ event }) => ({ member: event.output }) },
        },
        onError: showErrorIn("failed"),
      },
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
          on: { "screen.activated": ".refreshing", "page.visible": ".refreshing" },
          states: {
            current: {},
            refreshing: {
              invoke: {
                id: "readMember",
                src: "readMember",
                input: ({ context: { quiet } }) => ({ quiet }),
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
