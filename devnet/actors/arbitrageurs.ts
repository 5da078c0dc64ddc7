import { poolPrice, sqrtPriceX96 } from "../market/liquidity.ts";
import { RUG_POOL } from "../market/pools.ts";
import { TAXED } from "../market/tokens.ts";
import type { PoolState, SharedState, View } from "../market/view.ts";
import type { Intent } from "../node/block-maker.ts";
import { encodeCall } from "../node/call-data.ts";
import { ROUTER } from "../node/genesis.ts";

const ALIGN_GAS = 900_000;
const TAX = 0.012;
// Maximum number of trades in a block. The best opportunities come first.
const MOST = 3;

/**
 * Returns trades that bring pools back to the hidden price if their price deviates by more than a trade
 * costs: the fee, a small margin, and the tax of a taxed token.
 */
export function arbitrage(view: View): Intent[] {
  const pools = view.pools.filter(({ pool }) => pool !== RUG_POOL);
  return worthAligning(pools, view, MOST).map((state) => align(state, view));
}

type State = PoolState | SharedState;

/** Returns the pools whose price deviates by more than a trade costs, best opportunities first. */
export function worthAligning<S extends State>(states: S[], view: View, most: number): S[] {
  return states
    .map((state) => ({ state, gain: deviation(state, view) / cost(state) }))
    .filter(({ gain }) => gain > 1)
    .sort((a, b) => b.gain - a.gain)
    .slice(0, most)
    .map(({ state }) => state);
}

function deviation({ pool, price }: State, view: View): number {
  return Math.abs(Math.log(price / poolPrice(pool, view.usd)));
}

function cost({ pool }: State): number {
  const tax = pool.token0 === TAXED || pool.token1 === TAXED ? TAX : 0;
  return pool.fee / 1e6 + tax + 0.0002;
}

function align({ pool, price }: PoolState, view: View): Intent {
  const wanted = poolPrice(pool, view.usd);
  const [sold, bought] = price > wanted ? [pool.token0, pool.token1] : [pool.token1, pool.token0];
  const signature = `alignV${pool.version}(address,address,address,uint160)`;
  const target = sqrtPriceX96(wanted);
  const data = encodeCall(signature, pool.address, sold.address, bought.address, target);
  return { from: view.random.pick(view.wallets.arbitrageurs), to: ROUTER, data, gas: ALIGN_GAS };
}
