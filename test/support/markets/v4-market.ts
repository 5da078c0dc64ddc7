import { tokenOf, USDC, WETH } from "../../../devnet/market/tokens.ts";
import { encodeCall } from "../../../devnet/node/call-data.ts";
import { CHAIN_ID } from "../../../devnet/node/node-process.ts";
import type { Chain } from "../../../src/chains/chain.ts";
import type { Hex } from "../../../src/lib/hex.ts";
import {
  initializing,
  keyOf,
  NATIVE_COIN,
  poolIdOf,
  providing,
  sqrtPriceOf,
  startV4Node,
  swapping,
  type V4Key,
  type V4Node,
  type V4Range,
  type V4Swap,
} from "./uniswap-v4.ts";

const BASALT = tokenOf("BASALT").address;
const CHERT = tokenOf("CHERT").address;
const ETHER = 10n ** 18n;

/**
 * Pools of ether and dollars, with fees of 0.05 % and 1 %. The first has an unusual tick spacing, so its key
 * cannot be guessed from transfers.
 */
export const ETHER_POOL = keyOf(NATIVE_COIN, USDC.address, { fee: 500, tickSpacing: 2 });
export const DEAR_POOL = keyOf(NATIVE_COIN, USDC.address, { fee: 10_000, tickSpacing: 200 });
/**
 * A pool of two tokens without fees, so that the pool's amounts are the PoolManager's balances. Its tick
 * spacing is also unusual.
 */
export const FREE_POOL = keyOf(BASALT, CHERT, { fee: 0, tickSpacing: 30 });
/** A pool of the native coin against its wrapped token. */
export const WRAP_POOL = keyOf(NATIVE_COIN, WETH.address, { fee: 100, tickSpacing: 1 });

/** Returns a chain with one PoolManager. */
export const v4Chain = (name: string, manager: Hex): Chain => ({
  ...{ name, chainId: CHAIN_ID, nativeSymbol: "ETH", wrappedNative: WETH.address, blockTimeMs: 2_000 },
  ...{
    stableCoins: [USDC.address],
    referencePools: [poolIdOf(ETHER_POOL)],
    finality: { kind: "depth", blocks: 4 },
  },
  deployments: [
    {
      ...{ protocol: "uniswap_v4", family: "uniswap-v4", factory: manager },
      ...{ initCodeHash: null, fee: null, firstBlock: 0 },
    },
  ],
});

/** The PoolManager's balance of each currency, in base units. */
export type Balances = Record<Hex, bigint>;

export interface Mark {
  block: number;
  timestamp: number;
  balances: Balances;
}

export interface PlayedSwap extends Mark {
  key: V4Key;
  /** The amount of each currency that the PoolManager received. Negative if it paid. */
  gained: Balances;
}

export interface V4Market {
  node: V4Node;
  /** The swaps in the pools of the chain's PoolManager. */
  swaps: PlayedSwap[];
  /**
   * States of the pool without fees: after liquidity was added, after each swap, and after most of it was
   * removed.
   */
  marks: Mark[];
  /** States before and after the collection of all fees of the ether pool. */
  collection: [before: Mark, after: Mark];
}

/**
 * Trades in three pools of the chain's PoolManager, and in a pool of another PoolManager with the same key as
 * the first.
 */
export async function playV4Market(): Promise<V4Market> {
  const node = await startV4Node([USDC.address, BASALT, CHERT]);
  await node.send(WETH.address, encodeCall("deposit()"), 1_000n * ETHER);
  for (const spender of [node.exchange.swapper, node.exchange.provider])
    await node.send(WETH.address, encodeCall("approve(address,uint256)", spender, 2n ** 255n));
  const first = await playEther(node);
  const second = await playFree(node);
  await create(node, WRAP_POOL, 1);
  await provide(node, WRAP_POOL, { tickLower: -100, tickUpper: 100, liquidity: 10n ** 18n });
  const last = await swap(node, WRAP_POOL, { zeroForOne: true, amount: -1_000n });
  const faked = { ...node, exchange: node.fake };
  await create(faked, ETHER_POOL, 1500e-12);
  await provide(faked, ETHER_POOL, WIDE);
  await swap(faked, ETHER_POOL, { zeroForOne: true, amount: -ETHER });
  return {
    ...{ node, swaps: [...first.swaps, ...second.swaps, last] },
    ...{ marks: second.marks, collection: first.collection },
  };
}

