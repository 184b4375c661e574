/** No folder of the service or the app stands above another that stands above it, by way of however many others; the shop and the operator's page are two apps; and the inspector is a package of its own. */
import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";

/** For each room of `root`, the rooms that its files import. A file beside the rooms is a room of its own. */
function importsBetweenRooms(root: string): Map<string, Set<string>> {
  const roomOf = (path: string) => relative(root, path).split("/")[0] ?? "";
  const found = new Map<string, Set<string>>();
  for (const path of globSync(`${root}/**/*.{ts,tsx}`)) {
    for (const [, from = ""] of readFileSync(path, "utf8").matchAll(/(?:from|import\() ?"(\.[^"]+)"/g)) {
      const [room, other] = [roomOf(path), roomOf(join(dirname(path), from))];
      if (other === room || other === "..") continue;
      found.set(room, (found.get(room) ?? new Set()).add(other));
    }
  }
  return found;
}

/** The rooms that lie on a circle. */
function inCircles(rooms: Map<string, Set<string>>): string[] {
  const below = (room: string, seen = new Set<string>()): Set<string> => {
    for (const other of rooms.get(room) ?? []) {
      if (seen.has(other)) continue;
      seen.add(other);
      below(other, seen);
    }
    return seen;
  };
  return [...rooms.keys()].filter((room) => below(room).has(room)).toSorted();
}

test("rooms in a circle are found", () => {
  const rooms = new Map([
    ["store", new Set(["log"])],
    ["log", new Set(["routes"])],
    ["routes", new Set(["store", "clock"])],
  ]);
  expect(inCircles(rooms)).toEqual(["log", "routes", "store"]);
});

test.each([
  ["src/service", 7],
  ["src/app", 7],
  ["src/console", 4],
])("no rooms of %s are in a circle", (root, least) => {
  const rooms = importsBetweenRooms(root);
  expect(rooms.size).toBeGreaterThan(least);
  expect(inCircles(rooms)).toEqual([]);
});

/** All files that an app is built of, by what its files import: types are gone from a build. */
function reachedFrom(entry: string, found = new Set<string>()): Set<string> {
  if (found.has(entry)) return found;
  found.add(entry);
  if (!/\.tsx?$/.test(entry)) return found;
  const text = readFileSync(entry, "utf8").replaceAll(/^(?:import|export) type [^;]*;/gm, "");
  for (const [, from = ""] of text.matchAll(/(?:from|import|import\() ?"(\.[^"]+)"/g))
    reachedFrom(join(dirname(entry), from), found);
  return found;
}

test("the shop and the operator's page are two apps: they share the contract and looks, and nothing else", () => {
  // The shop's screens are found by their folder.
  const shop = [...new Set(globSync("src/app/**/*.{ts,tsx}").flatMap((file) => [...reachedFrom(file)]))];
  const page = [...reachedFrom("src/console/main.tsx")];
  // Neither walk ended at its door.
  expect([shop.length > 150, page.length > 40]).toEqual([true, true]);
  const isPages =
    /^(?:src\/console\/|src\/contract\/console\.|machines\/(?:console-|operator-session\.)|locales\/[^/]+\/console\.)/;
  expect(shop.filter((file) => isPages.test(file) || file.startsWith("src/service/"))).toEqual([]);
  // The charts of both have one type of a call's error, and one word for what a state ensures.
  const isShared =
    /^(?:src\/(?:contract|app\/ui|app\/theme|app\/pictures)\/|machines\/(?:call-error|invariant)\.ts$)/;
  expect(page.filter((file) => !isPages.test(file) && !isShared.test(file))).toEqual([]);
});

test("the inspector is a package of its own: it stands on its libraries alone, and one line of the app starts it", () => {
  const importsOf = (file: string) =>
    [...readFileSync(file, "utf8").matchAll(/(?:from|import|import\() ?"([^"]+)"/g)].map(
      ([, from = ""]) => from,
    );
  const inside = globSync("src/inspector/**/*.{ts,tsx}");
  expect(inside.length).toBeGreaterThan(10);
  const libraries = /^(?:xstate|react|react-dom\/client|elkjs\/.+)$/;
  expect(inside.flatMap(importsOf).filter((from) => !from.startsWith("./") && !libraries.test(from))).toEqual(
    [],
  );
  const outside = ["vite.config.ts", ...globSync("{machines,src}/**/*.{ts,tsx}")].filter(
    (file) => !inside.includes(file),
  );
  expect(outside.length).toBeGreaterThan(300);
  // Its drawing is of those libraries too: the app has none of them from it.
  expect(
    outside.flatMap((file) =>
      importsOf(file)
        .filter((from) => /inspector|^elkjs/.test(from))
        .map((from) => [file, from]),
    ),
  ).toEqual([["src/app/main.tsx", "../inspector/start.ts"]]);
});
