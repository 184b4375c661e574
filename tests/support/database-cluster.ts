/** Three machines with PostgreSQL under Patroni and etcd, and HAProxy before them, by the files of docs/hosting. Each machine is a network of its own on this one, so that it can be killed whole or cut off from the others. */
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmodSync, globSync, mkdirSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const HOSTING = resolve(import.meta.dirname, "../../docs/hosting");
/** As the files of docs/hosting name them. */
const NETWORK = "10.203.0";
const HOST = `${NETWORK}.254`;
const BRIDGE = "everlit-db";
const PORT = 5433;
/** Ms in which three new machines become a cluster. */
const BEGINNING = 90_000;
/** Ms between two looks at it. */
const LOOK = 100;

export const machines = [1, 2, 3] as const;
export type Machine = (typeof machines)[number];

const addressOf = (machine: Machine) => `${NETWORK}.${machine}`;
const spaceOf = (machine: Machine) => `everlit-db${machine}`;

const ip = (...words: string[]) =>
  execFileSync("ip", words, { stdio: ["ignore", "pipe", "pipe"] }).toString();
const ipUnlessGone = (...words: string[]): string => {
  try {
    return ip(...words);
  } catch {
    // It is gone already.
    return "";
  }
};

/** @throws Error in a sentence where something is missing */
function checkTools(): string {
  if (process.getuid?.() !== 0)
    throw new Error("Networks are made by root alone: run it as root. The databases run as postgres.");
  const [bin] = globSync("/usr/lib/postgresql/*/bin").toSorted().toReversed();
  const missing = ["patroni", "etcd", "etcdctl", "haproxy", "ip"].filter(
    (tool) => globSync(`/{usr/,}{s,}bin/${tool}`).length === 0,
  );
  if (bin === undefined || missing.length > 0)
    throw new Error(
      `Install what is missing (${missing.join(", ")}): apt-get install patroni etcd-server etcd-client haproxy postgresql iproute2`,
    );
  return bin;
}

/** @returns how many there were */
function killAllOn(machine: Machine): number {
  const pids = ipUnlessGone("netns", "pids", spaceOf(machine)).split("\n").filter(Boolean).map(Number);
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended.
    }
  }
  return pids.length;
}

function removeNetworks(): void {
  for (const machine of machines) {
    killAllOn(machine);
    ipUnlessGone("netns", "del", spaceOf(machine));
    ipUnlessGone("link", "del", `${spaceOf(machine)}-h`);
  }
  ipUnlessGone("link", "del", BRIDGE);
}

function makeNetworks(): void {
  removeNetworks();
  ip("link", "add", BRIDGE, "type", "bridge");
  ip("addr", "add", `${HOST}/24`, "dev", BRIDGE);
  ip("link", "set", BRIDGE, "up");
  for (const machine of machines) {
    const space = spaceOf(machine);
    const [inside, outside] = [`${space}-n`, `${space}-h`];
    ip("netns", "add", space);
    ip("link", "add", outside, "type", "veth", "peer", "name", inside);
    ip("link", "set", inside, "netns", space);
    ip("link", "set", outside, "master", BRIDGE, "up");
    ip("-n", space, "addr", "add", `${addressOf(machine)}/24`, "dev", inside);
    ip("-n", space, "link", "set", inside, "up");
    ip("-n", space, "link", "set", "lo", "up");
  }
}

