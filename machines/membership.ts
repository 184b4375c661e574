/** The signed-in member, when their membership ends, and how near that is. Specification, sections 2 (personal_info) and 3 ("User"); decision 31. */
import { assign, emit, not, setup, type PromiseActorLogic } from "xstate";
import type { Distance } from "../src/contract/moments.ts";
import { type CallError, loadFailed, outputOf, showErrorIn } from "./call-error.ts";
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

/** What this browser keeps of a membership that has not ended: shown until the API answers. */
export type LastKnownMembership = Pick<Member, "pack_name" | "pack_exp_date">;

/** `quiet`: read in the background, so an answer "not signed in" does not end the session. */
export type MembershipInput = { quiet: boolean; lastKnown: LastKnownMembership | null };

type Quiet = Pick<MembershipInput, "quiet">;

export type MembershipPorts = { readMember: PromiseActorLogic<Member, Quiet> };

/** The API's answer, for this browser to keep. */
export type MembershipEmitted = { type: "member.read"; member: Member };

type MembershipEvent =
  | { type: "screen.activated" }
  /** The page became visible again: days may have passed. */
  | { type: "page.visible" }
  | { type: "retry" };

type MembershipContext = MembershipInput & {
  /** As the API sent it; null before that. */
  member: Member | null;
  /** Null when there is nothing to say about its end. */
  end: MembershipEnd | null;
  error: CallError | null;
};

/** What is to be shown: the API's answer, else what was last known; null where there is neither. */
export const membershipIn = ({
  member,
  lastKnown,
}: Pick<MembershipContext, "member" | "lastKnown">): LastKnownMembership | null => member ?? lastKnown;

/** Reads the member, keeps the answer and has this browser keep it. */
const readMemberIn = <T extends string>(target: T) =>
  ({
    id: "readMember",
    src: "readMember",
    input: ({ context: { quiet } }: { context: MembershipContext }) => ({ quiet }),
    onDone: {
      target,
      actions: [
        { type: "keepMember", params: outputOf },
        { type: "announceMember", params: outputOf },
      ],
    },
  }) as const;

export const membershipMachine = setup({
  types: {
    context: {} as MembershipContext,
    input: {} as MembershipInput,
    events: {} as MembershipEvent,
    emitted: {} as MembershipEmitted,
    tags: {} as "slow" | "active",
  },
  actors: {} as MembershipPorts,
  delays: waitingDelays,
  guards: { isActive: ({ context }) => (membershipIn(context)?.pack_name ?? null) !== null },
  actions: {
    keepMember: assign((_, member: Member) => ({
      member,
      end: endOf(member.pack_name !== null, member.end),
      error: null,
    })),
    announceMember: emit((_, member: Member) => ({ type: "member.read" as const, member })),
    keepError: assign({ error: (_, { error }: { error: CallError }) => error }),
  },
}).createMachine({
  id: "membership",
  context: ({ input }) => ({ ...input, member: null, end: null, error: null }),
  type: "parallel",
  states: {
    standing: {
      initial: "none",
      states: {
        none: { always: { guard: "isActive", target: "active" } },
        active: { tags: "active", always: { guard: not("isActive"), target: "none" } },
      },
    },
    reading: {
      initial: "loading",
      states: {
        loading: {
          ...loading,
          invoke: { ...readMemberIn("shown"), onError: showErrorIn("failed") },
        },
        failed: loadFailed,
        // The data stays visible during a refresh; a failed one changes nothing.
        shown: {
          initial: "current",
          on: { "screen.activated": ".refreshing", "page.visible": ".refreshing" },
          states: {
            current: {},
            refreshing: {
              invoke: { ...readMemberIn("current"), onError: "current" },
            },
          },
        },
      },
    },
  },
});
