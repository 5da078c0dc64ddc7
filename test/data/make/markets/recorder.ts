import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Abi, encodeDeployData, encodeFunctionData } from "viem";
import type { Hex } from "../../../../src/lib/hex.ts";
import { ACCOUNT, type LocalNode, startLocalNode } from "../../../support/nodes/local-node.ts";
import { writeGzLines, writeJson } from "../recorded-lines.ts";

export interface Contract {
  abi: Abi;
  bytecode: Hex;
  /** Code of the deployed contract. */
  code: Hex;
}

interface CompilerOutput {
  errors?: { severity: string; formattedMessage: string }[];
  contracts: Record<
    string,
    Record<string, { abi: Abi; evm: Record<"bytecode" | "deployedBytecode", { object: string }> }>
  >;
}

/** Maximum gas of a transaction (EIP-7825). */
const GAS = "0x1000000";
const BLOCK_SECONDS = 12;
const REQUIRE = createRequire(new URL("../../../../devnet/package.json", import.meta.url));

/**
 * Compiles the contracts of some files. Returns them by name.
 *
 * @param read returns the content of a file; null if there is no such file
 */
export function compile(
  files: readonly string[],
  read: (path: string) => string | null,
  settings: object = {},
): Record<string, Contract> {
  const compiler = REQUIRE("solc") as { compile(input: string, callbacks: object): string };
  const outputs = { "*": ["abi", "evm.bytecode.object", "evm.deployedBytecode.object"] };
  const input = {
    language: "Solidity",
    sources: Object.fromEntries(files.map((file) => [file, { content: read(file) ?? "" }])),
    settings: {
      evmVersion: "cancun",
      optimizer: { enabled: true, runs: 200 },
      ...settings,
      outputSelection: Object.fromEntries(files.map((file) => [file, outputs])),
    },
  };
  const callbacks = {
    import(path: string) {
      const contents = read(path);
      return contents === null ? { error: `there is no ${path}` } : { contents };
    },
  };
  const output: CompilerOutput = JSON.parse(compiler.compile(JSON.stringify(input), callbacks));
  const mistake = output.errors?.find(({ severity }) => severity === "error");
  if (mistake !== undefined) throw new Error(mistake.formattedMessage);
  return Object.fromEntries(
    files.flatMap((file) =>
      Object.entries(output.contracts[file] ?? {}).map(([name, { abi, evm }]): [string, Contract] => [
        name,
        { abi, bytecode: `0x${evm.bytecode.object}`, code: `0x${evm.deployedBytecode.object}` },
      ]),
    ),
  );
}

/** Compiles the contracts in this folder. Returns them by name. */
function compileMarkets(): Record<string, Contract> {
  return compile(["Markets.sol", "Bins.sol"], (path) => readFileSync(new URL(path, import.meta.url), "utf8"));
}

export interface Token {
  address: Hex;
  decimals: number;
  symbol: string;
}

/** A chain on this machine with one transaction a block. */
export class MarketRecorder {
  readonly node: LocalNode;
  readonly contracts = compileMarkets();
  readonly #tokens: Token[] = [];

  private constructor(node: LocalNode) {
    this.node = node;
  }

  static async start(): Promise<MarketRecorder> {
    return new MarketRecorder(await startLocalNode("osaka"));
  }

  contract(name: string): Contract {
    const found = this.contracts[name];
    if (found === undefined) throw new Error(`Markets.sol has no ${name}`);
    return found;
  }

  async transact(to: Hex | null, data: Hex, from: Hex = ACCOUNT) {
    const call = { from, ...(to === null ? {} : { to }), data, gas: GAS };
    const hash = await this.node.rpc<Hex>("eth_sendTransaction", call);
    await this.node.rpc("evm_increaseTime", BLOCK_SECONDS);
    await this.node.rpc("evm_mine");
    const receipt = await this.node.rpc<{ status: Hex; contractAddress: Hex; logs: { topics: Hex[] }[] }>(
      "eth_getTransactionReceipt",
      hash,
    );
    if (receipt.status === "0x1") return receipt;
    // This call also fails, and the node's error has the reason.
    await this.node.rpc("eth_call", call, "latest");
    throw new Error(`${data.slice(0, 10)} of ${to} reverted`);
  }

  async deploy({ abi, bytecode }: Omit<Contract, "code">, ...args: unknown[]): Promise<Hex> {
    const data = encodeDeployData({ abi, bytecode, args });
    return (await this.transact(null, data)).contractAddress.toLowerCase() as Hex;
  }

  /** Calls a function of a contract in Markets.sol. */
  call(name: string, address: Hex, functionName: string, ...args: unknown[]) {
    return this.transact(address, encodeFunctionData({ abi: this.contract(name).abi, functionName, args }));
  }

  /**
   * Runs a function of a trader: the contract under test calls the trader back, and the callback runs the
   * function.
   */
  run(name: string, trader: Hex, functionName: string, ...args: unknown[]) {
    const { abi } = this.contract(name);
    return this.call(name, trader, "run", encodeFunctionData({ abi, functionName, args }));
  }

  async deployToken(decimals: number, symbol: string, holders: readonly Hex[]): Promise<Token> {
    const address = await this.deploy(this.contract("Token"), decimals, symbol);
    for (const holder of holders)
      await this.call("Token", address, "mint", holder, 10n ** BigInt(decimals + 15));
    const token = { address, decimals, symbol };
    this.#tokens.push(token);
    return token;
  }

  async view(abi: Abi, address: Hex, functionName: string, args: readonly unknown[], block: number) {
    const data = encodeFunctionData({ abi, functionName, args });
    return this.node.rpc<Hex>("eth_call", { to: address, data }, `0x${block.toString(16)}`);
  }

  /**
   * Writes a bundle of the blocks after a given one. Its `balances.json.gz` has the given facts about the
   * contracts, and the state after each block.
   */
  async write(folder: string, after: number, facts: object, stateAfter: (block: number) => Promise<object>) {
    const [blocks, receipts, state]: [unknown[], unknown[], object[]] = [[], [], []];
    const { number: last } = await this.node.head();
    for (let block = after + 1; block <= last; block++) {
      const tag = `0x${block.toString(16)}`;
      blocks.push(await this.node.rpc("eth_getBlockByNumber", tag, true));
      receipts.push(await this.node.rpc("eth_getBlockReceipts", tag));
      state.push({ block, held: await stateAfter(block) });
    }
    mkdirSync(folder, { recursive: true });
    const linesOf = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value));
    writeGzLines(folder, "blocks.ndjson.gz", linesOf(blocks));
    writeGzLines(folder, "receipts.ndjson.gz", linesOf(receipts));
    writeGzLines(folder, "balances.json.gz", linesOf([{ ...facts, state }]));
    writeJson(folder, "calls.json", await this.#tokenCalls(last), 2);
  }

  async #tokenCalls(block: number): Promise<Record<Hex, Record<Hex, Hex>>> {
    const { abi } = this.contract("Token");
    const calls: Record<Hex, Record<Hex, Hex>> = {};
    for (const { address } of this.#tokens) {
      const answers: Record<Hex, Hex> = {};
      for (const functionName of ["symbol", "decimals"])
        answers[encodeFunctionData({ abi, functionName })] = await this.view(
          abi,
          address,
          functionName,
          [],
          block,
        );
      calls[address] = answers;
    }
    return calls;
  }
}
