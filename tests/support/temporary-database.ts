/** Where a service that a tool starts may be: a free port, and an empty database that is gone afterwards. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client as Connection } from "pg";

/** A number of that address that is free now. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}

/** A database of its own: a directory, or one on `server`, empty or a copy of the database there that is called `template`. */
export async function temporaryDatabase(server: string | null, template?: string) {
  if (server === null) {
    const directory = mkdtempSync(join(tmpdir(), "everlit-"));
    return {
      name: directory,
      env: { DATA_DIR: directory },
      location: directory,
      drop: async () => rmSync(directory, { recursive: true }),
    };
  }
  const name = `tools_${randomUUID().replaceAll("-", "")}`;
  const administer = async (query: string) => {
    const connection = new Connection({ connectionString: server });
    await connection.connect();
    await connection.query(query);
    await connection.end();
  };
  await administer(`CREATE DATABASE ${name}${template === undefined ? "" : ` TEMPLATE ${template}`}`);
  const own = new URL(server);
  own.pathname = `/${name}`;
  return {
    name,
    env: { DATABASE_URL: own.href },
    location: own.href,
    drop: () => administer(`DROP DATABASE ${name} WITH (FORCE)`),
  };
}
