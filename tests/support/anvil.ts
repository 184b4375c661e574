/** A real chain node: anvil, with a real ERC-20 token of six decimals, and a wallet that transfers it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { HDKey } from "@scure/bip32";
import {
  createTestClient,
  createWalletClient,
  getAddress,
  http,
  publicActions,
  type Abi,
  type Hex,
} from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { foundry } from "viem/chains";
import { toTronAddress } from "../../src/contract/address.ts";

const require = createRequire(import.meta.url);

/** The node is a package of Linux alone. */
export const hasAnvil = process.platform === "linux" && process.arch === "x64";

const SOURCE = `// SPDX-License-Identifier: UNLICENSED
pragma solidity ^0.8.0;
contract Token {
  uint8 public constant decimals = 6;
  mapping(address => uint256) public balanceOf;
  event Transfer(address indexed from, address indexed to, uint256 value);
  constructor() {
    balanceOf[msg.sender] = 1e15;
    emit Transfer(address(0), msg.sender, 1e15);
  }
  function transfer(address to, uint256 value) public returns (bool) {
    balanceOf[msg.sender] -= value;
    balanceOf[to] += value;
    emit Transfer(msg.sender, to, value);
    return true;
  }
  function transferTwice(address to, uint256 one, uint256 other) external {
    transfer(to, one);
    transfer(to, other);
  }
}`;

interface Compiled {
  abi: Abi;
  bytecode: Hex;
}

function compile(): Compiled {
  const solc = require("solc") as { compile(input: string): string };
  const output = JSON.parse(
    solc.compile(
      JSON.stringify({
        language: "Solidity",
        sources: { "Token.sol": { content: SOURCE } },
        settings: { outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } } },
      }),
    ),
  ) as { contracts: { "Token.sol": { Token: { abi: Abi; evm: { bytecode: { object: string } } } } } };
  const { abi, evm } = output.contracts["Token.sol"].Token;
  return { abi, bytecode: `0x${evm.bytecode.object}` };
}

/** To load the compiler takes seconds. */
let compiled: Compiled | undefined;

/** The words every Ethereum development network begins with. */
const account = mnemonicToAccount("test test test test test test test test test test test junk");

export type Anvil = Awaited<ReturnType<typeof startAnvil>>;

/** Starts a chain of its own on a free port. Blocks are mined by each transfer, and on demand. */
export async function startAnvil() {
  const binary = join(dirname(require.resolve("@foundry-rs/anvil-linux-amd64/package.json")), "bin/anvil");
  const child = spawn(binary, ["--port", "0", "--slots-in-an-epoch", "1"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await new Promise<string>((resolve, reject) => {
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      const address = /Listening on (\S+)/.exec(output)?.[1];
      if (address !== undefined) resolve(`http://${address}`);
    });
    child.on("error", reject);
    child.on("close", () => reject(new Error(`anvil ended: ${output}`)));
  });
  const transport = http(url);
  const chain = createTestClient({ mode: "anvil", chain: foundry, transport }).extend(publicActions);
  const wallet = createWalletClient({ account, chain: foundry, transport });
  const { abi, bytecode } = (compiled ??= compile());
  const deployed = await chain.waitForTransactionReceipt({
    hash: await wallet.deployContract({ abi, bytecode }),
    pollingInterval: 20,
  });
  const token = getAddress(deployed.contractAddress ?? "0x");
  // Deeper than any reorganisation of a test.
  await chain.mine({ blocks: 100 });

  async function write(functionName: string, args: readonly unknown[]): Promise<Hex> {
    const hash = await wallet.writeContract({ address: token, abi, functionName, args });
    await chain.waitForTransactionReceipt({ hash, pollingInterval: 20 });
    return hash;
  }
  const addressed = (raw: string) => getAddress(`0x${raw}`);

  return {
    url,
    chainId: foundry.id,
    /** The token's address. */
    token,
    /** Transfers smallest units. @param to 20 bytes in hexadecimal digits @returns the transaction's hash */
    transfer: (to: string, amount: bigint) => write("transfer", [addressed(to), amount]),
    /** Two transfers in one transaction. */
    transferTwice: (to: string, one: bigint, other: bigint) =>
      write("transferTwice", [addressed(to), one, other]),
    /** @param interval seconds from one block to the next, by their own times */
    mine: (blocks: number, interval?: number) =>
      chain.mine({ blocks, ...(interval !== undefined && { interval }) }),
    /** Replaces the last blocks by empty ones. */
    reorganise: (depth: number) => chain.request({ method: "anvil_reorg", params: [depth, []] } as never),
    /** What the token itself says an address holds, in smallest units. */
    balanceOf: async (raw: string) =>
      (await chain.readContract({
        address: token,
        abi,
        functionName: "balanceOf",
        args: [addressed(raw)],
      })) as bigint,
    headNumber: async () => Number(await chain.getBlockNumber({ cacheTime: 0 })),
    /** The process is stopped, and answers nothing, until it is told to go on. */
    pause: () => child.kill("SIGSTOP"),
    goOn: () => child.kill("SIGCONT"),
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
    },
  };
}

/** The environment of a service that looks at its networks every tenth of a second, not every three: a test waits for its chain alone. */
export const quickLooks = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(`
    const { setTimeout: wait } = globalThis;
    globalThis.setTimeout = (run, ms, ...given) => wait(run, ms === 3_000 ? 100 : ms, ...given);`)}`,
};

/** The settings of live payments on two such chains, with addresses below `wallet`'s accounts. */
export const liveSettings = (wallet: HDKey, tron: Anvil, ethereum: Anvil): Record<string, string> => ({
  PAYMENTS: "live",
  TRC20_XPUB: wallet.derive("m/44'/195'/0'").publicExtendedKey,
  TRC20_NODES: tron.url,
  TRC20_CHAIN_ID: String(tron.chainId),
  TRC20_CONTRACT: toTronAddress(Buffer.from(tron.token.slice(2), "hex")),
  ERC20_XPUB: wallet.derive("m/44'/60'/0'").publicExtendedKey,
  ERC20_NODES: ethereum.url,
  ERC20_CHAIN_ID: String(ethereum.chainId),
  ERC20_CONTRACT: ethereum.token,
});
