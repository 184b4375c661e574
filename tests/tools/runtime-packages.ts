/** Installs what the built service loads beside its bundle, and nothing else, into `build/runtime`; and writes the bill of materials of what is shipped, in CycloneDX: `npm run build:runtime`. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

interface Package {
  name: string;
  version: string;
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
}

const root = join(import.meta.dirname, "../..");
const { name, version, scripts, dependencies } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8"),
) as Package;

/** The packages that the bundle leaves out. */
const outside = [...(scripts["build:service"] ?? "").matchAll(/--external:(\S+)/g)].map(
  ([, each = ""]) => each,
);
const wanted = Object.fromEntries(
  outside.map((each) => {
    const wantedVersion = dependencies[each];
    if (wantedVersion === undefined)
      throw new Error(`${each} is left out of the bundle and is no dependency.`);
    return [each, wantedVersion];
  }),
);

const folder = join(root, "build/runtime");
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
writeFileSync(
  join(folder, "package.json"),
  `${JSON.stringify({ name, version, private: true, type: "module", dependencies: wanted }, null, 2)}\n`,
);
// The versions and checksums are those of the lock file; what it has besides is left out.
cpSync(join(root, "package-lock.json"), join(folder, "package-lock.json"));
execFileSync("npm", ["install", "--omit=dev", "--omit=optional", "--ignore-scripts", "--prefer-offline"], {
  cwd: folder,
  stdio: "inherit",
});
rmSync(join(folder, "package-lock.json"));

const listed = execFileSync(
  "npm",
  ["sbom", "--omit=dev", "--omit=optional", "--sbom-format=cyclonedx", "--sbom-type=application"],
  { cwd: root, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 },
);
const bill = JSON.parse(listed) as {
  serialNumber?: string;
  metadata: { timestamp?: string; component: { name: string } };
};
// The same release has the same bill, whenever it is written, and in whichever folder.
delete bill.serialNumber;
delete bill.metadata.timestamp;
bill.metadata.component.name = name;
writeFileSync(join(folder, "bom.json"), `${JSON.stringify(bill, null, 2)}\n`);
