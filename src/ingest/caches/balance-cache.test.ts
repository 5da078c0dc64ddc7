import { keccak256, pad, toBytes, toHex } from "viem";
import { describe, expect, it } from "vitest";
import { decodeBlocks } from "../../../test/support/nodes/decoded-blocks.ts";
import { ethereum } from "../../chains/ethereum.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Block, Log } from "../../schema/block.ts";
import { recordIndexOf } from "../../schema/record-index.ts";
import { balanceRows } from "../rows/balance-rows.ts";
import { BalanceCache } from "./balance-cache.ts";
import { balanceChanges } from "./balance-changes.ts";

const address = (digit: string): Hex => `0x${digit.repeat(40)}`;
const [ZERO, ANN, BOB, TOKEN] = [address("0"), address("a"), address("b"), address("e")];
const COIN = address("c");
const MAX = 2n ** 256n - 1n;

type Transfer = [from: Hex, to: Hex, value: bigint];

function cacheOf(isWhole = true) {
  const cache = new BalanceCache(10);
  let number = 6;
  const next = (...transfers: Transfer[]) => {
    number++;
    cache.advanceTo(number);
    const events = transfers.map(([from, to, value], logIndex) => {
      return { kind: "erc20" as const, logIndex, token: TOKEN, from, to, value };
    });
    const changed = cache.apply(balanceChanges([{ events, wrappings: [] }], COIN), () => isWhole);
    const token = { address: TOKEN, symbol: "T", name: null, decimals: 1 };
    return balanceRows("wide", { number, timestamp: 1_000 + number } as Block, changed, () => token);
  };
  const balances = (...transfers: Transfer[]) =>
    next(...transfers).map((row) => [row.wallet_address, row.balance_base]);
  return { cache, next, balances };
}

describe("BalanceCache", () => {
  it("returns each balance that a block changes, after the block", () => {
    const { next } = cacheOf();
    expect(next([ZERO, ANN, 10n], [ANN, BOB, 4n], [ANN, BOB, 1n])).toEqual([
      {
        wallet_address: ANN,
        token_address: TOKEN,
        token_symbol: "T",
        balance_base: 5n,
        balance_token: 0.5,
        block_number: 7,
        timestamp: 1_007,
        record_index: recordIndexOf("wide", 7, 0),
      },
      expect.objectContaining({
        wallet_address: BOB,
        balance_base: 5n,
        record_index: recordIndexOf("wide", 7, 1),
      }),
    ]);
  });

  it("adds each block to the balances before it", () => {
    const { balances } = cacheOf();
    balances([ZERO, ANN, 10n]);
    expect(balances([ANN, BOB, 3n])).toEqual([
      [ANN, 7n],
      [BOB, 3n],
    ]);
    expect(balances([ANN, ZERO, 7n])).toEqual([[ANN, 0n]]);
  });

  it("returns no balance whose transfers cancel out", () => {
    const { balances } = cacheOf();
    balances([ZERO, ANN, 10n]);
    expect(balances([ANN, ANN, 5n], [ANN, BOB, 2n], [BOB, ANN, 2n], [ANN, BOB, 0n])).toEqual([]);
  });

  it("checks a balance at the end of the block: logs may report spending before receiving", () => {
    expect(cacheOf().balances([ANN, BOB, 2n], [ZERO, ANN, 5n])).toEqual([
      [ANN, 3n],
      [BOB, 2n],
    ]);
  });

  it("treats a balance as unknown from then on if transfers would make it negative or too large", () => {
    const { balances } = cacheOf();
    expect(balances([ANN, BOB, 2n])).toEqual([
      [ANN, null],
      [BOB, 2n],
    ]);
    expect(balances([ZERO, ANN, 9n])).toEqual([[ANN, null]]);
    expect(balances([ZERO, BOB, MAX])).toEqual([[BOB, null]]);
  });

  it("treats a balance as unknown if transfers may be missing", () => {
    expect(cacheOf(false).balances([ZERO, ANN, 10n])).toEqual([[ANN, null]]);
  });

  it("counts wrapped and unwrapped native coins that no Transfer reports", () => {
    const topics = (event: string): Hex[] => [keccak256(toBytes(event)), pad(ANN)];
    const log = (event: string, value: bigint, address: Hex = COIN): Log => {
      return { address, topics: topics(event), data: pad(toHex(value)), logIndex: 0 };
    };
    const [transferTopic] = topics("Transfer(address,address,uint256)") as [Hex];
    const logs = [
      log("Deposit(address,uint256)", 9n),
      log("Withdrawal(address,uint256)", 2n),
      log("Deposit(address,uint256)", 50n, TOKEN),
      log("Deposit(address,uint256)", 100n),
      { ...log("", 100n), topics: [transferTopic, pad(ZERO), pad(ANN)] },
    ];
    const block = { number: 1, timestamp: 1, transactions: [{ hash: "0x01", logs }] } as unknown as Block;
    const [decoded] = decodeBlocks([block], new Map(), { ...ethereum, wrappedNative: COIN });
    const changes = balanceChanges(decoded?.transactions ?? [], COIN);
    const token = { address: COIN, symbol: "W", name: null, decimals: 18 };
    const rows = balanceRows(
      "wide",
      block,
      new BalanceCache(10).apply(changes, () => true),
      () => token,
    );
    expect(rows).toMatchObject([{ wallet_address: ANN, token_address: COIN, balance_base: 107n }]);
  });

  it("forgets the balances of blocks that are rolled back", () => {
    const { cache, balances } = cacheOf();
    balances([ZERO, ANN, 10n]);
    balances([ZERO, BOB, 10n]);
    expect(cache.size).toBe(2);
    cache.rollbackTo({ number: 7 });
    expect(cache.size).toBe(1);
    expect(balances([ZERO, ANN, 1n])).toEqual([[ANN, 11n]]);
  });
});
