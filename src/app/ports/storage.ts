/** Local storage that never throws: the keys of section 9, validated when read, synchronised between tabs. Specification, section 3; Decisions, "Names that outsiders rely on". */
import * as v from "valibot";
import { languageIn } from "../../contract/languages.ts";
import { offer } from "../../contract/offer.ts";
import {
  accountIn,
  aheadIn,
  entryIn,
  entryKeys,
  jsonIn,
  listIn,
  membershipIn,
  nameIn,
  orderIn,
  paidOrderIn,
  tokenIn,
  type Entry,
} from "./stored-values.ts";

const build = v.object({ date: v.string(), url: v.string(), verison: v.string() });
/** The download script's answer for each platform. */
export const builds = v.object({ android: build, ios: build, mac: build, windows: build });

const checkedBy =
  <S extends v.GenericSchema>(schema: S) =>
  (value: unknown): v.InferOutput<S> | null => {
    const read = v.safeParse(schema, value);
    return read.success ? read.output : null;
  };

/** Every key with its validation. Additional are `clock` (`clock.ts`) and `membership`, as it was last known. */
const json = {
  user_key: accountIn,
  selectedItem: checkedBy(offer),
  packages: checkedBy(builds),
  membership: membershipIn,
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
const reads: { [K in JsonKey]: (value: unknown) => Json[K] | null } = json;

/**
 * What is stored order by order, each under a key of its own (`order:A100`), so that tabs have nothing to merge:
 * `order`, this browser's pending orders, and `paid`, those seen paid.
 */
const kinds = { order: orderIn, paid: paidOrderIn };
type Kind = keyof typeof kinds;
type Kinds = { [K in Kind]: NonNullable<ReturnType<(typeof kinds)[K]>> };
const readsOf: { [K in Kind]: (value: unknown) => Kinds[K] | null } = kinds;
/** Earlier builds stored each kind as one list. */
const lists = { order: "orders", paid: "paid" } as const satisfies Record<Kind, string>;

export type StorageKey = TextKey | JsonKey;

/** What the next document reads from the API or the script anew. */
const spare: readonly string[] = ["packages", "clock", "membership"] satisfies StorageKey[];

export type AppStorage = {
  /** Whether other documents of this browser can read all that they need. */
  readonly lasts: boolean;
  /** The text, or null when it is missing or invalid. */
  readText: (key: TextKey) => string | null;
  writeText: (key: TextKey, value: string) => void;
  /** The value, or null when it is missing or invalid. */
  readJson: <K extends JsonKey>(key: K) => Json[K] | null;
  writeJson: <K extends JsonKey>(key: K, value: Json[K]) => void;
  /** The orders of that kind, latest first, without those that cannot be used. */
  readAll: <K extends Kind>(kind: K) => readonly Kinds[K][];
  /** Stores an order as the latest one. */
  put: <K extends Kind>(kind: K, order: Kinds[K]) => void;
  /** Stores an order in the place of what is stored of it; does nothing where nothing is. */
  amend: <K extends Kind>(kind: K, order: Kinds[K]) => void;
  removeOne: (kind: Kind, orderId: string) => void;
  /** Calls back when an order of that kind was stored or removed, by this tab or another. Returns a function to unsubscribe. */
  watchAll: (kind: Kind, changed: () => void) => () => void;
  remove: (key: StorageKey) => void;
  /** Calls back when another tab changed `key`, or cleared all. Returns a function to unsubscribe. */
  watch: (key: StorageKey, changed: () => void) => () => void;
};

/** @param area null when the browser has none or forbids it: values then last as long as the page. */
export function openStorage(area: Storage | null): AppStorage {
  /** Values that could not be stored yet, each over what was stored then: they count until another tab stores a newer one. */
  const memory = new Map<string, { value: string; over: string | null }>();
  if (area) {
    window.addEventListener("storage", ({ storageArea, key }) => {
      if (storageArea !== area) return;
      if (key === null) memory.clear();
      else memory.delete(key);
    });
  }
  const storedIn = (key: string) => {
    try {
      return area?.getItem(key) ?? null;
    } catch {
      return null;
    }
  };
  const read = (key: string) => {
    const stored = storedIn(key);
    const kept = memory.get(key);
    return kept?.over === stored ? kept.value : stored;
  };
  /** Stores what there is room for. */
  const flush = () => {
    if (!area) return;
    for (const [key, { value, over }] of memory) {
      try {
        if (storedIn(key) === over) area.setItem(key, value);
        memory.delete(key);
      } catch {
        // Storage is full or blocked: the value stays in memory.
      }
    }
  };
  const write = (key: string, value: string) => {
    memory.set(key, { value, over: storedIn(key) });
    flush();
  };
  const readJson = <K extends JsonKey>(key: K): Json[K] | null => jsonIn(read(key), reads[key]);
  const remove = (key: string) => {
    memory.delete(key);
    try {
      area?.removeItem(key);
    } catch {
      // Storage is blocked, so there is nothing to remove.
    }
    flush();
  };
  /** Calls back when another tab changed a key that `isWatched`, or cleared all. */
  const listen = (isWatched: (key: string) => boolean, changed: () => void) => {
    const heard = ({ storageArea, key }: StorageEvent) => {
      if (storageArea === area && (key === null || isWatched(key))) changed();
    };
    window.addEventListener("storage", heard);
    return () => window.removeEventListener("storage", heard);
  };

  const keysOf = (kind: Kind): string[] => {
    const keys = new Set(memory.keys());
    try {
      for (let at = 0; at < (area?.length ?? 0); at++) keys.add(area?.key(at) ?? "");
    } catch {
      // Storage is blocked: what was stored before cannot be read.
    }
    return [...keys].filter((key) => key.startsWith(entryKeys[kind]("")));
  };
  const readEntry = <K extends Kind>(kind: K, key: string): Entry<Kinds[K]> | null => {
    const entry = jsonIn(read(key), (value) => entryIn(value, readsOf[kind]));
    return entry !== null && entryKeys[kind](entry.order.orderId) === key ? entry : null;
  };
  const entriesOf = <K extends Kind>(kind: K) =>
    keysOf(kind)
      .flatMap((key) => readEntry(kind, key) ?? [])
      .sort((one, other) => other.keptAt - one.keptAt);
  const watchers = new Set<{ kind: Kind; changed: () => void }>();
  const tell = (kind: Kind) => {
    for (const watcher of watchers) if (watcher.kind === kind) watcher.changed();
  };
  const writeEntry = <K extends Kind>(kind: K, { keptAt, order }: Entry<Kinds[K]>) => {
    write(entryKeys[kind](order.orderId), JSON.stringify({ ...order, keptAt }));
    tell(kind);
  };
  /** After the others, though the phone's clock may have been set back since. */
  const put = <K extends Kind>(kind: K, order: Kinds[K]) => {
    const [latest] = entriesOf(kind);
    writeEntry(kind, { keptAt: Math.max(Date.now(), (latest?.keptAt ?? 0) + 1), order });
  };
  /** The list of an earlier build: its orders get keys of their own, and it is removed once they are stored. */
  const migrate = (kind: Kind) => {
    const list = lists[kind];
    if (read(list) === null) return;
    const orders = jsonIn(read(list), (value) => listIn<Kinds[Kind]>(value, readsOf[kind])) ?? [];
    for (const order of [...orders].reverse()) {
      if (readEntry(kind, entryKeys[kind](order.orderId)) === null) put(kind, order);
    }
    if (memory.size === 0) remove(list);
  };
  migrate("order");
  migrate("paid");

  return {
    get lasts() {
      flush();
      return area !== null && [...memory.keys()].every((key) => spare.includes(key));
    },
    readText: (key) => {
      const text = read(key);
      return text !== null && texts[key](text) !== null ? text : null;
    },
    writeText: write,
    readJson,
    writeJson: (key, value) => write(key, JSON.stringify(value)),
    readAll: (kind) => entriesOf(kind).map(({ order }) => order),
    put,
    amend: (kind, order) => {
      const stored = readEntry(kind, entryKeys[kind](order.orderId));
      if (stored) writeEntry(kind, { ...stored, order });
    },
    removeOne: (kind, orderId) => {
      remove(entryKeys[kind](orderId));
      tell(kind);
    },
    watchAll: (kind, changed) => {
      const watcher = { kind, changed };
      watchers.add(watcher);
      const stop = listen((key) => key.startsWith(entryKeys[kind]("")), changed);
      return () => {
        watchers.delete(watcher);
        stop();
      };
    },
    remove,
    watch: (key, changed) => listen((changedKey) => changedKey === key, changed),
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