/** Starts them, and waits until one is written to. @throws Error in a sentence where a tool or a right is missing */
export async function startCluster() {
  const bin = checkTools();
  const folder = mkdtempSync(join(tmpdir(), "cluster-"));
  chmodSync(folder, 0o755);
  const own = (path: string) => {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    execFileSync("chown", ["postgres:", path]);
    return path;
  };
  makeNetworks();
  const running = new Map<string, ChildProcess>();
  const members = machines.map((machine) => `db${machine}=http://${addressOf(machine)}:2380`).join(",");
  const clients = machines.map((machine) => `${addressOf(machine)}:2379`);
  const password = "practice";

  function run(name: string, command: readonly string[], env: Record<string, string>): void {
    const log = openSync(join(folder, `${name}.log`), "a");
    const [program = "", ...words] = command;
    running.set(
      name,
      spawn(program, words, {
        cwd: folder,
        env: { PATH: process.env["PATH"], LANG: "C.UTF-8", ...env },
        stdio: ["ignore", log, log],
      }),
    );
  }
  /** As a machine runs it: in its network, as postgres, with a place of its own for PostgreSQL's socket. */
  const onMachine = (machine: Machine, command: readonly string[]) => {
    const sockets = own(join(folder, `run${machine}`));
    const words = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", ...command];
    const script = 'mount --bind "$0" /var/run/postgresql && exec "$@"';
    return ["ip", "netns", "exec", spaceOf(machine), "sh", "-c", script, sockets, ...words];
  };

  function startEtcd(machine: Machine): void {
    const address = addressOf(machine);
    const data = own(join(folder, `etcd${machine}`));
    const command = ["etcd", "--name", `db${machine}`, "--data-dir", data];
    const flags = [
      ["listen-peer-urls", `http://${address}:2380`],
      ["initial-advertise-peer-urls", `http://${address}:2380`],
      ["listen-client-urls", `http://${address}:2379`],
      ["advertise-client-urls", `http://${address}:2379`],
      ["initial-cluster", members],
    ].flatMap(([flag = "", value = ""]) => [`--${flag}`, value]);
    run(`etcd${machine}`, onMachine(machine, [...command, ...flags]), {});
  }

  function startPatroni(machine: Machine): void {
    const address = addressOf(machine);
    const data = join(own(join(folder, `db${machine}`)), "data");
    const listens = { LISTEN: `${address}:5432`, CONNECT_ADDRESS: `${address}:5432` };
    run(`patroni${machine}`, onMachine(machine, ["patroni", join(HOSTING, "patroni.yml")]), {
      PATRONI_NAME: `db${machine}`,
      PATRONI_ETCD3_HOSTS: clients.map((each) => `'${each}'`).join(","),
      PATRONI_RESTAPI_LISTEN: `${address}:8008`,
      PATRONI_RESTAPI_CONNECT_ADDRESS: `${address}:8008`,
      ...Object.fromEntries(
        Object.entries(listens).map(([name, value]) => [`PATRONI_POSTGRESQL_${name}`, value]),
      ),
      PATRONI_POSTGRESQL_DATA_DIR: data,
      PATRONI_POSTGRESQL_BIN_DIR: bin,
      PATRONI_POSTGRESQL_PGPASS: join(folder, `db${machine}`, "pgpass"),
      PATRONI_SUPERUSER_PASSWORD: password,
      PATRONI_REPLICATION_PASSWORD: password,
      PATRONI_REWIND_PASSWORD: password,
    });
  }

  function start(machine: Machine): void {
    startEtcd(machine);
    startPatroni(machine);
  }

  /** Ends all that runs on a machine at once, as a loss of power does. */
  async function kill(machine: Machine): Promise<void> {
    while (killAllOn(machine) > 0) await pause(20);
  }

  async function ask(machine: Machine, path: string): Promise<Response | null> {
    return fetch(`http://${addressOf(machine)}:8008${path}`, { signal: AbortSignal.timeout(1_000) }).catch(
      () => null,
    );
  }
  /** The machine that is written to; among those that are not left out. */
  async function primary(except?: Machine): Promise<Machine | undefined> {
    const asked = machines.filter((machine) => machine !== except);
    const found = await Promise.all(
      asked.map(async (machine) => ((await ask(machine, "/primary"))?.status === 200 ? machine : null)),
    );
    return found.find((machine) => machine !== null) ?? undefined;
  }
  async function waitFor(what: string, is: () => Promise<boolean>, ms = BEGINNING): Promise<void> {
    const deadline = performance.now() + ms;
    while (!(await is())) {
      if (performance.now() > deadline) throw new Error(`Not within ${ms / 1000} s: ${what}. ${folder}`);
      await pause(LOOK);
    }
  }
  /** Whether another machine has all that is acknowledged, and the third follows. */
  async function isWhole(): Promise<boolean> {
    const states = await Promise.all(
      machines.map(async (machine) => {
        const answer = await ask(machine, "/patroni");
        return (await answer?.json().catch(() => null)) as {
          role?: string;
          state?: string;
          sync_standby?: boolean;
        };
      }),
    );
    return (
      states.every((state) => state?.state === "running") &&
      states.filter((state) => state.sync_standby === true).length === 1 &&
      (await primary()) !== undefined
    );
  }

  machines.forEach(start);
  run("haproxy", ["haproxy", "-db", "-f", join(HOSTING, "haproxy.cfg")], {
    DATABASE_BIND: `127.0.0.1:${PORT}`,
  });
  const cluster = {
    folder,
    /** By way of HAProxy. */
    url: `postgres://postgres:${password}@127.0.0.1:${PORT}/postgres`,
    primary,
    kill,
    start,
    waitFor,
    isWhole,
    /** Takes every way from a machine to the other two; HAProxy still reaches it. */
    cutOff(machine: Machine): void {
      for (const other of machines.filter((each) => each !== machine))
        ip("-n", spaceOf(machine), "route", "add", "blackhole", addressOf(other));
    },
    heal(machine: Machine): void {
      for (const other of machines.filter((each) => each !== machine))
        ipUnlessGone("-n", spaceOf(machine), "route", "del", "blackhole", addressOf(other));
    },
    /** Ends etcd's leader at once, and starts it again. @returns its machine */
    async killEtcdLeader(): Promise<Machine> {
      const endpoints = `--endpoints=${clients.join(",")}`;
      const told = execFileSync("etcdctl", [endpoints, "endpoint", "status", "-w", "json"], {
        env: { ...process.env, ETCDCTL_API: "3" },
      });
      const states = JSON.parse(told.toString()) as {
        Endpoint: string;
        Status: { leader: number; header: { member_id: number } };
      }[];
      const leading = states.find(({ Status }) => Status.leader === Status.header.member_id);
      const machine = machines.find((each) => leading?.Endpoint === `${addressOf(each)}:2379`) ?? 1;
      const child = running.get(`etcd${machine}`);
      if (child && child.exitCode === null && child.signalCode === null) {
        const ended = once(child, "exit");
        child.kill("SIGKILL");
        await ended;
      }
      startEtcd(machine);
      return machine;
    },
    async stop(): Promise<void> {
      running.get("haproxy")?.kill("SIGKILL");
      for (const machine of machines) await kill(machine);
      removeNetworks();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  try {
    await waitFor("a primary with one that follows it at once", isWhole);
  } catch (error) {
    running.get("haproxy")?.kill("SIGKILL");
    for (const machine of machines) await kill(machine);
    removeNetworks();
    throw error;
  }
  return cluster;
}
