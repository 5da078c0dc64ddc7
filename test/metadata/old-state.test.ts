import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { devnetChain } from "../../devnet/chain.ts";
import type { Hex } from "../../src/lib/hex.ts";
import { type MarketNode, startMarketNode } from "../support/markets/market-node.ts";
import { type FullNode, startFullNode } from "../support/nodes/full-node.ts";
import { type IndexRuns, openIndexRuns } from "../support/processes/index-runs.ts";

/**
 * Storage slot of the symbol in `Token` of the demo's contracts. The slot holds a string of less than 32
 * bytes.
 */
const SYMBOL_SLOT = `0x${"7".padStart(64, "0")}`;
/** Fewer than any real node keeps, so even a short chain has old blocks. */
const KEPT_BLOCKS = 20;

const chain = devnetChain();
let archive: MarketNode;
let full: FullNode;
let runs: IndexRuns;
let from = 0;
let to: number;

beforeAll(async () => {
  archive = await startMarketNode(60);
  full = await startFullNode(archive.url, KEPT_BLOCKS);
  runs = await openIndexRuns();
  to = (await archive.head()).number;
});

afterAll(async () => {
  await full?.stop();
  await archive?.stop();
  await runs?.close();
});

const indexed = (url: string, batchBlocks = 1_000) =>
  runs.index({ urls: [url], chain, from, to, batchBlocks });

describe("old blocks of a real EVM", () => {
  it("have the same tables from an archive and from a node that has only recent state, whatever the batches", async () => {
    const { tables, tokens } = await indexed(archive.url);
    expect(tables.dex_trades?.rows).toBeGreaterThan(100);
    expect(tokens.filter(({ decimals }) => decimals !== null).length).toBeGreaterThan(5);
    expect((await indexed(full.url)).tables).toEqual(tables);
    const before = full.inVain();
    expect((await indexed(full.url, 10)).tables).toEqual(tables);
    expect(full.inVain()).toBeGreaterThan(before);
    expect(full.inVain() - before).toBeLessThan(10);
    expect((await indexed(archive.url, 10)).tables).toEqual(tables);
  });

  it("have the metadata of their own time from an archive, and the newest from other nodes", async () => {
    from = to + 1;
    const { token } = await archive.list({ symbol: "OLD", decimals: 9, version: 2 });
    await archive.trade(KEPT_BLOCKS, 3);
    await archive.rpc("anvil_setStorageAt", token, SYMBOL_SLOT, shortText("NEW"));
    await archive.trade(1, 4);
    to = (await archive.head()).number;
    const symbolFrom = async (url: string, batchBlocks: number) =>
      (await indexed(url, batchBlocks)).tokens.find(({ address }) => address === token);
    for (const batchBlocks of [8, 1_000]) {
      const stored = { address: token, name: "OLD Token", decimals: 9 };
      expect(await symbolFrom(archive.url, batchBlocks)).toEqual({ ...stored, symbol: "OLD" });
      expect(await symbolFrom(full.url, batchBlocks)).toEqual({ ...stored, symbol: "NEW" });
    }
  });

  it("have no metadata from other nodes once the contract is gone", async () => {
    from = to + 1;
    const { token } = await archive.list({ symbol: "GONE", decimals: 9, version: 2 });
    await archive.trade(KEPT_BLOCKS, 5);
    await archive.rpc("anvil_setCode", token, "0x");
    await archive.trade(1, 6);
    to = (await archive.head()).number;
    const tokenFrom = async (url: string) =>
      (await indexed(url)).tokens.find(({ address }) => address === token);
    const stored = { address: token, symbol: "GONE", name: "GONE Token", decimals: 9 };
    expect(await tokenFrom(archive.url)).toEqual(stored);
    expect(await tokenFrom(full.url)).toEqual({ ...stored, symbol: null, name: null, decimals: null });
  });
});

/**
 * Encodes a Solidity string of less than 32 bytes: the text on the left, twice its length in the last byte.
 */
function shortText(text: string): Hex {
  const bytes = Buffer.from(text);
  return `0x${bytes.toString("hex").padEnd(62, "0")}${(2 * bytes.length).toString(16).padStart(2, "0")}`;
}
