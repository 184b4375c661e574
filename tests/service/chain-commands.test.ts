/** The operator's commands about a network: what a node that was behind did not tell of is found by reading blocks again or by its transaction, and blocks are skipped; each is shown first, audited, and refused in words. */
import { desc, eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rawAddress } from "../../src/contract/address.ts";
import type { Change } from "../../src/service/operations/admin/change.ts";
import { perform, preview } from "../../src/service/operations/admin/commands.ts";
import { positionOf } from "../../src/service/payments/chain/blocks.ts";
import type { Transport } from "../../src/service/payments/chain/json-rpc.ts";
import { bookDifferences } from "../../src/service/payments/book-check.ts";
import type { Database, Store } from "../../src/service/store/database.ts";
import {
  accounts,
  auditEntries,
  membershipEntries,
  orders,
  transfers,
} from "../../src/service/store/schema.ts";
import { SimulatedChain, type Payment, type Trouble } from "../support/simulated-chain.ts";
import { chainsOf, databases, emptyStore, freshName, monthly, serve, START } from "./support.ts";

const DAY = 86_400_000;
const MINUTE = 60_000;
const PRICE = 3_990_000n;
const reason = "Ticket 7";
const UNKNOWN = `0x${"7".repeat(64)}`;

describe.each(databases)("on the %s database", (kind) => {
  let store: Store;
  beforeAll(async () => {
    store = await emptyStore(kind);
  });
  afterAll(() => store.close());

  /** A member with an open order on Tron, whose only node may be in trouble. */
  async function begin(nodesOf?: (chain: SimulatedChain, trouble: Trouble) => Transport[]) {
    for (const network of ["chain_positions", "chain_blocks"]) await store.db.execute(`TRUNCATE ${network}`);
    const chains = { TRC20: new SimulatedChain(1), ERC20: new SimulatedChain(2) };
    const trouble: Trouble = {};
    const set = chainsOf(chains, {
      TRC20: nodesOf?.(chains.TRC20, trouble) ?? [chains.TRC20.node("only", trouble)],
    });
    const fixture = await serve(store, { sandbox: false, chains: set });
    await fixture.settle();
    const name = freshName();
    const made = await fixture.order(await fixture.member(name), monthly);
    const to = rawAddress("TRC20", made.address);
    const asked = (args: readonly string[], options: Record<string, string> = {}) => ({
      ledger: fixture.ledger,
      chains: async () => set,
      args,
      options: { reason, ...options },
      actor: "anna",
    });
    const shown = async (command: string, ...args: string[]) =>
      (await preview(command, asked(args))) as Change;
    const doIt = (command: string, args: readonly string[], digest?: string) =>
      perform(command, asked(args), digest);
    const standing = async () => {
      const [order] = await store.db
        .select({ status: orders.status, ends: accounts.membershipEndsAt })
        .from(orders)
        .innerJoin(accounts, eq(accounts.id, orders.accountId))
        .where(eq(orders.id, made.id));
      const found = await store.db
        .select({ state: transfers.state })
        .from(transfers)
        .where(eq(transfers.orderId, made.id));
      return [order?.status, order?.ends?.toISOString() ?? null, found.map(({ state }) => state)];
    };
    const written = () =>
      Promise.all([
        store.db.$count(auditEntries),
        store.db.$count(membershipEntries),
        store.db.$count(transfers),
      ]);
    const newest = async () => {
      const [entry] = await store.db.select().from(auditEntries).orderBy(desc(auditEntries.id)).limit(1);
      return entry;
    };
    /** Pays in a block whose transfers the node does not know, not even when it is asked for the last time. */
    async function lose(...payments: Payment[]) {
      const { TRC20: chain } = chains;
      trouble.changes = () => [];
      const hashes = chain.mine(...payments);
      const { number } = chain.head;
      chain.grow(chain.depth);
      await fixture.settle();
      chain.grow(chain.depth);
      fixture.clock.now += 2 * MINUTE;
      await fixture.settle();
      delete trouble.changes;
      chain.grow(chain.depth);
      await fixture.settle();
      return { block: number, hash: hashes[0] ?? "" };
    }
    return {
      ...fixture,
      chains,
      chain: chains.TRC20,
      set,
      trouble,
      to,
      name,
      made,
      shown,
      doIt,
      standing,
      written,
      newest,
      lose,
      asked,
    };
  }
  const paid = [1, new Date(START + 2 * MINUTE + 30 * DAY).toISOString(), ["final"]];
  const unpaid = [0, null, []];

  test("blocks that are read again show what a node that was behind did not tell, once", async () => {
    const { to, made, shown, doIt, standing, written, newest, lose, ledger } = await begin();
    const { block } = await lose({ to, amount: PRICE });
    expect(await standing()).toEqual(unpaid);
    const before = await written();
    const args = ["trc20", String(block - 1), String(block + 1)];
    const change = await shown("reread", ...args);
    expect(change).toMatchObject({
      command: "reread",
      subject: `TRC20 ${block - 1}-${block + 1}`,
      lines: [],
      notes: ["3 blocks of TRC20 are read again: what is known already stays as it is."],
      warnings: [],
      confirm: "TRC2",
    });
    expect([await written(), await standing()]).toEqual([before, unpaid]);
    const { answer } = await doIt("reread", args, change.digest);
    const read = { network: "TRC20", from: block - 1, to: block + 1, "transfers found anew": 1 };
    expect(answer).toEqual([{ ...read, audit: (await newest())?.id }]);
    expect([await standing(), made.amount]).toEqual([paid, "3.99"]);
    expect(await newest()).toMatchObject({
      actor: "anna",
      action: "reread",
      subject: `TRC20 ${block - 1}-${block + 1}`,
      reason,
      details: { answer, undo: "What it found is on the chain: it stays." },
    });
    expect((await doIt("reread", args)).answer).toMatchObject([{ "transfers found anew": 0 }]);
    expect([await standing(), await bookDifferences(ledger)]).toEqual([paid, []]);
  });

  test("one transaction that was not found is taken by its hash, as explorers show it, once", async () => {
    const { to, made, shown, doIt, standing, written, newest, lose, ledger } = await begin();
    const { block, hash } = await lose({ to, amount: PRICE });
    const before = await written();
    const pasted = hash.slice(2).toUpperCase();
    const change = await shown("transaction", "TRC20", pasted);
    expect(change).toMatchObject({
      subject: `TRC20 ${hash}`,
      notes: [`3.99 USDT for order ${made.id}, found anew.`],
      confirm: hash.slice(2, 6),
    });
    expect([await written(), await standing()]).toEqual([before, unpaid]);
    const { answer } = await doIt("transaction", ["TRC20", pasted], change.digest);
    expect(answer).toEqual([
      { block, order: made.id, amount: "3.99", state: "final", found: "anew", audit: (await newest())?.id },
    ]);
    expect(await standing()).toEqual(paid);
    expect(await newest()).toMatchObject({
      actor: "anna",
      action: "transaction",
      subject: `TRC20 ${hash}`,
      reason,
    });
    expect((await shown("transaction", "TRC20", hash)).notes).toEqual([
      `3.99 USDT for order ${made.id}, known already.`,
    ]);
    expect((await doIt("transaction", ["TRC20", hash])).answer).toMatchObject([{ found: "known already" }]);
    expect([await standing(), await bookDifferences(ledger)]).toEqual([paid, []]);
  });

  test("a transaction that came late is held, and one of strangers moves nothing", async () => {
    const { to, clock, doIt, shown, standing, lose, lines } = await begin();
    const ours = await lose({ to, amount: PRICE });
    const others = await lose({ to: "f".repeat(40), amount: PRICE });
    clock.now += 40 * DAY;
    expect((await shown("transaction", "TRC20", others.hash)).notes).toEqual([
      "It moves nothing to an address of ours.",
    ]);
    expect((await doIt("transaction", ["TRC20", others.hash])).answer).toEqual([]);
    const told = lines.length;
    expect((await doIt("transaction", ["TRC20", ours.hash])).answer).toMatchObject([{ state: "held: late" }]);
    expect(await standing()).toEqual([0, null, ["final"]]);
    expect(lines.slice(told)).toEqual([
      expect.stringContaining("payment unmatched"),
      expect.stringContaining("change made"),
    ]);
  });

  test("skipping shows what is not read, goes on from there, and what lies between is read later", async () => {
    const { chain, chains, set, trouble, to, made, settle, shown, doIt, standing, written, newest } =
      await begin();
    chain.grow(chain.depth);
    await settle();
    const { number, finalNumber } = (await positionOf(store.db, "TRC20")) ?? { number: 0, finalNumber: 0 };
    chain.mine({ to, amount: PRICE });
    chain.grow(500);
    const final = chain.head.number - chain.depth;
    const left = `reread TRC20 ${finalNumber + 1} ${final}`;
    const before = await written();
    const change = await shown("skip", "TRC20", "latest");
    expect(change).toMatchObject({
      subject: "TRC20 to block latest",
      lines: [],
      warnings: [
        `payments in the ${final - finalNumber} blocks from ${finalNumber + 1} to ${final} will not be found, until you read them with \`${left}\`.`,
      ],
      confirm: "TRC2",
    });
    expect([await written(), (await positionOf(store.db, "TRC20"))?.number]).toEqual([before, number]);
    // Meanwhile the service has read a part, and the network has gone on.
    trouble.down = true;
    await store.db.execute(
      `UPDATE chain_positions SET number = number + 1, final_number = final_number + 1 WHERE network = 'TRC20'`,
    );
    trouble.down = false;
    chain.grow(2);
    const { answer } = await doIt("skip", ["TRC20", "latest"], change.digest);
    expect(answer).toMatchObject([
      {
        network: "TRC20",
        "goes on after": final + 2,
        "not read": `reread TRC20 ${finalNumber + 2} ${final + 2}`,
      },
    ]);
    expect(await newest()).toMatchObject({ action: "skip blocks", subject: "TRC20 to block latest", reason });
    await settle();
    chain.grow(chain.depth);
    await settle();
    expect((await positionOf(store.db, "TRC20"))?.number).toBe(chain.head.number);
    expect(await standing()).toEqual(unpaid);
    await doIt("reread", ["TRC20", String(finalNumber + 2), String(final + 2)]);
    expect((await standing()).slice(0, 1)).toEqual([1]);
    expect(made.amount).toBe("3.99");
    // Where blocks are final after so many, the last of these.
    chains.ERC20.grow(500);
    const { answer: other } = await doIt("skip", ["ERC20", "latest"]);
    const after = chains.ERC20.head.number - (set.ERC20?.confirmations ?? 0) + 1;
    expect(other).toMatchObject([{ "goes on after": after }]);
  });

  test("what was seen before blocks were skipped, and replaced meanwhile, is credited to no one", async () => {
    const { chain, to, settle, doIt, standing, ledger } = await begin();
    chain.grow(chain.depth);
    chain.mine({ to, amount: PRICE });
    await settle();
    expect(await standing()).toEqual([0, null, ["seen"]]);
    chain.drop(1);
    chain.grow(100);
    const { answer } = await doIt("skip", ["TRC20", String(chain.head.number - chain.depth)]);
    chain.grow(chain.depth);
    await settle();
    expect(await standing()).toEqual([0, null, ["orphaned"]]);
    const unread = (answer as { "not read": string }[])[0]?.["not read"].split(" ").slice(1) ?? [];
    await doIt("reread", unread);
    expect(await standing()).toEqual([0, null, ["orphaned"]]);
    // Another one, that stands: what is read again takes its place.
    const again = await begin();
    again.chain.grow(again.chain.depth);
    again.chain.mine({ to: again.to, amount: PRICE });
    await again.settle();
    again.chain.grow(100);
    const skipped = await again.doIt("skip", ["TRC20", "latest"]);
    expect(await again.standing()).toEqual([0, null, ["orphaned"]]);
    await again.doIt(
      "reread",
      (skipped.answer as { "not read": string }[])[0]?.["not read"].split(" ").slice(1) ?? [],
    );
    expect(await again.standing()).toEqual([1, expect.any(String), ["final"]]);
    expect(await bookDifferences(ledger)).toEqual([]);
  });

  test("each refuses in words what cannot be, and writes nothing", async () => {
    const { chain, settle, shown, doIt, written, set, asked } = await begin();
    chain.grow(80);
    // The first block that is not final.
    const [almost = ""] = chain.mine({ to: "f".repeat(40), amount: PRICE });
    chain.grow(19);
    await settle();
    const final = (await positionOf(store.db, "TRC20"))?.finalNumber ?? 0;
    const head = chain.head.number;
    const [fresh = ""] = chain.mine({ to: "f".repeat(40), amount: PRICE });
    await settle();
    const before = await written();
    const refused: [string, string[], string][] = [
      ["reread", ["BEP20", "1", "2"], "BEP20 is none of TRC20, ERC20."],
      ["reread", ["TRC20", "5", "4"], "The first block is after the last one."],
      ["reread", ["TRC20", "1", String(final + 1)], `block ${final} is the last one.`],
      ["reread", ["TRC20", "one", "2"], "The block is a whole number."],
      ["reread", ["TRC20", "1"], "The block is missing."],
      ["transaction", ["TRC20", "0x12"], "The hash has 64 hexadecimal digits."],
      ["transaction", ["TRC20"], "The transaction's hash is missing."],
      ["transaction", ["TRC20", UNKNOWN], "only knows no such transaction on TRC20."],
      ["transaction", ["ERC20", fresh], "node knows no such transaction on ERC20."],
      [
        "transaction",
        ["TRC20", fresh],
        `It is in block ${head + 1}, which is not final yet: it is read by itself.`,
      ],
      ["transaction", ["TRC20", almost], `It is in block ${final + 1}, which is not final yet`],
      ["skip", ["TRC20", "soon"], "The block is a whole number, or `latest`."],
      ["skip", ["TRC20", String(final + 2)], `The last block that is final is ${final + 1}.`],
      ["skip", ["TRC20", String(final)], `Block ${final} is read already.`],
      ["skip", ["TRC20", "latest"], `Block ${final + 1} is read already.`],
    ];
    for (const [command, args, words] of refused) {
      await expect(shown(command, ...args), words).rejects.toThrow(words);
      await expect(doIt(command, args), words).rejects.toThrow(words);
    }
    for (const command of ["reread", "transaction", "skip"]) {
      const args = [
        "ERC20",
        ...(command === "transaction" ? [UNKNOWN] : command === "skip" ? ["latest"] : ["0", "0"]),
      ];
      const closed = { ...asked(args), chains: async () => ({ ...set, ERC20: undefined }) };
      await expect(perform(command, closed)).rejects.toThrow("ERC20 is closed: it has no node.");
    }
    await store.db.execute(`DELETE FROM chain_positions WHERE network = 'ERC20'`);
    await expect(doIt("skip", ["ERC20", "latest"])).rejects.toThrow(
      "ERC20 has never been read: start the service first.",
    );
    expect(await written()).toEqual(before);
  });

  test("the status shows each network's newest block, its age, what is not read yet, and what is wrong with each node", async () => {
    const late: Trouble = {};
    const silent: Trouble = {};
    const { chain, chains, settle, clock, asked } = await begin((each) => [
      each.node("late", late),
      each.node("silent", silent),
      each.node("down", { down: true }),
      new SimulatedChain(5).node("foreign"),
    ]);
    for (const each of Object.values(chains)) each.timeOf = () => START / 1000;
    chain.grow(60);
    await settle();
    late.behind = 12;
    silent.changes = () => {
      throw new Error("connection reset");
    };
    chain.grow(40);
    clock.now = START + 95_000;
    const told = async (call = asked([], {})) => {
      const { answer } = await perform("status", { ...call, options: {} });
      return Object.fromEntries(
        (answer as { what: string; value: unknown }[]).map(({ what, value }) => [what, value]),
      );
    };
    expect(await told()).toMatchObject({
      "TRC20 read to block": expect.stringMatching(/^60, final 40, asked 20/) as string,
      "TRC20 newest block": "100, 95 seconds old, 40 blocks not read yet",
      "TRC20 node late": "block 88, 12 behind",
      "TRC20 node silent": "block 100, connection reset",
      "TRC20 node down": "connection refused",
      "TRC20 node foreign": "it is on chain 5, not 1",
      "ERC20 newest block": "0, 95 seconds old, 0 blocks not read yet",
      "ERC20 node node": "block 0",
    });
    // Where the nodes are not known, what the service saw last.
    const { chains: _, ...alone } = asked([]);
    expect(await told(alone as never)).toMatchObject({ "TRC20 read to block": expect.any(String) as string });
    expect(Object.keys(await told(alone as never)).filter((what) => what.includes("node"))).toEqual([]);
  });

  test("what they did is not undone, in words", async () => {
    const { to, doIt, lose, newest } = await begin();
    const { block, hash } = await lose({ to, amount: PRICE });
    await doIt("reread", ["TRC20", String(block), String(block)]);
    await expect(doIt("undo", [String((await newest())?.id)])).rejects.toThrow(
      "What it found is on the chain: it stays.",
    );
    await doIt("transaction", ["TRC20", hash]);
    await expect(doIt("undo", [String((await newest())?.id)])).rejects.toThrow(
      "What it found is on the chain: it stays.",
    );
  });

  /** A node whose answers to one method are others. */
  const changing = (node: Transport, method: string, change: (answer: unknown) => unknown): Transport => ({
    name: node.name,
    request: async (asked) => {
      const answer = await node.request(asked);
      return asked.method === method ? change(answer) : answer;
    },
  });
  const another = `0x${"9".repeat(64)}`;

  test.each<[string, (receipt: Record<string, unknown>) => unknown, string]>([
    [
      "that failed",
      (receipt) => ({ ...receipt, status: "0x0" }),
      "The transaction failed on the network: it moved nothing.",
    ],
    [
      "of another block",
      (receipt) => ({ ...receipt, blockHash: another }),
      "liar contradicts itself about block",
    ],
    [
      "of another block, with its transfers",
      (receipt) => ({
        ...receipt,
        blockHash: another,
        logs: (receipt["logs"] as object[]).map((log) => ({ ...log, blockHash: another })),
      }),
      "liar contradicts itself about block",
    ],
    [
      "with the transfers of another one",
      (receipt) => ({
        ...receipt,
        logs: (receipt["logs"] as object[]).map((log) => ({ ...log, transactionHash: another })),
      }),
      "liar contradicts itself about block",
    ],
    ["that is none", () => ({}), "liar: no proper block number"],
  ])("a transaction %s is refused", async (_, change, words) => {
    const { to, doIt, lose, standing, written } = await begin((chain, trouble) => [
      changing(chain.node("liar", trouble), "eth_getTransactionReceipt", (receipt) =>
        change(receipt as never),
      ),
    ]);
    const { hash } = await lose({ to, amount: PRICE });
    const before = await written();
    await expect(doIt("transaction", ["TRC20", hash])).rejects.toThrow(words);
    expect([await standing(), await written()]).toEqual([unpaid, before]);
  });

  test("a transfer that a node numbers otherwise than another one did is known, and not credited again", async () => {
    const counting = { from: 0 };
    const renumbered = (logs: unknown) =>
      (logs as object[]).map((log, at) => ({ ...log, logIndex: `0x${(counting.from + at).toString(16)}` }));
    const { chain, to, doIt, settle, standing, written } = await begin((each) => {
      const node = each.node("other");
      const receipts = changing(node, "eth_getTransactionReceipt", (receipt) => ({
        ...(receipt as object),
        logs: renumbered((receipt as { logs: unknown }).logs),
      }));
      return [changing(receipts, "eth_getLogs", renumbered)];
    });
    // Two that are alike are two, however they are numbered.
    const half = { to, amount: PRICE / 2n, txHash: another as never };
    chain.mine(half, half);
    const { number } = chain.head;
    chain.grow(chain.depth);
    await settle();
    const had = await standing();
    expect(had).toMatchObject({ 0: 1, 2: ["final", "final"] });
    const before = (await written())[2];
    counting.from = 57;
    await doIt("reread", ["TRC20", String(number), String(number)]);
    const { answer } = await doIt("transaction", ["TRC20", another]);
    expect(answer).toMatchObject([{ found: "known already" }, { found: "known already" }]);
    expect([await standing(), (await written())[2]]).toEqual([had, before]);
  });

  test.each([
    ["that puts two transfers in one place", () => 0, "only: two logs 0 of block"],
    ["that puts a new one in the place of another", (at: number) => 1 - at, "only: another log 0 of block"],
  ])("a node %s is not believed", async (_, place, words) => {
    const odd = { is: false };
    const { chain, to, doIt, settle, standing, written } = await begin((each, trouble) => [
      changing(each.node("only", trouble), "eth_getLogs", (logs) =>
        odd.is
          ? (logs as object[]).map((log, at) => ({ ...log, logIndex: `0x${place(at)}` }))
          : (logs as object[]).slice(0, 1),
      ),
    ]);
    chain.mine({ to, amount: PRICE }, { to, amount: 2n });
    const { number } = chain.head;
    chain.grow(chain.depth);
    await settle();
    const had = [await standing(), await written()];
    odd.is = true;
    await expect(doIt("reread", ["TRC20", String(number), String(number)])).rejects.toThrow(words);
    expect([await standing(), await written()]).toEqual(had);
  });

  test("a node of another fork than was read is not believed by either", async () => {
    const { chain, to, doIt, lose, standing, written } = await begin();
    const { block, hash } = await lose({ to, amount: PRICE });
    const before = await written();
    const own = chain.blocks[block];
    if (own) chain.blocks[block] = { ...own, hash: another as never };
    await expect(doIt("transaction", ["TRC20", hash])).rejects.toThrow(
      `only tells of another block ${block} than was read.`,
    );
    await expect(doIt("reread", ["TRC20", String(block), String(block)])).rejects.toThrow(
      "only: it tells of other blocks than were read",
    );
    expect([await standing(), await written()]).toEqual([unpaid, before]);
  });

  test("blocks that became unsure while they were read again are not written", async () => {
    const late: { final?: number } = {};
    const { to, doIt, lose, standing, written } = await begin((chain, trouble) => [
      changing(chain.node("only", trouble), "eth_getLogs", async (answer) => {
        // The service takes a reorganisation back meanwhile.
        if (late.final !== undefined)
          await store.db.execute(
            `UPDATE chain_positions SET final_number = ${late.final} WHERE network = 'TRC20'`,
          );
        return answer;
      }),
    ]);
    const { block } = await lose({ to, amount: PRICE });
    const before = await written();
    late.final = block - 1;
    await expect(doIt("reread", ["TRC20", String(block), String(block)])).rejects.toThrow(
      `Block ${block} is not final any more.`,
    );
    expect([await standing(), await written()]).toEqual([unpaid, before]);
  });

  test("the first node that answers, on the right chain, with the right token, is asked", async () => {
    const { chain, to, lose, standing, trouble, set, asked } = await begin();
    const { block } = await lose({ to, amount: PRICE });
    trouble.down = true;
    const coin = new SimulatedChain(1);
    coin.token.decimals = 18;
    const wrong = [
      chain.node("down", { down: true }),
      new SimulatedChain(5).node("foreign"),
      coin.node("coin"),
    ];
    const range = ["TRC20", String(block), String(block)];
    const by = (nodes: Transport[]) =>
      perform("reread", {
        ...asked(range),
        chains: async () => ({ ...set, TRC20: { ...set.TRC20, nodes } as never }),
      });
    await expect(by(wrong)).rejects.toThrow(
      /^No node of TRC20 can be read\. down: connection refused; foreign: it is on chain 5, not 1; coin: TRC20 stays closed: USDT at \w+ \(TRC20_CONTRACT\) has 18 decimals/,
    );
    expect(await standing()).toEqual(unpaid);
    await by([...wrong, chain.node("well")]);
    expect(await standing()).toEqual(paid);
  });

  test("a node that fails half-way: what was read stands, is audited and told of, and the rest is named", async () => {
    const { chain, to, doIt, lose, standing, newest, trouble, lines, asked } = await begin();
    const { block } = await lose({ to, amount: 2n * PRICE });
    chain.grow(200);
    trouble.changes = (logs) => {
      if (logs.length === 0) throw new Error("connection reset");
      return logs;
    };
    const told = lines.length;
    const last = String(block + 40);
    const ticket = `K${block}`;
    const ticketed = { ...asked(["TRC20", String(block), last]), options: { reason, ticket } };
    await expect(perform("reread", ticketed)).rejects.toThrow(
      `only: connection reset. Read to block ${block + 15}, transfers found anew: 1. For the rest: \`reread TRC20 ${block + 16} ${last}\`.`,
    );
    expect((await standing())[0]).toBe(1);
    expect(await newest()).toMatchObject({
      action: "reread",
      ticket: null,
      details: { answer: [{ from: block, to: block + 15, "transfers found anew": 1 }] },
    });
    expect(lines.slice(told).filter((line) => line.includes("payment unmatched"))).toHaveLength(1);
    await expect(doIt("reread", ["TRC20", String(block + 16), last])).rejects.toThrow(
      /^only: connection reset$/,
    );
    // The ticket is taken by what was done whole.
    delete trouble.changes;
    const whole = { from: block, to: block + 40, "transfers found anew": 0 };
    expect(await perform("reread", ticketed)).toMatchObject({ answer: [whole], repeated: null });
    expect(await newest()).toMatchObject({ ticket, details: { answer: [whole] } });
    expect((await perform("reread", ticketed)).repeated).toContain("nothing is done again");
  });

  test("what several parts find is added up", async () => {
    const { to, doIt, lose, newest } = await begin();
    const first = await lose({ to, amount: PRICE / 2n });
    const second = await lose({ to, amount: PRICE });
    expect(second.block - first.block).toBeGreaterThan(16);
    const { answer } = await doIt("reread", ["TRC20", String(first.block), String(second.block)]);
    expect(answer).toMatchObject([{ "transfers found anew": 2 }]);
    expect(await newest()).toMatchObject({ details: { answer } });
  });

  test("a process that ends half-way has written down and told of what it did", async () => {
    const { chain, to, lose, standing, newest, lines, asked, ledger } = await begin();
    chain.grow(30);
    const { block } = await lose({ to, amount: 2n * PRICE });
    chain.grow(200);
    const told = lines.length;
    // Each part is one transaction; the process ends in that of the second one, before or after it is written.
    for (const written of [false, true]) {
      let transactions = 0;
      const db = new Proxy(ledger.db, {
        get(target, name, receiver) {
          if (name !== "transaction") return Reflect.get(target, name, receiver) as unknown;
          return async (act: (tx: Database) => Promise<unknown>, options: never) => {
            transactions += 1;
            if (transactions !== 2) return target.transaction(act, options);
            await target.transaction(async (tx) => {
              await act(tx);
              if (!written) throw new Error("The process has ended.");
            }, options);
            throw new Error("The process has ended.");
          };
        },
      });
      const args = ["TRC20", String(block - 5), String(block + 40)];
      await expect(perform("reread", { ...asked(args), ledger: { ...ledger, db } })).rejects.toThrow(
        "The process has ended.",
      );
      const answer = [
        {
          network: "TRC20",
          from: block - 5,
          to: written ? block + 40 : block + 10,
          "transfers found anew": written ? 0 : 1,
          audit: (await newest())?.id,
        },
      ];
      expect(await newest()).toMatchObject({ actor: "anna", action: "reread", reason, details: { answer } });
      expect((await standing())[0]).toBe(1);
      expect(lines.slice(told).filter((line) => line.includes("payment unmatched"))).toHaveLength(1);
    }
  });
});
