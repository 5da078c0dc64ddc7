import { Registry } from "prom-client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { LiveFigures } from "./live-figures.ts";

type Watched = ConstructorParameters<typeof LiveFigures>[0];

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: 0 }));
afterEach(() => void vi.useRealTimers());

/** Blocks a second, as told at each of some seconds when so many blocks were there. */
async function toldRates(course: readonly { second: number; blocks: number }[]): Promise<number[]> {
  const counters = { blocks: 0, trades: 0 };
  const indexer = { state: { head: 1 }, counters } as Watched["indexer"];
  const chainStore = { committed: async () => null };
  const figures = new LiveFigures({ indexer, chainStore, metrics: new Registry() });
  const rates: number[] = [];
  for (const { second, blocks } of course) {
    vi.setSystemTime(second * 1_000);
    counters.blocks = blocks;
    rates.push((await figures.read()).blocksPerSecond);
  }
  return rates;
}

it("tells rates, however seldom it is read", async () => {
  const course = [0, 30, 60].map((second) => ({ second, blocks: 2 * second }));
  expect(await toldRates(course)).toEqual([0, 2, 2]);
});

it("forgets what lies before the last seconds", async () => {
  const seconds = Array.from({ length: 31 }, (_, second) => second);
  const course = seconds.map((second) => ({ second, blocks: second < 10 ? 0 : 3 * (second - 10) }));
  expect((await toldRates(course)).at(-1)).toBe(3);
});