const WIDE = { tickLower: -887_270, tickUpper: 887_270, liquidity: 10n ** 15n };

async function playEther(node: V4Node): Promise<Pick<V4Market, "swaps" | "collection">> {
  await create(node, ETHER_POOL, 3000e-12);
  const near = { tickLower: -197_000, tickUpper: -195_500, liquidity: 10n ** 17n };
  const above = { tickLower: -195_000, tickUpper: -194_000, liquidity: 10n ** 16n };
  for (const range of [WIDE, near, above]) await provide(node, ETHER_POOL, range);
  const swaps = [
    await swap(node, ETHER_POOL, { zeroForOne: true, amount: -ETHER }),
    await swap(node, ETHER_POOL, { zeroForOne: false, amount: -5_000_000_000n }),
  ];
  const newest = await swap(node, ETHER_POOL, { zeroForOne: true, amount: 100_000_000n });
  for (const range of [WIDE, near]) await provide(node, ETHER_POOL, { ...range, liquidity: 0n });
  const collected = await provide(node, ETHER_POOL, { ...above, liquidity: 0n });
  return { swaps: [...swaps, newest], collection: [newest, collected] };
}

async function playFree(node: V4Node): Promise<Pick<V4Market, "swaps" | "marks">> {
  const near = { tickLower: -46_200, tickUpper: -45_900, liquidity: 3n * 10n ** 23n };
  await create(node, FREE_POOL, 0.01);
  const provided = await provide(node, FREE_POOL, {
    ...{ tickLower: -60_000, tickUpper: -30_000, liquidity: 10n ** 22n },
  });
  await provide(node, FREE_POOL, near);
  const swaps: PlayedSwap[] = [];
  for (let i = 0; i < 6; i++) {
    const amount = -(10n ** 20n) * BigInt(7 * i + 1);
    // Ensures that the pool's log is not the first in its block.
    if (i === 3) await node.queue(CHERT, encodeCall("approve(address,uint256)", node.trader, 1n));
    swaps.push(await swap(node, FREE_POOL, { zeroForOne: i % 2 === 0, amount }));
  }
  const emptied = await provide(node, FREE_POOL, { ...near, liquidity: -near.liquidity });
  return { swaps, marks: [provided, ...swaps, emptied] };
}

export function create({ send, exchange }: V4Node, key: V4Key, price: number) {
  return send(exchange.manager, initializing(key, sqrtPriceOf(price)));
}

export async function provide(node: V4Node, key: V4Key, range: V4Range): Promise<Mark> {
  const pays = key.currency0 === NATIVE_COIN && range.liquidity > 0n;
  const data = providing(key, range);
  const { block, timestamp } = await node.send(node.exchange.provider, data, pays ? 1_000n * ETHER : 0n);
  return { block, timestamp, balances: await balancesOf(node) };
}

export async function swap(node: V4Node, key: V4Key, order: V4Swap): Promise<PlayedSwap> {
  const before = await balancesOf(node);
  const pays = key.currency0 === NATIVE_COIN && order.zeroForOne;
  const data = swapping(key, order);
  const { block, timestamp } = await node.send(node.exchange.swapper, data, pays ? 100n * ETHER : 0n);
  const balances = await balancesOf(node);
  const gained = Object.fromEntries(
    Object.entries(balances).map(([token, amount]) => [token, amount - (before[token as Hex] ?? 0n)]),
  );
  return { block, timestamp, balances, key, gained };
}

async function balancesOf({ rpc, read, exchange: { manager } }: V4Node): Promise<Balances> {
  const found: Balances = { [NATIVE_COIN]: BigInt(await rpc<Hex>("eth_getBalance", manager, "latest")) };
  for (const token of [USDC.address, BASALT, CHERT, WETH.address])
    found[token] = BigInt(await read(token, encodeCall("balanceOf(address)", manager)));
  return found;
}
