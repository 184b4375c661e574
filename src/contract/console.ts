/** What the operator's page and the service agree on: rights, the table of commands as the page reads it, and the calls. */
import type { Network } from "./calls.ts";
import type { Language } from "./languages.ts";

/** What an operator may do: each right holds those before it. */
export const rights = ["look", "support", "money"] as const;
export type Right = (typeof rights)[number];

/** Whether a right holds another. */
export const holds = (right: Right, needed: Right): boolean =>
  rights.indexOf(right) >= rights.indexOf(needed);

/** What a command is about, where its first word names that: the page offers it there. */
export type About = "order" | "member" | "row" | "package" | "version" | "data";

/** An argument or an option of a command. `title`: what is put there, as the help shows it. */
export interface Entry {
  name: string;
  title: string;
  optional: boolean;
  /** An option without a value. */
  isFlag: boolean;
  /** The values that it may have; empty: any. */
  choices: readonly string[];
}

/** A command, as the page reads it. */
export interface TableRow {
  name: string;
  args: Entry[];
  options: Entry[];
  /** Null: `undo` takes it back; else why nothing does. */
  noUndo: string | null;
}

/** The calls of the page: each a POST with a body of JSON, to the page's own origin. */
export const consoleCalls = {
  enter: "/api/enter",
  proof: "/api/passkey/proof",
  enterByPasskey: "/api/passkey/enter",
  newPasskey: "/api/passkey/new",
  addPasskey: "/api/passkey/add",
  leave: "/api/leave",
  whoami: "/api/whoami",
  today: "/api/today",
  find: "/api/find",
  list: "/api/list",
  order: "/api/order",
  member: "/api/member",
  packages: "/api/packages",
  backups: "/api/backups",
  backupReceived: "/api/backup-received",
  ask: "/api/ask",
  preview: "/api/preview",
  perform: "/api/perform",
} as const;

/** Who is in, and the commands that they may give. */
export interface Whoami {
  name: string;
  right: Right;
  commands: TableRow[];
}

/** Of an order in a list. Amounts are whole USDT or USD, with two decimals or more. */
export interface OrderLine {
  id: string;
  member: string;
  at: string;
  amount: string;
  currency: string;
  /** A network, or the card or Stripe. */
  by: string;
  status: "pending" | "confirmed" | "failed";
  days: number;
}

/** Of money that no rule settles. */
export interface RowLine {
  id: number;
  at: string;
  reason: string;
  amount: string | null;
  currency: string | null;
  order: string | null;
  rail: string;
  /** The provider's number of the payment, or the transaction. */
  payment: string | null;
  /** The provider's number of its order, or the address. */
  reference: string | null;
  /** Of an address that no order has: where it is below which key, and whose it was. */
  path: string | null;
  resolution: string | null;
  /** The commands that can be given now, by name. */
  actions: string[];
}

export interface EventLine {
  id: string;
  type: string;
  at: string;
  attempts: number;
  /** When it is tried next; null: given up. */
  next: string | null;
  error: string | null;
}

/** What an audit entry may be about: one of a kind, by its number or name. */
export type SubjectKind = "account" | "event" | "operator" | "order" | "package" | "series" | "unmatched";
/** Without a number or a name. */
export type WholeSubject = "all accounts" | "database" | "event *" | "packages";
/** As the audit has it. Blocks and transactions stand behind their network. The page says it in its language. */
export type SubjectName = `${SubjectKind} ${string}` | WholeSubject | `${Network} ${string}`;

/** The reasons that the service gives by itself, by what was done. All others are as an operator typed them. */
export const ownReasons = {
  "console link": "To open the page.",
  "passkey add": "On the page.",
  backup: "saved by the operator's page",
} as const;

/**
 * What a preview says besides what changes, why a command is refused, and why it cannot be undone; `{…}` stands for a fact. The service says it in
 * these words, and the page, which reads them back, in the language in use. What is not here is English there, too.
 */
