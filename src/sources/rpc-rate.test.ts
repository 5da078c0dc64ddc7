import { describe, expect, it, onTestFinished } from "vitest";
import { bundleCounts, MAINNET } from "../../test/support/nodes/bundles.ts";
import { ManualClock } from "../lib/support/manual-clock.ts";
import { settled } from "./support/manual-time.ts";
import { type Call, collect, endpoint, open, replay } from "./support/rpc-endpoints.ts";

const { first, blocks } = bundleCounts(MAINNET);
const CALLS_PER_SECOND = 10;

/** Forwards calls to a node, and records when each arrived. */
async function recorded(target: string, clock: ManualClock) {
  const arrivals: number[] = [];
  const { url } = await endpoint(async (call: Call) => {
    arrivals.push(clock.now());
    const response = await fetch(target, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...call }),
    });
    return ((await response.json()) as { result: unknown }).result;
  });
  return { url, arrivals };
}

describe("the rate of calls to an endpoint", () => {
  it("is kept while blocks are fetched, and heads do not wait for them", async () => {
    const clock = new ManualClock();
    const { url, arrivals } = await recorded(await replay(MAINNET), clock);
    const limits = { callsPerSecond: CALLS_PER_SECOND, maxRetryAfterMs: 1_000 };
    const { source } = await open([url], { clock, limits });
    onTestFinished(() => source.close());
    const last = first + Math.min(blocks, 12) - 1;
    const collected = settled(clock, collect(source, first, last));
    const askedMs = clock.now();
    const answered = source.head().then(() => clock.now());
    expect((await collected).length).toBe(last - first + 1);
    expect((await answered) - askedMs).toBeLessThan(1_000);
    expect(arrivals.length).toBeGreaterThan(CALLS_PER_SECOND);
    for (const [i, ms] of arrivals.entries()) {
      const within = arrivals.slice(i).filter((later) => later < ms + 1_000);
      // A batch of two calls may begin just before the interval of one second ends.
      expect(within.length).toBeLessThanOrEqual(CALLS_PER_SECOND + 2);
    }
  });

  it("lets heads overtake headers of the history", async () => {
    const clock = new ManualClock();
    const { url } = await recorded(await replay(MAINNET), clock);
    const limits = { callsPerSecond: CALLS_PER_SECOND };
    const { source } = await open([url], { clock, limits });
    onTestFinished(() => source.close());
    const numbers = Array.from({ length: 4 * CALLS_PER_SECOND }, () => first);
    const headers = source.headers(numbers, "hashes", new AbortController().signal);
    const askedMs = clock.now();
    const answered = source.head().then(() => clock.now());
    expect(await settled(clock, headers)).toHaveLength(numbers.length);
    expect((await answered) - askedMs).toBeLessThan(1_000);
  });
});
