import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { type Call, collect, endpoint, failure, open } from "../support/rpc-endpoints.ts";

/** Blocks 1, 2, ... of a chain without transactions and receipts, each with the parent that is asked for. */
function chainOf(parentOf: (number: number) => number): (call: Call) => unknown {
  const hash = (number: number) => `0x${number.toString(16).padStart(64, "0")}`;
  return ({ method, params }) => {
    if (method === "eth_chainId") return "0x1";
    if (method === "eth_getBlockReceipts") return null;
    const number = Number(params[0]);
    return {
      number: params[0],
      hash: hash(number),
      parentHash: hash(parentOf(number)),
      timestamp: "0x1",
      miner: `0x${"00".repeat(20)}`,
      gasLimit: "0x1",
      gasUsed: "0x0",
      extraData: "0x",
      transactions: [],
    };
  };
}

describe("the links between blocks", () => {
  it("takes a block that does not link for a reorg, after fetching it again", async () => {
    const { url } = await endpoint(chainOf((number) => (number === 4 ? 77 : number - 1)));
    const { source } = await open([url], { verify: false });
    const seen: number[] = [];
    const reading = (async () => {
      for await (const block of source.blocks({ from: 1, to: 6 }, new AbortController().signal))
        seen.push(block.number);
    })();
    const error = await failure(reading);
    expect(error).toMatchObject({ code: "verification", retryable: true });
    expect(error.message).toMatch(
      /block 4 does not follow the one before: parent hash 0x0+4d is not the hash of block 3/,
    );
    expect(seen).toEqual([1, 2, 3]);
  });

  it("goes on when the block links at the second attempt", async () => {
    let asked = 0;
    const { url } = await endpoint(chainOf((number) => (number === 4 && asked++ === 0 ? 77 : number - 1)));
    const { source } = await open([url], { verify: false });
    expect((await collect(source, 1, 6)).map((block) => block.number)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it("yields nothing for an empty range", async () => {
    const { url } = await endpoint(chainOf((number) => number - 1));
    const { source } = await open([url], { verify: false });
    expect(await collect(source, 5, 4)).toEqual([]);
  });
});

describe("a consumer that stops reading", () => {
  it.each([
    ["blocks", { maxBlocksAhead: 20 }],
    ["bytes", { maxBytesAhead: 10_000 }],
  ])("stops the fetching, by the bound on %s", async (_, bound) => {
    const { url, requests } = await endpoint(chainOf((number) => number - 1));
    const { source } = await open([url], { verify: false, limits: { ...bound, maxBlocksPerRequest: 2 } });
    const blocks = source
      .blocks({ from: 1, to: 1_000 }, new AbortController().signal)
      [Symbol.asyncIterator]();
    const settled = async () => {
      for (let before = -1; before !== requests(); await sleep(150)) before = requests();
      return requests();
    };
    await blocks.next();
    const asleep = await settled();
    expect(asleep).toBeLessThan(40);
    await sleep(500);
    expect(requests()).toBe(asleep);
    for (let i = 0; i < 100; i++) await blocks.next();
    expect(await settled()).toBeGreaterThan(asleep);
    expect(requests()).toBeLessThan(140);
    await blocks.return?.();
  });
});