export const phrases = {
  "same done": "the same was done at {at} by {actor} (audit entry {entry}).",
  "another's money": "row {row} is money of {member}, and the order is another member's.",
  "price doubles": "The price more than doubles.",
  "price halves": "The price falls to less than half.",
  "nothing on sale": "No package is on sale then.",
  "went back": "It went back by {reference}.",
  questions: "Every member has to set a new security question.",
  sessions: "Sessions that end: {count}.",
  "sessions for good": "Sessions that end, for good: {count}.",
  events: "Events that are delivered again: {count}.",
  members: "Members that are sent again: {count}.",
  "ends now": "The membership ends at once, at {at} (UTC).",
  undoes: "It undoes {action} of {at} by {actor}: {reason}",

  "no account": "There is no account {name}.",
  "account deleted": "{name} was deleted by its holder at {at}.",
  "member again": "{member} was deleted by its holder, and would be a member again: nothing was done.",
  "no day": "{text} is no day, such as 2026-11-30.",
  "day past": "The day is in the past: to end the membership now, give today's date.",
  days: "The days must be a whole number from 1 to {most}.",
  place: "The place is from 1 to {last}: there are no more packages.",
  "same package": "Package {product} is like that: there is nothing to change.",
  "same packages": "They are on sale now: there is nothing to change.",
  "no order": "No order is known by {text}.",
  "another's order": "Order {order} is not one of {member}.",
  "no days of order": "Order {order} is not confirmed: it has no days.",
  "order removed":
    "Order {order} of {member} was removed, because it was never paid. Money that came later is in `unmatched`.",
  "many orders paid": "This transaction paid several orders: {orders}. Name one of them.",
  "many orders": "This names several orders: {orders}. Name one of them.",
  "transfer coming": "A transfer for order {order} is not final yet: wait for it.",
  "nothing to give back": "Nothing that came for order {order} is there to be given back.",
  "nothing to keep": "Nothing of order {order} came in part: other money is kept by its row.",
  "row resolved": "Row {row} is resolved: {resolution}",
  "row without order": "The row names no order: name one with --order.",
  "holder deleted": "The account of order {order} was deleted: give the money back.",
  "never credited": "A row of reason {why} is not credited: give it back, or add days by `credit`.",
  "money went back":
    "Row {row} tells of money that went back, and is not credited: look it up at the provider.",
  "transfer given back": "The transfer of row {row} was given back.",
  "dollars alone": "Only an amount in USD can be credited: refund it at the provider.",
  "other rail": "Order {order} is not paid by {rail}: add days by `credit`.",
  "no transaction": "{text} is no transaction: its hash has 64 hexadecimal digits.",
  "no reference":
    "{text} is neither a provider's number, such as rfnd_… or re_…, nor the hash of a transaction.",
  "not in the book": "No money of a row of reason {why} is in the book: leave --kept and --returned out.",
  "where to": "Say what became of the money: --returned <transaction>, or --kept.",
  "other than shown": "It is no longer what was shown, so nothing was done: look at it again.",
  "undone already": "Audit entry {entry} was undone at {at} by {actor}: to have it again, `undo {by}`.",
  "locked since": "{member} was locked or unlocked since: nothing was done.",
  "row settled since": "Row {row} was settled otherwise since: nothing was done.",
  "packages changed since":
    "The packages were changed since: undo that first, or `packages-restore` the version that is wanted.",
  "money moved since": "The money of this entry has moved on since: undo what moved it first.",
  right: "{command} needs the right {right}, and yours is {has}.",
  "clear for good": "A security question that was cleared cannot be put back: the member sets a new one.",
  "sessions gone": "Sessions that were ended cannot be opened again: the member logs in.",
  "events gone": "What was delivered again cannot be called back.",
  "members gone": "What was sent cannot be called back.",
  "right to undo": "Audit entry {entry} is undone with the right {right}, and yours is {has}.",
} as const;

export type PhraseKind = keyof typeof phrases;
type FactsOf<Text extends string> = Text extends `${string}{${infer Fact}}${infer Rest}`
  ? Fact | FactsOf<Rest>
  : never;
const FACT = /\{(\w+)\}/g;

/** A phrase in the service's words. Moments (`at`) are ISO 8601. */
export const phrase = <Kind extends PhraseKind>(
  kind: Kind,
  facts: Record<FactsOf<(typeof phrases)[Kind]>, string | number>,
): string =>
  phrases[kind].replace(FACT, (_, fact: string) => String((facts as Record<string, unknown>)[fact]));

const patterns = Object.entries(phrases).map(([kind, text]) => ({
  kind: kind as PhraseKind,
  pattern: new RegExp(`^${text.replace(/[.()]/g, "\\$&").replace(FACT, "(?<$1>.*?)")}$`, "s"),
}));

