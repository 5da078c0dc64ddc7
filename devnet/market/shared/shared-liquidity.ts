import { type Hex, ZERO_ADDRESS } from "../../../src/lib/hex.ts";
import type { Intent } from "../../node/block-maker.ts";
import { encodeCall } from "../../node/call-data.ts";
import { ROUTER } from "../../node/genesis.ts";
import { balancerCreations } from "../../node/published-code.ts";
import { firstPositions, type Position, poolPrice, sqrtPriceX96, unitsOf } from "../liquidity.ts";
import { type DemoToken, WETH } from "../tokens.ts";
import type { Wallets } from "../wallets.ts";
import {
  BALANCER_AUTHORIZER,
  BALANCER_VAULT,
  V4_MANAGER,
  V4_POOLS,
  type V4Pool,
  WEIGHTED_FACTORY,
  WEIGHTED_POOL,
} from "./shared-pools.ts";

const CREATION_GAS = 9_000_000;
const OPENING_GAS = 700_000;
const CHANGE_GAS = 600_000;
const EVERYTHING = 2n ** 256n - 1n;

/**
 * Returns the transactions that create the contracts of Balancer V2. These must be the minter's first
 * transactions, because their nonces determine the addresses.
 */
export function createBalancer(minter: Hex): Intent[] {
  const parts = { authorizer: BALANCER_AUTHORIZER, wrapped: WETH.address, vault: BALANCER_VAULT };
  return balancerCreations(minter, parts).map((data) => ({
    from: minter,
    to: null,
    data,
    gas: CREATION_GAS,
  }));
}

/** Returns the transactions that create the pools inside the PoolManager and the Vault, and fill them. */
export function openShared(wallets: Wallets, usdOf: (token: DemoToken) => number): Intent[] {
  const { minter, makers } = wallets;
  return [
    ...V4_POOLS.flatMap((pool) => [
      initialize(pool, minter, usdOf),
      ...firstPositions(pool, usdOf, makers).map((range) => changeRange(range, range.liquidity)),
    ]),
    createWeighted(minter),
    joinWeighted(
      weightedMaker(makers),
      WEIGHTED_POOL.tokens.map((token, place) =>
        unitsOf(token, WEIGHTED_POOL.usd * (WEIGHTED_POOL.weights[place] ?? 0), usdOf(token)),
      ),
    ),
    approveExits(weightedMaker(makers)),
  ];
}

function initialize(pool: V4Pool, from: Hex, usdOf: (token: DemoToken) => number): Intent {
  const signature = "initialize((address,address,uint24,int24,address),uint160)";
  const data = encodeCall(signature, ...pool.key, sqrtPriceX96(poolPrice(pool, usdOf)));
  return { from, to: V4_MANAGER, data, gas: OPENING_GAS };
}

/**
 * Returns a transaction that adds liquidity to a range of a V4 pool. If `liquidity` is negative, the
 * transaction removes it together with the range's fees.
 */
export function changeRange({ pool, owner, lower, upper }: Position<V4Pool>, liquidity: bigint): Intent {
  const signature = "changeV4(uint256,address,address,int24,int24,int256)";
  const tokens = [pool.token0.address, pool.token1.address] as const;
  const data = encodeCall(signature, pool.venue, ...tokens, lower, upper, liquidity);
  return { from: owner, to: ROUTER, data, gas: CHANGE_GAS };
}

/** Returns the transaction that creates the weighted pool. The factory determines the pool's address. */
export function createWeighted(from: Hex): Intent {
  const { name, symbol, tokens, weights, fee } = WEIGHTED_POOL;
  // The contract takes shares and fee in 18 decimals. The fee of `WEIGHTED_POOL` is in millionths.
  const shares = weights.map((weight) => BigInt(weight * 100) * 10n ** 16n);
  const data = encodeCall(
    "create(string,string,address[],uint256[],uint256,address)",
    { text: name },
    { text: symbol },
    tokens.map(({ address }) => address),
    shares,
    BigInt(fee) * 10n ** 12n,
    ZERO_ADDRESS,
  );
  return { from, to: WEIGHTED_FACTORY, data, gas: CREATION_GAS };
}

/** Returns the liquidity provider of the weighted pool. */
export function weightedMaker(makers: Hex[]): Hex {
  return makers[0] as Hex;
}

/**
 * Returns a transaction that adds liquidity to the weighted pool. `amounts` are in the order of its tokens.
 */
export function joinWeighted(from: Hex, amounts: bigint[]): Intent {
  const data = encodeCall("joinWeighted(address,uint256[])", WEIGHTED_POOL.address, amounts);
  return { from, to: ROUTER, data, gas: OPENING_GAS };
}

/**
 * Returns a transaction that removes liquidity from the weighted pool. `share` is in millionths of the
 * maker's liquidity.
 */
export function exitWeighted(from: Hex, share: number): Intent {
  const data = encodeCall("exitWeighted(address,uint256)", WEIGHTED_POOL.address, share);
  return { from, to: ROUTER, data, gas: CHANGE_GAS };
}

/** Returns the approval that lets the maker remove liquidity through the router. */
function approveExits(from: Hex): Intent {
  const data = encodeCall("approve(address,uint256)", ROUTER, EVERYTHING);
  return { from, to: WEIGHTED_POOL.address, data, gas: 70_000 };
}
