import { describe, expect, it } from "vitest";
import { Random } from "../../../test/serving/random.ts";
import type { Hex } from "../../lib/hex.ts";
import { addTrade, emptyPosition, type Position, type WalletTrade } from "./position.ts";
import { MAX_WALLET_TRADES, WalletPositions } from "./wallet-positions.ts";

const tokenOf = (number: number): Hex => `0x${number.toString(16).padStart(40, "0")}`;

function randomTrade(random: Random): WalletTrade {
  return {
    side: random.below(2) === 0 ? "buy" : "sell",
    amountToken: random.below(9) === 0 ? null : random.below(1e6) / 7,
    amountUsd: random.below(9) === 0 ? null : random.below(1e6) / 3,
    timestamp: 1_704_412_800 + random.below(1000),
  };
}

describe("the positions of a wallet", () => {
  it("are those of its trades token by token, in the order of addresses", () => {
    const random = new Random(5);
    const expected = new Map<Hex, Position>();
    const positions = new WalletPositions();
    for (let i = 0; i < 3000; i++) {
      const [token, trade] = [tokenOf(random.below(400)), randomTrade(random)];
      expected.set(token, expected.get(token) ?? emptyPosition());
      addTrade(expected.get(token) ?? emptyPosition(), trade);
      positions.add(token, trade);
      if (i === 1500) positions.trim();
    }
    expect(positions.tokens).toEqual([...expected.keys()].sort());
    positions.forEach((token, position) => {
      expect(position).toEqual(expected.get(token));
    });
    expect([positions.trades, positions.has(tokenOf(0xffff))]).toEqual([3000, false]);
    expect([...expected.keys()].every((token) => positions.has(token))).toBe(true);
  });

  it("are dropped when the wallet has too many trades for an answer", () => {
    const positions = new WalletPositions();
    const trade = randomTrade(new Random(1));
    for (let i = 0; i < MAX_WALLET_TRADES; i++) positions.add(tokenOf(i % 10), trade);
    expect([positions.isTooLarge, positions.tokens.length]).toEqual([false, 10]);
    positions.add(tokenOf(1), trade);
    expect([positions.isTooLarge, positions.tokens.length]).toEqual([true, 0]);
    positions.add(tokenOf(1), trade);
    expect([positions.trades, positions.tokens]).toEqual([MAX_WALLET_TRADES + 2, []]);
  });
});
