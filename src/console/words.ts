/** What commands, fields, states and reasons are called on the page. A name that has no words here is shown as it is. */
import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { ownReasons, type PhraseKind, type SubjectKind, type WholeSubject } from "../contract/console.ts";

type Words = Readonly<Record<string, MessageDescriptor>>;

/** Every command that the page offers, by its name in the table. */
export const commandWords: Words = {
  refund: msg`Money was given back`,
  keep: msg`Keep the part payment`,
  credit: msg`Add days`,
  revoke: msg`Take days back`,
  "set-end": msg`Set the last day`,
  "clear-question": msg`Clear the security question`,
  "end-sessions": msg`Log out everywhere`,
  lock: msg`Lock the account`,
  unlock: msg`Unlock the account`,
  "unmatched-credit": msg`Credit to an order`,
  "unmatched-resolve": msg`Settle`,
  "replay-events": msg`Deliver again`,
  "announce-members": msg`Announce all members`,
  "package-set": msg`Change the package`,
  "packages-restore": msg`Put on sale again`,
  backup: msg`Make a backup and save it`,
  undo: msg`Undo`,
};

/** What was done, by the name that the audit gives it: mostly the command's, in words. */
export const entryWords: Words = {
  credit: msg`Days added`,
  revoke: msg`Days taken back`,
  "set end": msg`Last day set`,
  "clear question": msg`Security question cleared`,
  "end sessions": msg`Logged out everywhere`,
  lock: msg`Account locked`,
  unlock: msg`Account unlocked`,
  refund: msg`Money given back`,
  keep: msg`Part payment kept`,
  "unmatched credit": msg`Money credited to an order`,
  "unmatched resolve": msg`Money settled`,
  "replay events": msg`Events delivered again`,
  "announce members": msg`Members announced`,
  "package set": msg`Package changed`,
  "packages restore": msg`Packages put on sale again`,
  undo: msg`Undone`,
  reread: msg`Blocks read again`,
  "skip blocks": msg`Blocks left out`,
  transaction: msg`Transaction read`,
  "series add": msg`Addresses of a series added`,
  backup: msg`Backup made`,
  restore: msg`Backup put back`,
  "after restore": msg`Numbers set on after a restore`,
  "operator add": msg`Operator added`,
  "operator remove": msg`Operator removed`,
  "operator passkeys remove": msg`Passkeys removed`,
  "passkey add": msg`Passkey added`,
  "console link": msg`Link for the page made`,
};

/** What an audit entry is about. `which`: the number or name. */
export const subjectWords: Readonly<Record<SubjectKind | WholeSubject, MessageDescriptor>> = {
  account: msg({ message: "account {which}" }),
  "all accounts": msg`all accounts`,
  database: msg`database`,
  event: msg({ message: "event {which}" }),
  "event *": msg`all events`,
  operator: msg({ message: "operator {which}" }),
  order: msg({ message: "order {which}" }),
  package: msg({ message: "package {which}" }),
  packages: msg`packages`,
  series: msg({ message: "series {which}" }),
  unmatched: msg({ message: "row {which}" }),
};
/** The same of blocks that were left out. */
export const blocksLeftOut = msg({ message: "{network} to block {block}" });

/** The reasons that the service gives by itself. */
export const ownReasonWords: Readonly<
  Record<(typeof ownReasons)[keyof typeof ownReasons], MessageDescriptor>
> = {
  [ownReasons["console link"]]: msg`To open the page.`,
  [ownReasons["passkey add"]]: msg`On the page.`,
  [ownReasons.backup]: msg`Saved by this page.`,
};

