/** Who the member is, until when, and how near that is, as a user meets it. Specification, sections 2 (personal_info) and 3 ("User"); Decisions, "Default timeout none"; decision 31. */
import type { AnyStateMachine } from "xstate";
import { DAY } from "../../src/contract/durations.ts";
import { distanceTo } from "../../src/contract/moments.ts";
import { membershipMachine, type LastKnownMembership } from "../../machines/membership.ts";
import { userWhoSees, userModel } from "../support/user-model.ts";
import { no, ok } from "../support/replies.ts";
import { lost, refused } from "../support/samples.ts";
import { LOST, errorWords } from "../support/error-words.ts";

const call = "/api/user/center";

const blank = {
  name: null as string | null,
  standing: null as string | null,
  /** What is said of the end. */
  end: null as string | null,
  awaited: false,
  slow: false,
  /** Why nothing can be shown. */
  why: null as string | null,
  waiting: [] as string[],
};

const waiting = [call];
const visitor = { name: "anna", standing: "Not activated as a member" };
const member = { name: "anna", standing: "Valid until December 31, 2026" };
const ending = {
  name: "anna",
  standing: "Valid until January 4, 2026",
  end: "Your membership ends in 3 days",
};
const ended = { ...visitor, end: "Your membership ended on December 30, 2025" };
const outcomes = {
  "is told of no membership": "visitor",
  "is told of a membership": "member",
  "is told of one that ends soon": "ending",
  "is told of one that is over": "ended",
};

const waits = {
  meta: { awaited: true, waiting },
  on: { ...outcomes, "is refused": "refused", "is not heard": "failed", "ten seconds pass": "waitsLong" },
};

const person = userWhoSees(blank).createMachine({
  id: "person",
  initial: "waits",
  states: {
    waits,
    waitsLong: {
      meta: { awaited: true, slow: true, waiting },
      on: { ...outcomes, "asks again": "waits", "is not heard": "failed" },
    },
    refused: { meta: { why: "Later." }, on: { "asks again": "waits" } },
    failed: {
      meta: { why: LOST },
      on: { "asks again": "waits", "comes back": "waits" },
    },
    visitor: { meta: visitor, on: { "comes back": "visitorAgain", "looks again": "visitorAgain" } },
    // What is known stays on the screen meanwhile.
    visitorAgain: { meta: { ...visitor, waiting }, on: { ...outcomes, "is not heard": "visitor" } },
    member: { meta: member, on: { "comes back": "memberAgain", "looks again": "memberAgain" } },
    memberAgain: {
      meta: { ...member, waiting },
      on: { ...outcomes, "is not heard": "member", "comes back": "memberAgain" },
    },
    ending: { meta: ending, on: { "looks again": "endingAgain" } },
    endingAgain: { meta: { ...ending, waiting }, on: { ...outcomes, "is not heard": "ending" } },
    ended: { meta: ended, on: { "looks again": "endedAgain" } },
    endedAgain: { meta: { ...ended, waiting }, on: { ...outcomes, "is not heard": "ended" } },
  },
});

/** Where this browser has kept that the membership runs: so it stands there, whatever becomes of the question. */
const remembered = { ...blank, standing: member.standing as string | null };
const personRemembered = userWhoSees(remembered).createMachine({
  id: "person",
  initial: "waits",
  states: {
    waits,
    waitsLong: {
      meta: { awaited: true, slow: true, waiting },
      on: { "is told of no membership": "visitor", "asks again": "waits", "is not heard": "failed" },
    },
    refused: { meta: { why: "Later." }, on: { "asks again": "waits" } },
    failed: { meta: { why: LOST }, on: { "asks again": "waits", "comes back": "waits" } },
    visitor: { meta: visitor, on: {} },
    member: { meta: member, on: { "looks again": "memberAgain" } },
    memberAgain: {
      meta: { ...member, waiting },
      on: { "is told of no membership": "visitor", "is not heard": "member" },
    },
    ending: { meta: ending, on: {} },
    ended: { meta: ended, on: {} },
  },
});

const withoutMembership = {
  account_name: "anna",
  name: null as string | null,
  pack_name: null as string | null,
  pack_exp_date: null as string | null,
};
const withMembership = {
  ...withoutMembership,
  name: "Anna B.",
  pack_name: "Yearly",
  pack_exp_date: "2026-12-31 23:59:59",
};
/** When every walk begins, as on a screen. */
const now = Date.UTC(2026, 0, 1, 0, 10);

const told = (user: typeof withoutMembership, ended: string | null = null) => ({
  invoke: "readMember",
  output: { ...user, end: distanceTo(ended ?? user.pack_exp_date, now) },
  call,
  reply: ok({ user: { ...user, membership_ended_at: ended } }),
});

const lastKnownMember = { pack_name: withMembership.pack_name, pack_exp_date: withMembership.pack_exp_date };

/** @param lastKnown what this browser has kept */
const modelOf = (person: AnyStateMachine, lastKnown: LastKnownMembership | null, defaultView: typeof blank) =>
  userModel({
    chart: membershipMachine,
    input: { quiet: false, lastKnown },
    person,
    defaultView,
    actions: {
      "is told of no membership": told(withoutMembership),
      "is told of a membership": told(withMembership),
      "is told of one that ends soon": told({ ...withMembership, pack_exp_date: "2026-01-04T20:00:00.000Z" }),
      "is told of one that is over": told(withoutMembership, "2025-12-30T20:00:00.000Z"),
      "is refused": { invoke: "readMember", error: refused, call, reply: no("Later.") },
      "is not heard": { invoke: "readMember", error: lost, call },
      "ten seconds pass": { ms: 10_000 },
      "asks again": { sends: { type: "retry" }, does: (user) => user.tap("button", "Try again") },
      "comes back": {
        sends: { type: "screen.activated" },
        does: async (user) => {
          await user.visit("/setting");
          await user.visit("/personal_info");
        },
      },
      "looks again": { sends: { type: "page.visible" }, does: (user) => user.returnToPage() },
    },
    viewOfChart: (state, { pending }) => ({
      name: state.context.member?.account_name ?? null,
      awaited: state.matches({ reading: "loading" }),
      slow: state.hasTag("slow"),
      waiting: pending.map(() => call),
    }),
    viewOnScreen: async (user) => {
      const standings = [visitor.standing, member.standing, ending.standing];
      const seen = await Promise.all(standings.map((words) => user.hasText(words)));
      const ends = [ending.end, ended.end];
      const near = await Promise.all(ends.map((words) => user.hasText(words)));
      const whys = ["Later.", ...errorWords];
      const given = await Promise.all(whys.map((words) => user.hasText(words)));
      return {
        name: (await user.hasText("anna")) ? "anna" : null,
        standing: standings.filter((_, at) => seen[at]).join() || null,
        end: ends.filter((_, at) => near[at]).join() || null,
        awaited: await user.isVisible('main [aria-busy="true"]:not(button)'),
        slow: await user.hasText("This is taking longer than usual. Your connection may be slow."),
        why: whys.filter((_, at) => given[at]).join() || null,
        waiting: user.pendingCalls(),
      };
    },
  });

export const membership = modelOf(person, null, blank);

/** In the storage of the browser in which `membershipRemembered` begins. */
export const keptMembership = {
  accountName: "Anna",
  ...lastKnownMember,
  ends: now + DAY,
};
export const membershipRemembered = modelOf(personRemembered, lastKnownMember, remembered);
