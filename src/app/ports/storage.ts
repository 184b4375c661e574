/** Local storage that never throws: the keys of section 9, validated when read, synchronised between tabs. Specification, section 3; Decisions, "Names that outsiders rely on". */
import * as v from "valibot";
import { languageIn } from "../../contract/languages.ts";
import { offer } from "../../contract/offer.ts";
import { accountIn, aheadIn, jsonIn, nameIn, ordersIn, paidIn, tokenIn } from "./stored-values.ts";

const build = v.object({ date: v.string(), url: v.string(), verison: v.string() });
/** The download script's answer for each platform. */
export const builds = v.object({ android: build, ios: build, mac: build, windows: build });

const checkedBy =
  <S extends v.GenericSchema>(schema: S) =>
  (said: unknown): v.InferOutput<S> | null => {
    const read = v.safeParse(schema, said);
    return read.success ? read.output : null;
  };

/**
 * Every key with its validation. Additional are `orders`, this browser's pending orders, `paid`, those seen paid,
 * and `clock` (`clock.ts`).
 */
const json = {
  user_key: accountIn,
  selectedItem: checkedBy(offer),
  packages: checkedBy(builds),
  orders: ordersIn,
  paid: paidIn,
};
const texts = {
  user_name: nameIn,
  user_token: tokenIn,
  language: languageIn,
  clock: aheadIn,
} satisfies Record<string, (text: string) => unknown>;
type Json = { [K in keyof typeof json]: NonNullable<ReturnType<(typeof json)[K]>> };
type TextKey = keyof typeof texts;
type JsonKey = keyof Json;
const reads: { [K in JsonKey]: (said: unknown) => Json[K] | null } = json;
export type StorageKey = TextKey | JsonKey;

export type AppStorage = {
  /** Whether other documents of this browser can read all that was written. */
  readonly lasts: boolean;
  /** The text, or null when it is missing or invalid. */
  readText: (key: TextKey) => string | null;
  writeText: (key: TextKey, value: string) => void;
  /** The value, or null when it is missing or invalid. */
  readJson: <K extends JsonKey>(key: K) => Json[K] | null;
  writeJson: <K extends JsonKey>(key: K, value: Json[K]) => void;
  /**
   * Changes a value that tabs share, based on what is stored: at once, and again under a lock, so that no tab's
   * change is lost. `change` must be idempotent.
   */
  update: <K extends JsonKey>(key: K, change: (stored: Json[K] | null) => Json[K]) => void;
  remove: (key: StorageKey) => void;
  /** Calls back when another tab changed `key` (or cleared all), or `update` did. Returns a function to unsubscribe. */
  watch: (key: StorageKey, changed: () => void) => () => void;
};

/** @param area null when the browser has none or forbids it: values then last as long as the page. */
export function openStorage(area: Storage | null): AppStorage {
  /** Values that could not be stored. They take precedence until another tab stores a newer one. */
  const memory = new Map<string, string>();
  if (area) {
    window.addEventListener("storage", ({ storageArea, key }) => {
      if (storageArea !== area) return;
      if (key === null) memory.clear();
      else memory.delete(key);
    });
  }
  const read = (key: StorageKey) => {
    try {
      return memory.get(key) ?? area?.getItem(key) ?? null;
    } catch {
      return null;
    }
  };
  const write = (key: StorageKey, value: string) => {
    try {
      if (!area) throw new Error("no storage");
      area.setItem(key, value);
      memory.delete(key);
    } catch {
      memory.set(key, value);
    }
  };
  const readJson = <K extends JsonKey>(key: K): Json[K] | null => jsonIn(read(key), reads[key]);
  const watchers = new Set<{ key: StorageKey; changed: () => void }>();
  return {
    get lasts() {
      return area !== null && memory.size === 0;
    },
    readText: (key) => {
      const text = read(key);
      return text !== null && texts[key](text) !== null ? text : null;
    },
    writeText: write,
    readJson,
    writeJson: (key, value) => write(key, JSON.stringify(value)),
    update: (key, change) => {
      const make = () => {
        write(key, JSON.stringify(change(readJson(key))));
        for (const watcher of watchers) if (watcher.key === key) watcher.changed();
      };
      make();
      // Two tabs may have read the same list at once: under the lock the second one sees the first one's change.
      navigator.locks?.request(`everlit ${key}`, make).catch(() => undefined);
    },
    remove: (key) => {
      memory.delete(key);
      try {
        area?.removeItem(key);
      } catch {
        // Storage is blocked, so there is nothing to remove.
      }
    },
    watch: (key, changed) => {
      const heard = (event: StorageEvent) => {
        if (event.storageArea === area && (event.key === key || event.key === null)) changed();
      };
      const watcher = { key, changed };
      watchers.add(watcher);
      window.addEventListener("storage", heard);
      return () => {
        watchers.delete(watcher);
        window.removeEventListener("storage", heard);
      };
    },
  };
}

/** The browser's local storage, or null when accessing it throws. */
export function browserStorage(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}
