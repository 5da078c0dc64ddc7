import { keccak256, pad, toBytes, toHex } from "viem";
import { describe, expect, it } from "vitest";
import type { DecodedTransaction } from "../../decode/decode-block.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Block, Log, Transaction } from "../../schema/block.ts";
import { recordIndexOf } from "../../schema/record-index.ts";
import { BalanceBook } from "./balance-cache.ts";

const address = (digit: string): Hex => `0x${digit.repeat(40)}`;
const [ZERO, ANN, BOB, TOKEN] = [address("0"), address("a"), address("b"), address("e")];
const COIN = address("c");
const MAX = 2n ** 256n - 1n;

type Transfer = [from: Hex, to: Hex, value: bigint];

function bookOf(isWhole = true) {
  const book = new BalanceBook(COIN);
  let number = 6;
  const next = (...transfers: Transfer[]) => {
    number++;
    book.learnUpTo(number);
    const events = transfers.map(([from, to, value], logIndex) => {
      return { kind: "erc20" as const, logIndex, token: TOKEN, from, to, value };
    });
    const transactions: DecodedTransaction[] = [
      { transaction: { logs: [] as Log[] } as Transaction, events },
    ];
    const token = { address: TOKEN, symbol: "T", name: null, decimals: 1 };
    const origins = { token: () => token, isWhole: () => isWhole };
    return book.advance({ number, timestamp: 1_000 + number } as Block, transactions, origins);
  };
  const balances = (...transfers: Transfer[]) =>
    next(...transfers).map((row) => [row.wallet_address, row.balance_base]);
  return { book, next, balances };
}

describe("BalanceBook", () => {
  it("gives a row for each balance that a block changes, after the block", () => {
    const { next } = bookOf();
    expect(next([ZERO, ANN, 10n], [ANN, BOB, 4n], [ANN, BOB, 1n])).toEqual([
      {
        wallet_address: ANN,
        token_address: TOKEN,
        token_symbol: "T",
        balance_base: 5n,
        balance_token: 0.5,
        block_number: 7,
        timestamp: 1_007,
        record_index: recordIndexOf(7, 0),
      },
      expect.objectContaining({ wallet_address: BOB, balance_base: 5n, record_index: recordIndexOf(7, 1) }),
    ]);
  });

  it("adds block to block", () => {
    const { balances } = bookOf();
    balances([ZERO, ANN, 10n]);
    expect(balances([ANN, BOB, 3n])).toEqual([
      [ANN, 7n],
      [BOB, 3n],
    ]);
    expect(balances([ANN, ZERO, 7n])).toEqual([[ANN, 0n]]);
  });

  it("gives no row where transfers cancel each other out", () => {
    const { balances } = bookOf();
    balances([ZERO, ANN, 10n]);
    expect(balances([ANN, ANN, 5n], [ANN, BOB, 2n], [BOB, ANN, 2n], [ANN, BOB, 0n])).toEqual([]);
  });

  it("judges a balance at the end of the block: logs may tell of spending before they tell of receiving", () => {
    expect(bookOf().balances([ANN, BOB, 2n], [ZERO, ANN, 5n])).toEqual([
      [ANN, 3n],
      [BOB, 2n],
    ]);
  });

  it("does not know a balance again that transfers would make negative or too large", () => {
    const { balances } = bookOf();
    expect(balances([ANN, BOB, 2n])).toEqual([
      [ANN, null],
      [BOB, 2n],
    ]);
    expect(balances([ZERO, ANN, 9n])).toEqual([[ANN, null]]);
    expect(balances([ZERO, BOB, MAX])).toEqual([[BOB, null]]);
  });

  it("knows no balance of which transfers may be missing", () => {
    expect(bookOf(false).balances([ZERO, ANN, 10n])).toEqual([[ANN, null]]);
  });

  it("counts native coins that are wrapped and unwrapped, which sends no Transfer", () => {
    const topics = (event: string): Hex[] => [keccak256(toBytes(event)), pad(ANN)];
    const log = (event: string, value: bigint, address: Hex = COIN): Log => {
      return { address, topics: topics(event), data: pad(toHex(value)), logIndex: 0 };
    };
    const logs = [
      log("Deposit(address,uint256)", 9n),
      log("Withdrawal(address,uint256)", 2n),
      log("Deposit(address,uint256)", 50n, TOKEN),
      log("Deposit(address,uint256)", 100n),
    ];
    const told = { kind: "erc20" as const, logIndex: 0, token: COIN, from: ZERO, to: ANN, value: 100n };
    const transactions = [{ transaction: { logs } as Transaction, events: [told] }];
    const token = { address: COIN, symbol: "W", name: null, decimals: 18 };
    const origins = { token: () => token, isWhole: () => true };
    const rows = new BalanceBook(COIN).advance({ number: 1, timestamp: 1 } as Block, transactions, origins);
    expect(rows).toMatchObject([{ wallet_address: ANN, token_address: COIN, balance_base: 107n }]);
  });

  it("forgets what was taken back", () => {
    const { book, balances } = bookOf();
    balances([ZERO, ANN, 10n]);
    balances([ZERO, BOB, 10n]);
    expect(book.size).toBe(2);
    book.rollback(7);
    expect(book.size).toBe(1);
    expect(balances([ZERO, ANN, 1n])).toEqual([[ANN, 11n]]);
  });
});
