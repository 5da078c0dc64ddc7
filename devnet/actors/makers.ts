import {
  addPair,
  addPosition,
  firstPositions,
  pairMaker,
  removePair,
  removePosition,
} from "../market/liquidity.ts";
import { RUG_POOL } from "../market/pools.ts";
import type { PoolState, View } from "../market/view.ts";
import type { Intent } from "../node/block-maker.ts";

const BLOCK_CHANCE = 0.3;
// Number of parts of a position or of a pair's liquidity. Providers add or remove one part at a time.
const PARTS = 25n;

/**
 * In some blocks, returns transactions in which a liquidity provider adds to a position or a pair, or removes
 * a part of it. Fees are collected when a part of a position is removed.
 */
export function makeMarkets(view: View): Intent[] {
  const { random } = view;
  if (!random.chance(BLOCK_CHANCE)) return [];
  const state = random.pick(view.pools.filter(({ pool }) => pool !== RUG_POOL));
  return state.pool.version === 3 ? changePosition(state, view) : changePair(state, view);
}

function changePosition({ pool }: PoolState, view: View): Intent[] {
  const position = view.random.pick(firstPositions(pool, view.firstUsd, view.wallets.makers));
  const part = position.liquidity / PARTS;
  return view.random.chance(0.5) ? [addPosition(position, part)] : removePosition(position, part);
}

function changePair({ pool, reserves }: PoolState, view: View): Intent[] {
  const owner = pairMaker(pool, view.wallets.makers);
  if (view.random.chance(0.5)) return [removePair(pool, owner, 1_000_000 / Number(PARTS))];
  return [addPair(pool, owner, [reserves[0] / PARTS, reserves[1] / PARTS])];
}
