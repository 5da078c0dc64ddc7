import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { devnetChain } from "../../devnet/chain.ts";
import { keccakText } from "../../devnet/node/call-data.ts";
import type { Hex } from "../../src/lib/hex.ts";
import { type MarketNode, startMarketNode } from "../support/markets/market-node.ts";
import { type LimitedNode, startLimitedNode } from "../support/nodes/limited-node.ts";
import { type IndexRuns, openIndexRuns } from "../support/processes/index-runs.ts";

/**
 * Offset, in hex, of the code that runs if a call has data, as requests for the symbol, name and decimals do.
 */
const ENDING_AT = "32";

/** The code at that offset, by what it does. */
const ENDINGS: Record<string, Hex> = {
  "returns 200,000 bytes": "0x5f195f5262030d405ff3",
  "copies more than was returned": "0x60015f5f3e",
  "uses all gas": `0x60${ENDING_AT}56`,
  "has an invalid opcode": "0xfe",
  "takes from an empty stack": "0x50",
};

const addressOf = (i: number): Hex => `0x${keccakText(`hostile contract ${i}`).slice(-40)}`;

const chain = devnetChain();
let node: MarketNode;
let limited: LimitedNode;
let runs: IndexRuns;
let from: number;
let to: number;
let honest: Hex;

beforeAll(async () => {
  node = await startMarketNode(10);
  limited = await startLimitedNode(node.url);
  runs = await openIndexRuns();
  from = (await node.head()).number + 1;
  const [sender] = await node.rpc<Hex[]>("eth_accounts");
  for (const [i, ending] of Object.values(ENDINGS).entries()) {
    await node.rpc("anvil_setCode", addressOf(i), hostileCode(ending));
    const order = { from: sender, to: addressOf(i), gas: "0x30d40", gasPrice: "0x2e90edd000" };
    await node.rpc("eth_sendTransaction", order);
  }
  await node.rpc("evm_mine");
  const { token } = await node.list({ symbol: "HONEST", decimals: 9, version: 2 });
  honest = token;
  to = (await node.head()).number;
});

afterAll(async () => {
  await limited?.stop();
  await node?.stop();
  await runs?.close();
});

describe("contracts of a real EVM whose calls no node can make", () => {
  it("have no metadata, and the blocks after them are indexed, whatever the words of the node are", async () => {
    const indexed = (url: string) => runs.index({ urls: [url], chain, from, to });
    const { tables, tokens } = await indexed(node.url);
    for (const words of ["geth", "erigon", "besu"] as const) {
      limited.speakAs(words);
      const found = await indexed(limited.url);
      for (const i of Object.keys(ENDINGS).keys()) {
        const none = { address: addressOf(i), symbol: null, name: null, decimals: null };
        expect(found.tokens.find(({ address }) => address === addressOf(i))).toEqual(none);
      }
      expect(found.tokens.find(({ address }) => address === honest)).toMatchObject({ symbol: "HONEST" });
      expect(found.tokens.length).toBe(tokens.length);
      expect(found.tables).toEqual(tables);
      expect(limited.refused()).toBeGreaterThan(0);
    }
  });
});

/** Returns code that emits a Transfer if it is called without data, and otherwise runs the given code. */
function hostileCode(ending: Hex): Hex {
  const topic = keccakText("Transfer(address,address,uint256)").slice(2);
  const emit = `60015f52600260017f${topic}60205fa300`;
  return `0x3660${ENDING_AT}57${emit}5b${ending.slice(2)}`;
}