/** What a preview says besides what changes, and why a command is refused. */
export const phraseWords: Readonly<Record<PhraseKind, MessageDescriptor>> = {
  "same done": msg({ message: "{actor} did the same on {at} (audit entry {entry})." }),
  "another's money": msg({ message: "This is money of {member}, and the order is another member's." }),
  "price doubles": msg`The price more than doubles.`,
  "price halves": msg`The price falls to less than half.`,
  "nothing on sale": msg`No package is on sale then.`,
  "went back": msg({ message: "It went back by {reference}." }),
  questions: msg`Every member has to set a new security question.`,
  sessions: msg({ message: "Sessions that end: {count}." }),
  "sessions for good": msg({ message: "Sessions that end, for good: {count}." }),
  events: msg({ message: "Events that are delivered again: {count}." }),
  members: msg({ message: "Members that are sent again: {count}." }),
  "ends now": msg({ message: "The membership ends at once, on {at} (UTC)." }),
  undoes: msg({ message: "Undoes what {actor} did on {at}: {action}. Reason: {reason}" }),

  "no account": msg({ message: "There is no account {name}." }),
  "account deleted": msg({ message: "{name} was deleted by its holder on {at}." }),
  "member again": msg({
    message: "{member} was deleted by its holder, and would be a member again: nothing was done.",
  }),
  "no day": msg({ message: "{text} is no day, such as 2026-11-30." }),
  "day past": msg`The day is in the past: to end the membership now, give today's date.`,
  days: msg({ message: "The days must be a whole number from 1 to {most}." }),
  place: msg({ message: "The place is from 1 to {last}: there are no more packages." }),
  "same package": msg({ message: "Package {product} is like that: there is nothing to change." }),
  "same packages": msg`They are on sale now: there is nothing to change.`,
  "no order": msg({ message: "No order is known by {text}." }),
  "another's order": msg({ message: "Order {order} is not one of {member}." }),
  "no days of order": msg({ message: "Order {order} is not confirmed: it has no days." }),
  "order removed": msg({
    message:
      "Order {order} of {member} was removed, because it was never paid. Money that came later is among the unsettled.",
  }),
  "many orders paid": msg({ message: "This transaction paid several orders: {orders}. Name one of them." }),
  "many orders": msg({ message: "This names several orders: {orders}. Name one of them." }),
  "nothing to give back": msg({
    message: "Nothing that came for order {order} is there to be given back.",
  }),
  "nothing to keep": msg({
    message: "Nothing of order {order} came in part. Other money is kept where it is listed as unsettled.",
  }),
  "transfer coming": msg({ message: "A transfer for order {order} is not final yet: wait for it." }),
  "row resolved": msg({ message: "Row {row} is settled: {resolution}" }),
  "row without order": msg`The row names no order: name one.`,
  "holder deleted": msg({ message: "The account of order {order} was deleted: give the money back." }),
  "never credited": msg({
    message: "Money is not credited for this reason: {why}. Give it back, or add days to the member.",
  }),
  "money went back": msg({
    message: "Row {row} tells of money that went back, and is not credited: look it up at the provider.",
  }),
  "transfer given back": msg({ message: "The transfer of row {row} was given back." }),
  "dollars alone": msg`Only an amount in USD can be credited: refund it at the provider.`,
  "other rail": msg({ message: "Order {order} is not paid by {rail}: add days to the member." }),
  "no transaction": msg({ message: "{text} is no transaction: its hash has 64 hexadecimal digits." }),
  "no reference": msg({
    message: "{text} is neither a provider's number, such as rfnd_… or re_…, nor the hash of a transaction.",
  }),
  "not in the book": msg({
    message: "The book has no money of this row ({why}): say neither how it went back nor that it is kept.",
  }),
  "where to": msg`Say what became of the money: name the transaction that gave it back, or say that it is kept.`,
  "other than shown": msg`It is no longer what was shown, so nothing was done: look at it again.`,
  "undone already": msg({
    message: "Entry {entry} was undone on {at} by {actor}. To have it again, undo entry {by}.",
  }),
  "locked since": msg({ message: "{member} was locked or unlocked since: nothing was done." }),
  "row settled since": msg({ message: "Row {row} was settled otherwise since: nothing was done." }),
  "packages changed since": msg`The packages were changed since: undo that first, or put the version that is wanted on sale again.`,
  "money moved since": msg`The money of this entry has moved on since: undo what moved it first.`,
  right: msg({ message: "This needs the right {right}, and yours is {has}: {command}." }),
  "clear for good": msg`A security question that was cleared cannot be put back: the member sets a new one.`,
  "sessions gone": msg`Sessions that were ended cannot be opened again: the member logs in.`,
  "events gone": msg`What was delivered again cannot be called back.`,
  "members gone": msg`What was sent cannot be called back.`,
  "right to undo": msg({
    message: "Entry {entry} is undone with the right {right}, and yours is {has}.",
  }),
};

