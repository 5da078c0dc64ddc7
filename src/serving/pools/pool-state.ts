import type { Hex } from "../../lib/hex.ts";
import { type TokensOfPool, tradedTokens } from "../../schema/pool-tokens.ts";
import { PRICE_WORDS, SINGLETON_EVENTS } from "../../schema/singleton-events.ts";
import type { RowOf } from "../../schema/tables.ts";
import type { PoolLiquidity } from "./pool-liquidity.ts";
import { type VaultBalances, withVaultLog } from "./vaults/vault-balances.ts";

/** Reserves that a pool reports, in base units. */
export interface Reserves {
  reserve0: bigint;
  reserve1: bigint;
}

export interface NewestTrade {
  blockNumber: number;
  /** Unix seconds. */
  tradedAt: number;
}

/**
 * A balance in base units: null if transfers do not determine it, undefined if no transfer has changed it
 * yet.
 */
export type HeldBalance = bigint | null | undefined;

/** The price and the positions of a singleton's pool. */
export interface SingletonState {
  /** Square root of the price, Q64.96; undefined before the pool's creation. */
  sqrtPrice: bigint | undefined;
  liquidity: PoolLiquidity;
}

/** The known state of a pool. Each change makes a new object; only the liquidity is changed in place. */
export interface PoolState extends TokensOfPool {
  pool: Hex;
  family: string;
  factory: Hex;
  /** Null if the pool was created before the first indexed block. */
  createdBlock: number | null;
  newestTrade: NewestTrade | null;
  /** The last reserves of a V2 pair or a stable Trident pool; undefined before its first Sync. */
  reserves: Reserves | undefined;
  /**
   * Balances of the tokens according to transfers, in the pool's order. All are undefined if the pool has
   * reserves.
   */
  held: readonly HeldBalance[];
  /** Undefined for a pool that is not in a singleton, or whose earlier liquidity changes are missing. */
  singleton: SingletonState | undefined;
  /**
   * Undefined for a pool that is in no Balancer Vault, Ekubo Core or BinPoolManager, or whose earlier changes
   * are missing.
   */
  inVault: VaultBalances | undefined;
}

export function withTrade(state: PoolState, trade: RowOf<"dex_trades">): PoolState {
  if (tradedTokens(state)?.includes(trade.token_address) === false) return state;
  return { ...state, newestTrade: { blockNumber: trade.block_number, tradedAt: trade.timestamp } };
}

export function withReserves(state: PoolState, { data }: RowOf<"logs">): PoolState {
  const reserves = { reserve0: unsignedAt(data, 0), reserve1: unsignedAt(data, 1) };
  return { ...state, reserves, held: state.tokens.map(() => undefined) };
}

export function withBalance(state: PoolState, row: RowOf<"token_balances">): PoolState {
  const { tokens, held, reserves } = state;
  if (reserves !== undefined) return state;
  const changed = tokens.map((token, i) => (token === row.token_address ? row.balance_base : held[i]));
  return { ...state, held: changed };
}

export function withSingletonLog(state: PoolState, log: RowOf<"singleton_logs">): PoolState {
  const { singleton } = state;
  if (singleton === undefined) return state;
  const { topic_0, data } = log;
  if (topic_0 === SINGLETON_EVENTS.modifyLiquidity) {
    const net = signedAt(data, 2);
    singleton.liquidity.add({ tick: Number(signedAt(data, 0)), net });
    singleton.liquidity.add({ tick: Number(signedAt(data, 1)), net: -net });
    return { ...state };
  }
  const word = PRICE_WORDS.get(topic_0);
  if (word === undefined) return state;
  return { ...state, singleton: { ...singleton, sqrtPrice: unsignedAt(data, word) } };
}

export function withLogOfVault(state: PoolState, log: RowOf<"logs">): PoolState {
  const { inVault } = state;
  if (!inVault?.emitters.includes(log.address)) return state;
  return { ...state, inVault: withVaultLog(inVault, log) };
}

/** Reads a word of a log's data as an unsigned integer. */
function unsignedAt(data: Hex, word: number): bigint {
  const start = 2 + 64 * word;
  return BigInt(`0x${data.slice(start, start + 64)}`);
}

function signedAt(data: Hex, word: number): bigint {
  return BigInt.asIntN(256, unsignedAt(data, word));
}
