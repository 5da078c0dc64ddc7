import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { ManualClock } from "../../lib/support/manual-clock.ts";
import { LiveFigures } from "./live-figures.ts";

type Watched = ConstructorParameters<typeof LiveFigures>[0];

/**
 * Returns the rate, in blocks per second, that is reported at each of the given times. `blocks` is the number
 * of blocks that have been indexed by then.
 */
async function ratesAt(course: readonly { second: number; blocks: number }[]): Promise<number[]> {
  const clock = new ManualClock(0);
  const counters = { blocks: 0, trades: 0 };
  const indexer = { state: { head: 1 }, counters } as Watched["indexer"];
  const chainStore = { committed: async () => null };
  const figures = new LiveFigures({ indexer, chainStore, metrics: new Registry() }, clock);
  const rates: number[] = [];
  for (const { second, blocks } of course) {
    await clock.advance(second * 1_000 - clock.now());
    counters.blocks = blocks;
    rates.push((await figures.read()).blocksPerSecond);
  }
  return rates;
}

it("reports rates even if it is rarely read", async () => {
  const course = [0, 30, 60].map((second) => ({ second, blocks: 2 * second }));
  expect(await ratesAt(course)).toEqual([0, 2, 2]);
});

it("ignores what was before the last seconds", async () => {
  const seconds = Array.from({ length: 31 }, (_, second) => second);
  const course = seconds.map((second) => ({ second, blocks: second < 10 ? 0 : 3 * (second - 10) }));
  expect((await ratesAt(course)).at(-1)).toBe(3);
});
