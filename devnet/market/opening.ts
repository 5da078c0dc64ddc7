import type { Hex } from "../../src/lib/hex.ts";
import type { BlockMaker, Intent } from "../node/block-maker.ts";
import { encodeCall } from "../node/call-data.ts";
import { COLLECTION, ROUTER } from "../node/genesis.ts";
import { BLOCK_GAS_LIMIT } from "../node/node-process.ts";
import {
  addPair,
  addPosition,
  firstPositions,
  pairMaker,
  poolPrice,
  sqrtPriceX96,
  unitsOf,
} from "./liquidity.ts";
import { type DemoPool, POOLS, RUG_POOL, V2_FACTORY, V3_FACTORY } from "./pools.ts";
import { createBalancer, openShared } from "./shared/shared-liquidity.ts";
import { DAI, type DemoToken, RUGGED, STABLES, TOKENS, USDC, USDT, WETH } from "./tokens.ts";
import type { Wallets } from "./wallets.ts";

const ETHER = 10n ** 18n;
const BLOCK_SECONDS = 12;
const SMALL_GAS = 70_000;
const MINT_GAS = 60_000;
const PAIR_GAS = 3_000_000;
const POOL_GAS = 5_500_000;
const EVERYTHING = 2n ** 256n - 1n;
// Initial funds of market makers and arbitrageurs in each token, more than they ever need.
const DEEP_POCKETS_USD = 800e6;
const RETAIL_USD = [4_000, 15_000, 60_000, 250_000];
/** Number of pieces of the collection at the start. Traders mint later pieces. */
export const FIRST_STONES = 40;

type PriceOf = (token: DemoToken) => number;

/** Makes the first blocks. They create and distribute tokens, and create and fill pools. */
export async function openMarket(maker: BlockMaker, wallets: Wallets, priceOf: PriceOf): Promise<void> {
  const intents = [
    ...createBalancer(wallets.minter),
    ...mintTokens(wallets, priceOf),
    ...wrapEther(wallets),
    ...POOLS.map((pool) => createPool(pool, wallets.minter)),
    ...POOLS.flatMap((pool) => fillPool(pool, wallets, priceOf)),
    ...approvePairs(wallets),
    ...openShared(wallets, priceOf),
    ...wallets.retail.slice(0, FIRST_STONES).map((from) => mintStone(from)),
  ];
  for (const block of byGas(intents)) await maker.mine(maker.timestamp + BLOCK_SECONDS, block);
}

/** Splits transactions into blocks that stay within the gas limit. */
function byGas(intents: Intent[]): Intent[][] {
  const blocks: Intent[][] = [[]];
  let gas = 0;
  for (const intent of intents) {
    gas += intent.gas ?? 0;
    if (gas > BLOCK_GAS_LIMIT) {
      blocks.push([]);
      gas = intent.gas ?? 0;
    }
    blocks[blocks.length - 1]?.push(intent);
  }
  return blocks;
}

function mintTokens(wallets: Wallets, priceOf: PriceOf): Intent[] {
  const professionals = [...wallets.makers, ...wallets.arbitrageurs];
  const handOut = (token: DemoToken, owners: Hex[], usd: number): Intent => ({
    from: wallets.minter,
    to: token.address,
    data: encodeCall("mint(address[],uint256)", owners, unitsOf(token, usd, priceOf(token))),
    gas: 100_000 + MINT_GAS * owners.length,
  });
  const made = TOKENS.filter((token) => token !== WETH && token !== RUGGED);
  return [
    ...made.map((token) => handOut(token, professionals, DEEP_POCKETS_USD)),
    handOut(RUGGED, [wallets.rugger], 2 * RUG_POOL.usd),
    handOut(USDC, [wallets.whale], 150e6),
    ...STABLES.map((token) => handOut(token, wallets.trendFollowers, 100_000)),
    ...RETAIL_USD.flatMap((usd, tier) => {
      const owners = wallets.retail.filter((_, at) => at % RETAIL_USD.length === tier);
      const second = tier % 2 === 0 ? USDT : DAI;
      return [handOut(USDC, owners, usd), handOut(second, owners, usd / 2)];
    }),
  ];
}

function wrapEther(wallets: Wallets): Intent[] {
  const amounts: [Hex[], bigint][] = [
    [[...wallets.makers, ...wallets.arbitrageurs], 300_000n],
    [[wallets.whale], 40_000n],
    [[wallets.rugger, wallets.sandwicher, ...wallets.washers], 300n],
    [wallets.trendFollowers, 60n],
    [wallets.retail, 8n],
  ];
  const approve = encodeCall("approve(address,uint256)", ROUTER, EVERYTHING);
  return amounts.flatMap(([owners, ether]) =>
    owners.flatMap((from) => [
      { from, to: WETH.address, data: encodeCall("deposit()"), value: ether * ETHER, gas: SMALL_GAS },
      { from, to: WETH.address, data: approve, gas: SMALL_GAS },
    ]),
  );
}

function createPool(pool: DemoPool, from: Hex): Intent {
  const [a, b] = [pool.token0.address, pool.token1.address];
  if (pool.version === 2) {
    return { from, to: V2_FACTORY, data: encodeCall("createPair(address,address)", a, b), gas: PAIR_GAS };
  }
  const data = encodeCall("createPool(address,address,uint24)", a, b, pool.fee);
  return { from, to: V3_FACTORY, data, gas: POOL_GAS };
}

function fillPool(pool: DemoPool, wallets: Wallets, priceOf: PriceOf): Intent[] {
  if (pool.version === 2) {
    const owner = pool === RUG_POOL ? wallets.rugger : pairMaker(pool, wallets.makers);
    const half = (token: DemoToken): bigint => unitsOf(token, pool.usd / 2, priceOf(token));
    return [addPair(pool, owner, [half(pool.token0), half(pool.token1)])];
  }
  const price = sqrtPriceX96(poolPrice(pool, priceOf));
  const data = encodeCall("initialize(uint160)", price);
  return [
    { from: wallets.minter, to: pool.address, data, gas: 200_000 },
    ...firstPositions(pool, priceOf, wallets.makers).map((position) =>
      addPosition(position, position.liquidity),
    ),
  ];
}

/** Returns the approvals that let makers remove liquidity through the router. */
function approvePairs(wallets: Wallets): Intent[] {
  const data = encodeCall("approve(address,uint256)", ROUTER, EVERYTHING);
  return POOLS.filter((pool) => pool.version === 2).map((pool) => {
    const from = pool === RUG_POOL ? wallets.rugger : pairMaker(pool, wallets.makers);
    return { from, to: pool.address, data, gas: SMALL_GAS };
  });
}

export function mintStone(from: Hex): Intent {
  return { from, to: COLLECTION, data: encodeCall("mint()"), value: ETHER / 50n, gas: 150_000 };
}
