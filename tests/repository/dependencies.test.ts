/** The dependency audit says what is wrong with a package, and nothing of one that is as it should be. */
import { expect, test } from "vitest";
import { faultsOf } from "../tools/dependencies.ts";

const good = {
  version: "1.0.0",
  license: "MIT",
  integrity: "sha512-x",
  hasInstallScript: false,
  dev: false,
  devOptional: false,
};
const faults = (name: string, changes: object) =>
  faultsOf({
    packages: {
      "": { ...good, license: "none" },
      [`node_modules/a/node_modules/${name}`]: { ...good, ...changes },
    },
  });

test.each([
  ["is as it should be", "a", {}, []],
  ["may be had by a licence that is allowed", "a", { license: "(GPL-3.0 OR MIT)" }, []],
  ["is a tool", "a", { license: "MPL-2.0", dev: true }, []],
  ["may run a script", "esbuild", { hasInstallScript: true }, []],
  [
    "has a licence for tools, and is shipped",
    "a",
    { license: "MPL-2.0" },
    ["a@1.0.0 has the licence MPL-2.0."],
  ],
  ["has none", "a", { license: undefined }, ["a@1.0.0 has the licence none."]],
  ["was stolen", "debug", { version: "4.4.2" }, ["debug@4.4.2 is known to be malicious."]],
  ["cannot be checked", "@a/b", { integrity: undefined }, ["@a/b@1.0.0 has no integrity hash."]],
  ["runs a script", "a", { hasInstallScript: true }, ["a@1.0.0 runs a script when it is installed."]],
  [
    "comes from elsewhere",
    "a",
    { resolved: "http://a.example/a.tgz" },
    ["a@1.0.0 comes from http://a.example/a.tgz."],
  ],
])("a package that %s", (_, name, changes, expected) => {
  expect(faults(name, changes)).toEqual(expected);
});