/** What a command does, where its name does not say enough. */
export const commandNotes: Words = {
  refund: msg`Do this after you have sent the money back. The membership that the order brought ends.`,
  keep: msg`Do this after you have settled it with the member in another way, such as by adding days. The order asks for nothing more.`,
  "unmatched-resolve": msg`Say where the money went: back by a transaction, or kept. It may also be none of ours.`,
  revoke: msg`The last days are taken; with an order, days of that order alone.`,
  "set-end": msg`Days are in UTC. With today's date, the membership ends now.`,
  lock: msg`The member is logged out and cannot log in until you unlock the account.`,
  "package-set": msg`The shop shows it within ten seconds. Orders that are placed already keep what they were placed for.`,
  "announce-members": msg`Sends the state of every membership that runs, or ended within the last 31 days, to your other systems again.`,
};

export const fieldWords: Words = {
  reason: msg`Reason`,
  days: msg`Days`,
  day: msg`Last day`,
  order: msg`Order`,
  returned: msg`Transaction that gave it back`,
  kept: msg`It is kept`,
  all: msg`All members`,
  product: msg`Short name, part of its address`,
  "name-en": msg`English name`,
  "name-zh": msg`Chinese name`,
  "buy-price": msg`Price, USD`,
  price: msg`List price, USD`,
  place: msg`Place in the list`,
  sale: msg`Sale`,
};

/** The values that a field may have. */
export const choiceWords: Words = {
  open: msg`On sale`,
  closed: msg`Closed`,
};

export const statusWords: Words = {
  pending: msg`Pending`,
  confirmed: msg`Confirmed`,
  failed: msg`Failed`,
  seen: msg`Not final yet`,
  orphaned: msg`Taken back by the network`,
};

export const filterWords: Words = {
  all: msg`All`,
  pending: msg`Pending`,
  "part-paid": msg`Part-paid`,
  confirmed: msg`Confirmed`,
  failed: msg`Failed`,
  open: msg`Open`,
  undelivered: msg`Undelivered`,
  "given-up": msg`Given up`,
};

/** Why money waits for a person. */
export const reasonWords: Words = {
  unreadable: msg`Cannot be read`,
  incomplete: msg`Incomplete`,
  currency: msg`Wrong currency`,
  "order unknown": msg`Unknown order`,
  late: msg`Came too late`,
  network: msg`Wrong network`,
  "no order": msg`No order`,
  "account deleted": msg`Account deleted`,
  surplus: msg`Paid too much`,
  orphaned: msg`Taken back by the network`,
  "partly refunded": msg`Partly refunded`,
  "refund unreadable": msg`Refund cannot be read`,
  "not captured": msg`Not captured`,
  "amount differs": msg`Amount differs`,
  "disputed after refund": msg`Disputed after a refund`,
  "kept went back": msg`What was kept went back`,
  "kept came back": msg`What was kept came back`,
  inquiry: msg`Inquiry of a bank`,
};

export const movementWords: Words = {
  received: msg`Received`,
  orphaned: msg`Taken back by the network`,
  credited: msg`Credited`,
  "credit withdrawn": msg`Credit withdrawn`,
  surplus: msg`Paid too much`,
  "surplus withdrawn": msg`Surplus withdrawn`,
  "credited by hand": msg`Credited by hand`,
  returned: msg`Given back`,
  kept: msg`Kept`,
  refunded: msg`Refunded`,
  "refund withdrawn": msg`Refund withdrawn`,
  disputed: msg`Disputed`,
  "dispute won": msg`Dispute won`,
  "dispute lost": msg`Dispute lost`,
  swept: msg`Swept`,
  undone: msg`Undone`,
};

export const balanceWords: Words = {
  open: msg`Paid in part`,
  credited: msg`Credited`,
  surplus: msg`Surplus`,
  held: msg`Held`,
  disputed: msg`Disputed`,
  returned: msg`Given back`,
  kept: msg`Kept`,
};

/** Why days were added or taken. */
export const daysWords: Words = {
  order: msg`Paid`,
  credit: msg`By an operator`,
  refund: msg`Refund`,
  dispute: msg`Dispute`,
  reorganisation: msg`Network took a payment back`,
  revoked: msg`Taken back`,
};
