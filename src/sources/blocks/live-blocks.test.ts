import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BARE_CHAIN } from "../../../test/support/nodes/bare-chain.ts";
import { ACCOUNT, type LocalNode, startLocalNode } from "../../../test/support/nodes/local-node.ts";
import type { Chain } from "../../chains/chain.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Block } from "../../schema/block.ts";
import { openRpcSource, type RpcSource } from "../rpc-source.ts";

const LOCAL: Chain = {
  ...BARE_CHAIN,
  name: "local",
  finality: { kind: "depth", blocks: 3 },
  blockTimeMs: 1_000,
};

/** Init code that logs topic 1, then creates a contract that reverts on every call. */
const REVERTER = "0x600160006000a16460006000fd6000526005601bf3";
const FAILING_CREATION = "0x60006000fd";

let node: LocalNode;
let source: RpcSource;
let blocks: Block[];

/** Sends a transaction and mines it in a separate block. */
async function send(tx: object): Promise<{ contractAddress: Hex | null }> {
  const hash = await node.rpc<Hex>("eth_sendTransaction", { from: ACCOUNT, gas: "0x186a0", ...tx });
  await node.rpc("anvil_mine", "0x1");
  return await node.rpc("eth_getTransactionReceipt", hash);
}

async function read(from: number, to: number): Promise<Block[]> {
  const found: Block[] = [];
  for await (const block of source.blocks({ from, to }, new AbortController().signal)) found.push(block);
  return found;
}

beforeAll(async () => {
  node = await startLocalNode();
  const { contractAddress } = await send({ data: REVERTER });
  await send({ to: contractAddress, data: "0x12345678" });
  await send({ data: FAILING_CREATION });
  await send({ to: ACCOUNT, value: "0x5", gasPrice: "0x77359400" });
  const accessList = [{ address: ACCOUNT, storageKeys: [`0x${"00".repeat(32)}`] }];
  await send({ to: ACCOUNT, value: "0x6", gasPrice: "0x77359400", accessList });
  await node.rpc("anvil_mine", "0x3");
  source = await openRpcSource({ urls: [node.url], chain: LOCAL, verify: true });
  blocks = await read(0, 8);
});

afterAll(async () => {
  await source?.close();
  await node?.stop();
});

describe("RpcSource on a live node", () => {
  it("verifies every block since genesis, with the newest header fields", () => {
    expect(blocks.map((block) => block.number)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(blocks.map((block) => block.transactions.length)).toEqual([0, 1, 1, 1, 1, 1, 0, 0, 0]);
  });

  it("includes a contract's creation with its address and log", () => {
    const creation = blocks[1]?.transactions[0];
    expect(creation).toMatchObject({ to: null, status: 1, from: ACCOUNT });
    expect(creation?.contractAddress).toBe(creation?.logs[0]?.address);
    expect(creation?.logs).toMatchObject([
      { topics: [`0x${"1".padStart(64, "0")}`], data: "0x", logIndex: 0 },
    ]);
  });

  it("includes failed transactions without logs, with the fees paid", async () => {
    const failed = blocks[2]?.transactions[0];
    expect(failed).toMatchObject({ status: 0, logs: [], to: blocks[1]?.transactions[0]?.contractAddress });
    expect(blocks[3]?.transactions[0]).toMatchObject({ status: 0, to: null });
    const receipt = await node.rpc<Record<string, Hex>>("eth_getTransactionReceipt", failed?.hash);
    expect(failed?.fee).toBe(BigInt(receipt.gasUsed ?? 0) * BigInt(receipt.effectiveGasPrice ?? 0));
  });

  it("includes every transaction type sent", () => {
    expect(blocks.flatMap((block) => block.transactions.map((tx) => tx.type))).toEqual([2, 2, 2, 0, 1]);
  });

  it("distinguishes a reverting call from one that returns nothing", async () => {
    const reverter = blocks[1]?.transactions[0]?.contractAddress as Hex;
    const calls = [reverter, ACCOUNT].map((to) => ({ to: to as Hex, data: "0x12345678" as Hex }));
    expect(await source.call(calls)).toEqual([null, "0x"]);
  });

  it("follows the head, and returns other blocks after a reorg", async () => {
    expect(await source.head()).toEqual({ number: 8, hash: blocks[8]?.hash });
    await node.rpc("anvil_reorg", 2, [[{ from: ACCOUNT, to: ACCOUNT, value: "0x9" }, 0]]);
    const again = await read(5, 8);
    expect(again[1]?.hash).toBe(blocks[6]?.hash);
    expect(again[2]?.hash).not.toBe(blocks[7]?.hash);
    expect(await source.blockRef(8)).toEqual({ number: 8, hash: again[3]?.hash });
  });
});