/** Which phrase a text is, and its facts; null: none. */
export function readPhrase(text: string): { kind: PhraseKind; facts: Record<string, string> } | null {
  for (const { kind, pattern } of patterns) {
    const found = pattern.exec(text);
    if (found) return { kind, facts: found.groups ?? {} };
  }
  return null;
}

export interface EntryLine {
  id: number;
  at: string;
  actor: string;
  action: string;
  subject: string;
  reason: string;
  /** Whether `undo` takes it back, by the one who asks. */
  canUndo: boolean;
}

/** A package as operators see it: what is written of it, and what the shop reckons from that. Prices are dollars with two decimals. */
export interface PackageLine {
  id: string;
  product_id: string;
  name: Record<Language, string>;
  days: number;
  /** The list price, and the one that is asked. */
  price: string;
  buy_price: string;
  day_price: string;
  /** Percent of the list price that are asked. */
  discount: string;
  /** Neither shown nor ordered anew. */
  closed: boolean;
}

/** A package before and after a change; null: it is not there. */
export interface PackageChange {
  before: PackageLine | null;
  after: PackageLine | null;
}

/** The packages that a change adds, takes away or alters, in their order. */
export function packageChanges(
  before: readonly PackageLine[],
  after: readonly PackageLine[],
): PackageChange[] {
  const was = new Map(before.map((each) => [each.product_id, each]));
  const ids = new Set(after.map((each) => each.product_id));
  return [
    ...after.map((each) => ({ before: was.get(each.product_id) ?? null, after: each })),
    ...before.filter((each) => !ids.has(each.product_id)).map((each) => ({ before: each, after: null })),
  ].filter((change) => JSON.stringify(change.before) !== JSON.stringify(change.after));
}

/** The packages that are there before and after, in their order, where that changes; null: it does not. */
export function orderChange(
  before: readonly PackageLine[],
  after: readonly PackageLine[],
): { before: PackageLine[]; after: PackageLine[] } | null {
  const common = (list: readonly PackageLine[], other: readonly PackageLine[]) =>
    list.filter((each) => other.some((one) => one.product_id === each.product_id));
  const [was, is] = [common(before, after), common(after, before)];
  return was.every((each, at) => each.product_id === is[at]?.product_id) ? null : { before: was, after: is };
}

/** A version of the packages, which an operator put on sale. */
export interface VersionLine {
  id: number;
  /** The file's packages, or its own. */
  source: "file" | "version";
  isOnSale: boolean;
  changes: PackageChange[];
  /** The names of all packages in their new order, where that changed. */
  order: Record<Language, string>[] | null;
  /** Who put it there, when and why. */
  entry: EntryLine;
  actions: string[];
}

/** What the packages are, and where they come from. */
export interface PackagesStory {
  /** Null: the file. */
  version: number | null;
  packages: PackageLine[];
  /** What can be done about each, and about all. */
  actions: string[];
  restoring: string[];
}

/** How the backups stand that were made by a command or on the page; other ways to make one leave no trace. */
export interface BackupStory {
  /** The last that was finished; null: none. `to`: a file of the machine; null: the page. */
  last: { at: string; bytes: number; by: string; to: string | null } | null;
  isOld: boolean;
  /** Hours after which it is; 0: never. */
  oldAfter: number;
  database: "embedded" | "postgres";
  /** What can be done about it. */
  actions: string[];
}

export interface Lists {
  orders: OrderLine;
  unmatched: RowLine;
  events: EventLine;
  audit: EntryLine;
  versions: VersionLine;
}
export type ListName = keyof Lists;

/** What each list can be narrowed down to; the first is what it shows unless it is asked. */
export const filters = {
  orders: ["all", "pending", "part-paid", "confirmed", "failed"],
  unmatched: ["open", "all"],
  events: ["undelivered", "given-up"],
  audit: ["all"],
  versions: ["all"],
} as const satisfies Record<ListName, readonly string[]>;

/** `next`: the cursor of the page after this one; null: there is none. */
export interface Listed<Name extends ListName> {
  rows: Lists[Name][];
  next: string | null;
}

/** A moment in the story of an order or a member. */
export type Moment = { at: string } & (
  | { kind: "registered" }
  | { kind: "ordered"; order: string }
  | {
      kind: "transfer";
      state: string;
      heldFor: string | null;
      amount: string;
      network: string;
      transaction: string;
    }
  | {
      kind: "moved";
      how: string;
      from: string;
      to: string;
      amount: string;
      currency: string;
      reference: string | null;
    }
  | { kind: "membership"; reason: string; days: number; ends: string; order: string | null }
  | { kind: "row"; row: RowLine }
  | { kind: "entry"; entry: EntryLine }
);

