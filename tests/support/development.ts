/** `npm run dev`, started for a test or a picture: on free ports, with data of its own. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { originIn } from "./service-process.ts";

const root = join(import.meta.dirname, "../..");

export async function startDevelopment() {
  const folder = mkdtempSync(join(tmpdir(), "development-"));
  const child = spawn(process.execPath, ["src/dev.ts"], {
    cwd: root,
    env: {
      PATH: process.env["PATH"],
      NO_COLOR: "1",
      PORT: "0",
      APP_PORT: "0",
      DATA_DIR: folder,
      SANDBOX_CONFIRM_SECONDS: "1",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const { origin, service } = await new Promise<{ origin: string; service: string }>((resolve, reject) => {
    const listen = (chunk: Buffer) => {
      output += chunk.toString();
      const at = originIn(output);
      const [, local] = /Local: +(http:\/\/[^/\s]+)/.exec(output) ?? [];
      if (at !== undefined && local !== undefined) resolve({ origin: local, service: at });
    };
    child.stdout.on("data", listen);
    child.stderr.on("data", listen);
    child.on("close", () => reject(new Error(`Development ended: ${output}`)));
  });
  return {
    origin,
    /** Where the service behind the app listens. */
    service,
    /** As Ctrl-C does. */
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        const exited = once(child, "exit");
        child.kill("SIGINT");
        await exited;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
