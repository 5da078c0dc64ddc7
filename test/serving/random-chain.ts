import { commitTrades, ETH, hashOf, hexOf, type Trade } from "../../src/reads/support/market.ts";
import type { Rows } from "../../src/schema/tables.ts";
import type { ChainStore, Commit } from "../../src/storage/store.ts";
import type { Random } from "./random.ts";
import { FACTORY, RANDOM_POOLS, RandomPools, TOKENS } from "./random-pools.ts";
import { randomRecords } from "./random-records.ts";

/** A token that never traded. */
export const UNKNOWN_TOKEN = hexOf(0xdead);
export const POOLS = RANDOM_POOLS.map(({ pool }) => pool);
export const TRADERS = Array.from({ length: 8 }, (_, i) => hexOf(0xc00 + i));
export { ETH, TOKENS };

const START = 1_706_700_000;
const FIRST_BLOCK = 1000;
/** Maximum time between blocks. It is long, so a chain of a few hundred blocks spans months. */
const MAX_GAP_SECONDS = 20_000;
const MAX_TRADES_PER_COMMIT = 12;
const MAX_REORG_BLOCKS = 4;

/** A chain that grows and rolls back at random. The same seed gives the same chain. */
export class RandomChain {
  readonly #store: ChainStore;
  readonly #random: Random;
  readonly #blocks: { at: number; fork: number }[] = [];
  readonly #pools: RandomPools;
  #fork = 0;

  constructor(store: ChainStore, random: Random) {
    this.#store = store;
    this.#random = random;
    this.#pools = new RandomPools(random);
  }

  /** Time of the newest block, in Unix seconds. */
  get now(): number {
    return this.#blocks.at(-1)?.at ?? START;
  }

  /** Usually commits a few blocks, and sometimes rolls some back. */
  step(): Promise<Commit> {
    const isRollback = this.#blocks.length > MAX_REORG_BLOCKS && this.#random.below(5) === 0;
    return isRollback ? this.#rollback() : this.#extend();
  }

  async #extend(): Promise<Commit> {
    const random = this.#random;
    const firstBlock = FIRST_BLOCK + this.#blocks.length;
    let at = this.now;
    const trades = Array.from({ length: 1 + random.below(MAX_TRADES_PER_COMMIT) }, (): Trade => {
      at += random.below(3) === 0 ? 1 + random.below(MAX_GAP_SECONDS) : 0;
      // The first block often has the same time as the block before it, as on chains with several blocks a
      // second.
      return this.#trade(Math.max(at, this.now));
    });
    const times = new Set(trades.map((trade) => trade.at));
    this.#blocks.push(...[...times].map((time) => ({ at: time, fork: this.#fork })));
    const places = [...times].map((time, i) => ({ number: firstBlock + i, at: time }));
    return commitTrades(this.#store, trades, {
      firstBlock,
      fork: this.#fork,
      named: firstBlock === FIRST_BLOCK ? TOKENS.slice(0, 6) : [],
      finalized: firstBlock - MAX_REORG_BLOCKS - 1,
      // Some blocks do not name the singletons whose logs are stored, as if an earlier version had stored the
      // blocks.
      logged: (block) => ((block + this.#fork) % 30 === 0 ? "" : FACTORY),
      rows: joined(this.#pools.rowsOf(places), randomRecords(random, firstBlock, [...times])),
    });
  }

  #trade(at: number): Trade {
    const random = this.#random;
    const { pool, tokens, underlying } = random.pick(RANDOM_POOLS);
    const price = random.below(10) === 0 ? null : (1 + random.below(50)) / 8;
    return {
      at,
      token: random.pick([...tokens, ...underlying]),
      pool,
      trader: random.pick(TRADERS),
      side: random.below(2) === 0 ? "buy" : "sell",
      price,
      robust: random.below(4) === 0 ? null : price,
      usd: random.below(10) === 0 ? null : random.below(100_000) / 7,
    };
  }

  #rollback(): Promise<Commit> {
    this.#blocks.splice(-1 - this.#random.below(MAX_REORG_BLOCKS));
    const number = FIRST_BLOCK + this.#blocks.length - 1;
    const { at, fork } = this.#blocks.at(-1) ?? { at: START, fork: 0 };
    this.#fork++;
    this.#pools.rollbackTo(number);
    return this.#store.rollback({ number, hash: hashOf(number, fork), timestamp: at });
  }
}

/** Joins two sets of rows, in chain order in each table. */
function joined(one: Rows, other: Rows): Rows {
  const tables = new Set([...Object.keys(one), ...Object.keys(other)]) as Set<keyof Rows>;
  const rowsOf = (table: keyof Rows) =>
    [...(one[table] ?? []), ...(other[table] ?? [])].sort((a, b) => a.record_index - b.record_index);
  return Object.fromEntries([...tables].map((table) => [table, rowsOf(table)]));
}
