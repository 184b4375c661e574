/** What the operator's page and the service agree on: rights, the table of commands as the page reads it, and the calls. */

/** What an operator may do: each right holds those before it. */
export const rights = ["look", "support", "money"] as const;
export type Right = (typeof rights)[number];

/** Whether a right holds another. */
export const holds = (right: Right, needed: Right): boolean =>
  rights.indexOf(right) >= rights.indexOf(needed);

/** What a command is about, where its first word names that: the page offers it there. */
export type About = "order" | "member" | "row" | "entry" | "event";

/** An argument or an option of a command. `title`: what is put there, as the help shows it. */
export interface Entry {
  name: string;
  title: string;
  optional: boolean;
  /** An option without a value. */
  isFlag: boolean;
}

/** A command of the table, as the page reads it. */
export interface TableRow {
  name: string;
  help: string;
  args: Entry[];
  options: Entry[];
  shows: "rows" | "text";
  changes: string;
  /** Null: `undo` takes it back; else why nothing does. */
  noUndo: string | null;
  right: Right;
  about: About | null;
}
