import { describe, expect, it } from "vitest";
import type { Hex } from "../../lib/hex.ts";
import type { Block, Transaction } from "../../schema/block.ts";
import { EVERYTHING } from "../../schema/scope.ts";
import type { Pool } from "../../schema/swap.ts";
import { rowsOfBlock } from "../rows/rows-of-block.ts";
import { BalanceCache } from "./balance-cache.ts";
import { balanceChanges } from "./balance-changes.ts";
import { PoolCache } from "./pool-cache.ts";
import { recordBlock } from "./record-block.ts";
import { TokenCache } from "./token-cache.ts";

const address = (digit: string): Hex => `0x${digit.repeat(40)}`;
const [ZERO, ANN, BOB, TOKEN, POOL] = ["0", "a", "b", "e", "f"].map(address) as [Hex, Hex, Hex, Hex, Hex];

const transaction: Transaction = {
  ...{ hash: `0x${"1".repeat(64)}`, transactionIndex: 0, from: ANN, to: null, contractAddress: null },
  ...{ value: 0n, nonce: 0, input: "0x", type: 0, gasLimit: 1n, gasUsed: 1, gasPrice: 1n, fee: 1n },
  ...{ maxFeePerGas: null, maxPriorityFeePerGas: null, status: 1, logs: [] },
};

const pool: Pool = {
  ...{ address: POOL, family: "uniswap-v3", protocol: "uniswap_v3", factory: address("9"), fee: 3000 },
  ...{
    token0: TOKEN,
    token1: address("d"),
    tokens: [TOKEN, address("d")],
    underlying: [],
    createdBlock: 100,
    createdTimestamp: 1,
    hooks: null,
    hookFlags: null,
  },
};

/**
 * Makes an index that begins at block 100 instead of at the start of the chain. `next` records a block and
 * returns values of its rows.
 */
function lateIndex() {
  const caches = { pools: new PoolCache(10), tokens: new TokenCache(10), balances: new BalanceCache(10) };
  let number = 99;
  const next = (created: Partial<Transaction>, transfers: [from: Hex, to: Hex, value: bigint][]) => {
    number++;
    for (const cache of Object.values(caches)) cache.advanceTo(number);
    const block = {
      ...{ number, timestamp: number },
      transactions: [{ ...transaction, ...created }],
    } as Block;
    const events = transfers.map(([from, to, value], logIndex) => {
      return { kind: "erc20" as const, logIndex, token: TOKEN, from, to, value };
    });
    const transactions = block.transactions.map((one) => ({ transaction: one, events, wrappings: [] }));
    const decoded = { block, transactions, singletonLogs: [], foundPools: new Map(), leftOut: new Map() };
    const priced = { trades: [], transferUsd: new Map<number, null>(), feeUsd: [] };
    const recorded = recordBlock(decoded, balanceChanges(transactions, address("c")), caches, false);
    const rows = rowsOfBlock(decoded, priced, recorded, {
      tokenAt: (token) => caches.tokens.get(token),
      scope: EVERYTHING,
      numbering: "wide",
      singletons: [],
    });
    return {
      created: rows.token_metadata?.map(({ is_born }) => is_born),
      balances: rows.token_balances?.map((row) => [row.wallet_address, row.balance_base]),
      counted: rows.blocks?.[0]?.balance_count,
    };
  };
  const rollBackTo = (newest: number) => {
    number = newest;
    for (const cache of Object.values(caches)) cache.rollbackTo({ number });
  };
  return { caches, next, rollBackTo };
}

describe("balances of an index that does not begin at the start of the chain", () => {
  it("are known of a token that a transaction of its first block creates", () => {
    const { next } = lateIndex();
    const first = next({ contractAddress: TOKEN }, [[ZERO, ANN, 9n]]);
    expect(first).toEqual({ created: [1], balances: [[ANN, 9n]], counted: 1 });
    expect(next({}, [[ANN, BOB, 4n]]).balances).toEqual([
      [ANN, 5n],
      [BOB, 4n],
    ]);
  });

  it("are not known of a token that may be older, nor of one whose creation failed", () => {
    const { next } = lateIndex();
    expect(next({}, [[ZERO, ANN, 9n]])).toEqual({ created: [0], balances: [[ANN, null]], counted: 1 });
    expect(next({ contractAddress: TOKEN }, [[ZERO, BOB, 9n]]).balances).toEqual([[BOB, null]]);
    const failed = lateIndex().next({ contractAddress: TOKEN, status: 0 }, [[ZERO, ANN, 9n]]);
    expect(failed.created).toEqual([0]);
  });

  it("are known of a pool whose creation is indexed, from its creation on", () => {
    const { caches, next } = lateIndex();
    caches.pools.set(POOL, pool);
    expect(next({}, [[ANN, POOL, 3n]]).balances).toEqual([
      [ANN, null],
      [POOL, 3n],
    ]);
    const early = lateIndex();
    early.caches.pools.set(POOL, { ...pool, createdBlock: 101 });
    expect(early.next({}, [[ANN, POOL, 3n]]).balances?.[1]).toEqual([POOL, null]);
  });
});

describe("a reorg of the block with a token's first transfer", () => {
  it("writes the token's row again, although an earlier block has loaded the token", () => {
    const { caches, next, rollBackTo } = lateIndex();
    caches.tokens.advanceTo(99);
    caches.tokens.addAll([{ address: TOKEN, symbol: "TOK", name: "Token", decimals: 6 }]);
    next({}, []);
    const first = next({ contractAddress: TOKEN }, [[ZERO, ANN, 9n]]);
    expect(first.created).toEqual([1]);
    rollBackTo(100);
    expect(next({}, [[ZERO, ANN, 9n]])).toEqual({ ...first, created: [0], balances: [[ANN, null]] });
    rollBackTo(101);
    expect(next({}, [[ANN, BOB, 4n]]).created).toEqual([]);
  });
});
