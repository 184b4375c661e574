/** No folder of the service or the app stands above another that stands above it, by way of however many others. */
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
