/** Local storage that never stops the app: keys of section 9, values checked on reading, other tabs heard. Specification, section 3; Decisions, "Names that outsiders rely on". */
import * as v from "valibot";
import { offer } from "../../contract/offer.ts";

const text = v.pipe(v.string(), v.nonEmpty());
const network = v.picklist(["TRC20", "ERC20"]);

const payment = { orderId: text, amount: text, accountName: text, packName: v.string() };
const keptOrder = v.union([
  v.object({
    ...payment,
    network,
    address: text,
    deadline: v.number(),
    packId: text,
    productId: text,
  }),
  v.strictObject({ ...payment, productId: text }),
  v.strictObject(payment),
]);

/** One that cannot be read takes no other with it. */
const keptOrders = v.pipe(
  v.array(v.fallback(v.nullable(keptOrder), null)),
  v.transform((orders) => orders.filter((order) => order !== null)),
);

const build = v.object({ date: v.string(), url: v.string(), verison: v.string() });
/** What the download script knows of each platform. */
export const builds = v.object({ android: build, ios: build, mac: build, windows: build });

/** Every key, and what may stand under it. Ours are `orders`, the unfinished orders of this browser, and `clock` (`clock.ts`). */
const json = {
  user_key: v.object({ account_name: text }),
  selectedItem: offer,
  packages: builds,
  orders: keptOrders,
};
type Json = { [K in keyof typeof json]: v.InferOutput<(typeof json)[K]> };
type TextKey = "user_name" | "user_token" | "language" | "clock";
type JsonKey = keyof Json;
export type StorageKey = TextKey | JsonKey;

export type AppStorage = {
  /** Whether another document of this browser will find what is written. */
  lasts: boolean;
  readText: (key: TextKey) => string | null;
  writeText: (key: TextKey, value: string) => void;
  /** The value, or null where there is none that this app could have written. */
  readJson: <K extends JsonKey>(key: K) => Json[K] | null;
  writeJson: <K extends JsonKey>(key: K, value: Json[K]) => void;
  remove: (key: StorageKey) => void;
  /** Calls back when another tab changed `key` (or cleared all). Returns the way to stop. */
  watch: (key: StorageKey, changed: () => void) => () => void;
};

/** @param area null where the browser has none, or forbids it: values then last as long as the page. */
export function openStorage(area: Storage | null): AppStorage {
  /** What could not be stored: newer than whatever is, until another tab stores something. */
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
  return {
    lasts: area !== null,
    readText: (key) => read(key) || null,
    writeText: write,
    readJson: <K extends JsonKey>(key: K) => {
      try {
        const result = v.safeParse(json[key], JSON.parse(read(key) ?? "null"));
        return result.success ? (result.output as Json[K]) : null;
      } catch {
        return null;
      }
    },
    writeJson: (key, value) => write(key, JSON.stringify(value)),
    remove: (key) => {
      memory.delete(key);
      try {
        area?.removeItem(key);
      } catch {
        // Nothing was stored, so nothing stays.
      }
    },
    watch: (key, changed) => {
      const heard = (event: StorageEvent) => {
        if (event.storageArea === area && (event.key === key || event.key === null)) changed();
      };
      window.addEventListener("storage", heard);
      return () => window.removeEventListener("storage", heard);
    },
  };
}

/** The browser's own local storage, or null where touching it throws. */
export function browserStorage(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}
