/** What a user can do and see in front of a screen: the one interface that user models are written for. `support/jsdom-user.tsx` and `support/browser-user.ts` implement it. */
import type { Reply } from "./support/replies.ts";

export type Role = "button" | "link" | "radio" | "checkbox" | "slider" | "option" | "switch";
type Name = string | RegExp;

/** One person in front of one screen. Only what can be seen counts; a name or text is the whole of it, unless it is a pattern. */
export interface User {
  /** `at`: which one, where several have the name. What stands behind an open sheet is out of reach. */
  tap: (role: Role, name: Name, at?: number) => Promise<void>;
  /** Puts a text in the place of what the field of this label holds. */
  type: (label: Name, text: string) => Promise<void>;
  /** Turns the wheel of this label by its keys. */
  turn: (label: string, keys: string) => Promise<void>;
  press: (keys: string) => Promise<void>;
  /** A finger on the first thing at a selector: it comes, moves so many pixels from where it came, and goes. */
  finger: (
    does: "comes" | "moves" | "goes" | "is lost",
    selector: string,
    by?: { down: number; across: number },
  ) => Promise<void>;
  /** The way back, as the phone knows it. */
  back: () => Promise<void>;
  /** Another address, from elsewhere in the app. */
  visit: (path: string) => Promise<void>;
  /** The person comes back to the page. */
  returnToPage: () => Promise<void>;
  network: (does: "goes" | "comes") => Promise<void>;
  /** The phone sleeps, no timer firing before it wakes. */
  sleep: (ms: number) => Promise<void>;
  /** Another tab changes what is stored. */
  storeElsewhere: (key: string, value: string | null) => Promise<void>;
  /** Another tab keeps these orders, latest first, and no others. */
  storeOrdersElsewhere: (orders: readonly object[]) => Promise<void>;

  /** The path of the address bar. */
  path: () => Promise<string>;
  title: () => Promise<string>;
  hasText: (text: Name) => Promise<boolean>;
  has: (role: Role | "timer" | "img" | "heading" | "alertdialog" | "dialog", name?: Name) => Promise<boolean>;
  isBusy: (name: Name) => Promise<boolean>;
  isChecked: (role: "checkbox" | "radio" | "option" | "switch", name: Name) => Promise<boolean>;
  /** Of the field with this label. */
  value: (label: Name) => Promise<string>;
  /** What the wheel of this label stands on, or "" where there is none. */
  wheelValue: (label: string) => Promise<string>;
  /** Whether the password of the field with this label can be read. */
  isRevealed: (label: Name) => Promise<boolean>;
  /** What is said politely (a toast, a state), and what is said at once. */
  statusTexts: () => Promise<string[]>;
  alertTexts: () => Promise<string[]>;
  /** Whether anything at a selector can be seen: for pictures and shapes that have no words. */
  isVisible: (selector: string) => Promise<boolean>;
  /** What can be read there. */
  texts: (selector: string) => Promise<string[]>;
  /** Where the windows are that were opened beside this one. */
  windows: () => Promise<string[]>;
  clipboard: () => Promise<string>;
  /** What a stored key holds. */
  stored: (key: string) => Promise<string | null>;
  /** The numbers of the orders that are kept, latest first. */
  keptOrders: () => Promise<string[]>;

  /** The calls that the model answers and that wait, by path. */
  pendingCalls: () => string[];
  /** `real`: the real service answers. */
  answer: (path: string, reply: Reply | "real") => Promise<void>;
  advance: (ms: number) => Promise<void>;
}
