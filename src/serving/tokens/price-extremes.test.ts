import { describe, expect, it } from "vitest";
import type { Hex } from "../../lib/hex.ts";
import {
  type ExtremeTrades,
  MAX_EXTREMES_BYTES,
  type PricedTrade,
  PriceExtremes,
  withLaterTrades,
} from "./price-extremes.ts";

const NAMES = ["opened", "highest", "lowest", "closed"] as const;

describe("PriceExtremes", () => {
  it("has the trades that it was made of, whichever of them are the same", () => {
    const trades = [10, 20, 20, 5, 10].map((price, i) => trade(i, price, i === 1 ? null : price / 2));
    for (const [a, b, c, d] of choices(trades.length)) {
      const given = extremes(a, b, c, d);
      expect(plain(new PriceExtremes(given))).toEqual(plain(given));
    }
    function extremes(...places: number[]): ExtremeTrades {
      const [opened, highest, lowest, closed] = places.map((place) => trades[place] as PricedTrade);
      return { opened, highest, lowest, closed } as ExtremeTrades;
    }
  });

  it("takes room for each different trade once", () => {
    const [one, two, three, four] = [1, 2, 3, 4].map((price) => trade(price, price, null)) as Four;
    const alike = new PriceExtremes({ opened: one, highest: { ...one }, lowest: one, closed: one });
    const different = new PriceExtremes({ opened: one, highest: two, lowest: three, closed: four });
    expect(different.bytes).toBe(MAX_EXTREMES_BYTES);
    expect(alike.bytes).toBeLessThan(MAX_EXTREMES_BYTES / 2);
  });

  it("keeps the first of equal prices, and the newest trade", () => {
    const trades = [5, 7, 7, 3, 3, 6].map((price, i) => trade(i, price, 1));
    const after = trades.map(alone).reduce((known, one) => new PriceExtremes(withLaterTrades(known, one)));
    expect(NAMES.map((name) => after[name].blockNumber)).toEqual([0, 1, 3, 5]);
    expect(after.opened.transactionHash).toBe(trades[0]?.transactionHash);
  });
});

type Four = [PricedTrade, PricedTrade, PricedTrade, PricedTrade];

function trade(block: number, price: number, priceEth: number | null): PricedTrade {
  const transactionHash: Hex = `0x${(0xf0 + block).toString(16).repeat(32)}`;
  return { tradedAt: 1_700_000_000 + block, blockNumber: block, transactionHash, price, priceEth };
}

function alone(one: PricedTrade): ExtremeTrades {
  return { opened: one, highest: one, lowest: one, closed: one };
}

/** Returns all ways to choose four of `count` trades, with repetition. */
function choices(count: number): Places[] {
  const all = Array.from({ length: count }, (_, i) => i);
  return all.flatMap((a) => all.flatMap((b) => all.flatMap((c) => all.map((d): Places => [a, b, c, d]))));
}

type Places = [number, number, number, number];

/** Returns the trades as plain objects. */
function plain(prices: ExtremeTrades): unknown {
  return NAMES.map((name) => {
    const { tradedAt, blockNumber, transactionHash, price, priceEth } = prices[name];
    return { tradedAt, blockNumber, transactionHash, price, priceEth };
  });
}
