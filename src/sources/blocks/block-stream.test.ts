import { describe, expect, it } from "vitest";
import { ManualClock } from "../../lib/support/manual-clock.ts";
import { pass, settled } from "../support/manual-time.ts";
import { type Call, collect, endpoint, failure, open } from "../support/rpc-endpoints.ts";

/**
 * Returns a handler of calls that serves blocks 1, 2, ... of a chain without transactions and receipts.
 * `parentOf` chooses the parent of each block.
 */
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
  it("reports a reorg for a block that does not link, after fetching it again", async () => {
    const { url } = await endpoint(chainOf((number) => (number === 4 ? 77 : number - 1)));
    const clock = new ManualClock();
    const { source } = await open([url], { clock, verify: false });
    const seen: number[] = [];
    const reading = (async () => {
      for await (const block of source.blocks({ from: 1, to: 6 }, new AbortController().signal))
        seen.push(block.number);
    })();
    const error = await settled(clock, failure(reading));
    expect(error).toMatchObject({ code: "verification", retryable: true });
    expect(error.message).toMatch(
      /block 4 does not link to its parent: parent hash 0x0+4d is not the hash of block 3/,
    );
    expect(seen).toEqual([1, 2, 3]);
  });

  it("continues when the block links at the second attempt", async () => {
    let requests = 0;
    const { url } = await endpoint(chainOf((number) => (number === 4 && requests++ === 0 ? 77 : number - 1)));
    const clock = new ManualClock();
    const { source } = await open([url], { clock, verify: false });
    expect((await settled(clock, collect(source, 1, 6))).map((block) => block.number)).toEqual([
      1, 2, 3, 4, 5, 6,
    ]);
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
  ])("stops the fetching, by the limit on %s", async (_, limit) => {
    const { url, requests } = await endpoint(chainOf((number) => number - 1));
    const clock = new ManualClock();
    const limits = { ...limit, maxBlocksPerRequest: 2 };
    const { source } = await open([url], { clock, verify: false, limits });
    const blocks = source
      .blocks({ from: 1, to: 1_000 }, new AbortController().signal)
      [Symbol.asyncIterator]();
    const idle = async () => {
      for (let before = -1; before !== requests(); await pass(clock, 150)) before = requests();
      return requests();
    };
    await settled(clock, blocks.next());
    const atRest = await idle();
    expect(atRest).toBeLessThan(40);
    await pass(clock, 500);
    expect(requests()).toBe(atRest);
    for (let i = 0; i < 100; i++) await settled(clock, blocks.next());
    expect(await idle()).toBeGreaterThan(atRest);
    expect(requests()).toBeLessThan(140);
    await blocks.return?.();
  });
});
