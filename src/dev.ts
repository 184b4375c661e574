/** `npm run dev`: the service, started anew at every change, and in front of it the app with hot reload. What ends the one ends the other. */
import { spawn } from "node:child_process";
import { createServer } from "vite";

const service = spawn(process.execPath, ["--watch", "--watch-preserve-output", "src/service/main.ts"], {
  stdio: ["ignore", "pipe", "inherit"],
});
process.on("exit", () => service.kill());
let isStopping = false;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    // The watcher passes it on to the service, which puts its data away; its end is the end of all.
    isStopping = true;
    service.kill("SIGTERM");
  });
}

/** Once the service listens: a page that came before it would find no API. */
const address = await new Promise<string>((resolve) => {
  let output = "";
  service.stdout.on("data", (chunk: Buffer) => {
    process.stdout.write(chunk);
    output = (output + chunk.toString()).slice(-1_000);
    const [, origin] = /is at (http:\/\/\S+)/.exec(output) ?? [];
    if (origin !== undefined) resolve(origin);
  });
  service.on("exit", (code) => process.exit(isStopping ? 0 : (code ?? 1)));
});

process.env["SERVICE_ADDRESS"] ??= address;
const app = await createServer({ server: { port: Number(process.env["APP_PORT"] ?? 5173) } });
await app.listen();
app.printUrls();
app.bindCLIShortcuts({ print: true });
