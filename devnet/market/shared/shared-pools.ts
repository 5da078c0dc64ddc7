import { type Hex, ZERO_ADDRESS } from "../../../src/lib/hex.ts";
import { createAddress, keccak, word } from "../../node/call-data.ts";
import { type Pair, TICK_SPACINGS } from "../pools.ts";
import { type DemoToken, tokenOf, WETH } from "../tokens.ts";
import { MINTER } from "../wallets.ts";

/** Uniswap V4's PoolManager, at its address on mainnet. */
export const V4_MANAGER: Hex = "0x000000000004444c5dc75cb358380d2e3de08a90";
/**
 * Addresses of the first contracts that the minter creates, in this order. They must be known in advance,
 * because they are part of Balancer V2's code.
 */
export const [BALANCER_AUTHORIZER, BALANCER_VAULT, WEIGHTED_FACTORY] = [0, 1, 2].map((nonce) =>
  createAddress(MINTER, nonce),
) as [Hex, Hex, Hex];

const KINDS = { v4: 2n << 160n, weighted: 3n << 160n };
const HAS_ETHER = 1n << 48n;
const ETHER = ZERO_ADDRESS;
// Storage slot of the mapping from ids to pools in the PoolManager (StateLibrary.sol of its package).
const POOLS_SLOT = 6;

/** A pool in the PoolManager. A pool of ether has the wrapped token instead of ether, as in the router. */
export interface V4Pool extends Pair {
  kind: "v4";
  id: Hex;
  /** Words of its key: both currencies, fee, tick spacing and hooks. */
  key: [Hex, Hex, number, number, number];
  /** Storage slot of its price in the PoolManager. */
  slot: Hex;
}

/** A pool of several tokens in the Vault. The tokens are in the order of their addresses. */
interface WeightedPool {
  address: Hex;
  name: string;
  symbol: string;
  tokens: DemoToken[];
  /** Shares of the pool's value, in the order of the tokens. Their sum is 1. */
  weights: number[];
  fee: number;
  usd: number;
}

/** Two tokens of the weighted pool, and their indexes in it. */
export interface WeightedPair extends Pair {
  kind: "weighted";
  places: [number, number];
}

export type SharedPair = V4Pool | WeightedPair;

function v4Pool(pair: string, fee: number, usd: number): V4Pool {
  const currencies = pair
    .split("/")
    .map((symbol): [Hex, DemoToken] =>
      symbol === "ETH" ? [ETHER, WETH] : [tokenOf(symbol).address, tokenOf(symbol)],
    )
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const [[currency0, token0], [currency1, token1]] = currencies as [[Hex, DemoToken], [Hex, DemoToken]];
  const spacing = TICK_SPACINGS[fee] ?? 60;
  const key: V4Pool["key"] = [currency0, currency1, fee, spacing, 0];
  const id = keccak(`0x${key.map(word).join("")}`);
  const slot = keccak(`0x${id.slice(2)}${word(POOLS_SLOT)}`);
  const ether = currency0 === ETHER ? HAS_ETHER : 0n;
  const venue = KINDS.v4 | ether | (BigInt(spacing) << 24n) | BigInt(fee);
  return { kind: "v4", id, key, slot, venue, fee, token0, token1, usd };
}

/** The pool of ether has the same key as the pool on mainnet, and therefore the same id. */
export const V4_POOLS = [v4Pool("ETH/USDC", 500, 4e6), v4Pool("GRANIT/USDC", 3000, 0.5e6)];

const PARTS = { WETH: 0.5, USDC: 0.25, MICA: 0.25 };
const TOKENS_BY_ADDRESS = Object.keys(PARTS)
  .map(tokenOf)
  .sort((a, b) => (a.address < b.address ? -1 : 1));

/** The first pool that its factory creates. */
export const WEIGHTED_POOL: WeightedPool = {
  address: createAddress(WEIGHTED_FACTORY, 1),
  name: "Half ether, a quarter dollars, a quarter mica",
  symbol: "HALF-ETHER",
  tokens: TOKENS_BY_ADDRESS,
  weights: TOKENS_BY_ADDRESS.map(({ symbol }) => PARTS[symbol as keyof typeof PARTS]),
  fee: 3000,
  usd: 2e6,
};

const PLACES: [number, number][] = [
  [0, 1],
  [0, 2],
  [1, 2],
];

const WEIGHTED_PAIRS = PLACES.map((places): WeightedPair => {
  const [token0, token1] = places.map((place) => WEIGHTED_POOL.tokens[place]) as [DemoToken, DemoToken];
  const { address, fee, usd } = WEIGHTED_POOL;
  return { kind: "weighted", places, venue: KINDS.weighted | BigInt(address), fee, token0, token1, usd };
});

/** All pairs that are traded inside contracts with many pools. */
export const SHARED_PAIRS: SharedPair[] = [...V4_POOLS, ...WEIGHTED_PAIRS];