export interface OrderStory {
  order: OrderLine & {
    /** Where it is paid to. */
    address: string | null;
    /** Where the address is below which key: `series/index of key …`. */
    path: string | null;
    /** What stands on its balances. */
    balances: Record<string, string>;
  };
  moments: Moment[];
  actions: string[];
}

export interface MemberStory {
  member: {
    name: string;
    /** When the membership ends; null: none has ever begun. */
    ends: string | null;
    isRunning: boolean;
    isLocked: boolean;
    hasQuestion: boolean;
    sessions: number;
  };
  /** The latest. */
  orders: OrderLine[];
  /** How many more there are. */
  earlierOrders: number;
  moments: Moment[];
  actions: string[];
}

/** What a pasted text names. `removed`: an order that was never paid, and is there no more. */
export interface Found {
  orders: OrderLine[];
  members: string[];
  rows: RowLine[];
  removed: { order: string; member: string } | null;
}

/** The alarms that last. */
export const alarmKinds = [
  "network silent",
  "network stands still",
  "network lags",
  "provider silent",
  "payments unmatched",
  "events late",
  "events given up",
  "backup old",
] as const;
export type AlarmKind = (typeof alarmKinds)[number];

export interface Today {
  at: string;
  /** Orders of the last thirty days by state. */
  orders: { pending: number; confirmed: number; failed: number };
  /** By day (UTC) and rail, what was credited less what was taken back: the last thirty days, each there. */
  revenue: { day: string; usdt: string; card: string; stripe: string }[];
  memberships: { running: number; paidThisWeek: number; endThisWeek: number; endedLastWeek: number };
  /** `head`: the number of the newest block; `age`: seconds since it was made; `unread`: blocks up to it that are not read yet. */
  networks: {
    network: string;
    head: number | null;
    age: number | null;
    unread: number | null;
    checkedAt: string | null;
  }[];
  waiting: {
    unmatched: number;
    partPaid: number;
    eventsLate: number;
    eventsGivenUp: number;
  };
  /** When the last backup was finished that a command or the page made; null: none was. */
  backup: string | null;
  /** What is wrong now, the oldest first. `kind` null: an alarm of another release, and `what` alone says it. `about`: the network, or the provider's name; null: the kind says it all. */
  alarms: { kind: AlarmKind | null; about: string | null; what: string; since: string }[];
}

/** What the packages are. `version` null: the file's. */
export interface ShownCatalogue {
  version: number | null;
  packages: PackageLine[];
}

/** What a member, an order and a row are like before and after a change: see operations/admin/change.ts. */
export interface ShownState {
  members: {
    id: number;
    member: string;
    ends: string | null;
    lockedAt: string | null;
    hasQuestion: boolean;
  }[];
  orders: {
    order: string;
    member: string;
    amount: string;
    status: string;
    balances: Record<string, string>;
  }[];
  unmatched: {
    row: number;
    reason: string;
    amount: string;
    resolvedAt: string | null;
    resolvedAs: string | null;
  }[];
  catalogue?: ShownCatalogue;
}

export interface ShownChange {
  command: string;
  subject: string;
  before: ShownState;
  after: ShownState;
  notes: string[];
  warnings: string[];
  /** What is typed to agree to it. */
  confirm: string;
  digest: string;
}

/** What was done: the rows that the command answers, and its audit entry. */
export interface Done {
  rows: Record<string, unknown>[];
  entry: number | null;
}

/** What is said of a file while it is made: how many rows are in it; at last its name, its size and its audit entry; or why there is none. */
export type Making = { rows: number } | { file: string; bytes: number; entry: number } | { refused: string };
/** The content type of such a file: what is said of it, each as a line of JSON, and after the size as many bytes. */
export const MADE = "application/vnd.everlit.made-file";

/** What a command that only looks answers: as JSON, a file of lines as they are, or one that was made. */
export type QueryAnswer =
  { rows: Record<string, unknown>[] } | { file: Blob } | { file: Blob; name: string; entry: number };
/** The content type of such a file. */
export const LINES = "text/csv; charset=utf-8";
