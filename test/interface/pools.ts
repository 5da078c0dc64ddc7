import { POOLS } from "../../devnet/market/pools.ts";
import { STABLES, WETH } from "../../devnet/market/tokens.ts";
import { encodeCall, keccakText } from "../../devnet/node/call-data.ts";
import type { Hex } from "../../src/lib/hex.ts";
import { once, type TradeRow, the } from "./support/service.ts";

interface PoolToken {
  address: Hex;
  decimals: number;
}

export interface Pool {
  address: Hex;
  version: 2 | 3;
  token0: PoolToken;
  token1: PoolToken;
}

export interface PoolTvl {
  pool_address: string;
  block_number: number | null;
  timestamp: number | null;
  token_0_address: string | null;
  token_1_address: string | null;
  token_0_balance: number | null;
  token_1_balance: number | null;
  token_0_price_usd: number | null;
  token_1_price_usd: number | null;
  token_0_balance_usd: number | null;
  token_1_balance_usd: number | null;
  tvl_usd: number | null;
  liquidity_usd: number | null;
}

/** The time and the price type of a TVL, and the trades and blocks of the chain. */
export interface Look {
  at: number;
  type?: string;
  trades?: readonly TradeRow[];
  /** The newest block of the chain. Default: the node's newest block. */
  newest?: number;
}

const SWAPS = [
  "Swap(address,uint256,uint256,uint256,uint256,address)",
  "Swap(address,address,int256,int256,uint160,uint128,int24)",
].map(keccakText);

/** Returns the demo's pools and OAK's pool. */
export function allPools(): Pool[] {
  const { token, pool } = the().oak;
  const sides = [WETH, { address: token, decimals: 18 }].toSorted((a, b) => (a.address < b.address ? -1 : 1));
  const [token0 = WETH, token1 = WETH] = sides;
  return [...POOLS, { address: pool, version: 2, token0, token1 }];
}

const hex = (value: number): Hex => `0x${value.toString(16)}`;

/** Reads the time of each block from the node. */
export const blockTimes = once(async () => {
  const { number } = await the().node.head();
  const times: number[] = [];
  for (let block = 0; block <= number; block++) {
    const { timestamp } = await the().node.rpc<{ timestamp: Hex }>("eth_getBlockByNumber", hex(block), false);
    times.push(Number(timestamp));
  }
  return times;
});

const swapBlocks = once(async () => {
  const range = { fromBlock: "0x0", toBlock: "latest", topics: [SWAPS] };
  const logs = await the().node.rpc<{ address: Hex; blockNumber: Hex }[]>("eth_getLogs", range);
  return logs.map(({ address, blockNumber }) => ({ pool: address, block: Number(blockNumber) }));
});

const call = (to: Hex, data: Hex, block: number) => the().node.rpc<Hex>("eth_call", { to, data }, hex(block));

/**
 * Reads a pool's balances in base units from its own contract or from its tokens. Returns null before the
 * pool is deployed.
 */
async function contractBalances(pool: Pool, block: number): Promise<[bigint, bigint] | null> {
  if ((await the().node.rpc<Hex>("eth_getCode", pool.address, hex(block))) === "0x") return null;
  if (pool.version === 2) {
    const reserves = await call(pool.address, encodeCall("getReserves()"), block);
    const [reserve0, reserve1] = reserves.slice(2).match(/.{64}/g) ?? [];
    return [BigInt(`0x${reserve0}`), BigInt(`0x${reserve1}`)];
  }
  const data = encodeCall("balanceOf(address)", pool.address);
  const [held0, held1] = [
    await call(pool.token0.address, data, block),
    await call(pool.token1.address, data, block),
  ];
  return [BigInt(held0), BigInt(held1)];
}

/** Cache of balances. They stay valid, because the state at a past block never changes. */
const balancesOf = new Map<string, Promise<[bigint, bigint] | null>>();

export function balancesAt(pool: Pool, block: number): Promise<[bigint, bigint] | null> {
  const key = `${pool.address} ${block}`;
  const balances = balancesOf.get(key) ?? contractBalances(pool, block);
  balancesOf.set(key, balances);
  return balances;
}

function priceInForce({ address }: PoolToken, { at, type = "price_token_usd_tick_1", trades }: Look) {
  const last = (trades ?? the().trades).findLast(
    (row) => row.token_address === address && row.at <= at && row[type] !== null,
  );
  return last === undefined ? null : (last[type] as number);
}

const product = (a: number | null, b: number | null) => (a === null || b === null ? null : a * b);
const CASH = [...STABLES, WETH].map(({ address }) => address);

/** Computes a pool's TVL from its balances on the node and the prices in the rows of trades. */
export async function tvlOf(pool: Pool, look: Look): Promise<PoolTvl> {
  const times = (await blockTimes()).slice(0, (look.newest ?? Infinity) + 1);
  const block = times.findLastIndex((time) => time <= look.at);
  const swaps = (await swapBlocks()).filter((swap) => swap.pool === pool.address && swap.block <= block);
  const newestSwap = swaps.at(-1)?.block ?? null;
  const held = await balancesAt(pool, block);
  const [side0, side1] = ([pool.token0, pool.token1] as const).map((token, i) => {
    const balance = held === null ? null : Number(`${held[i]}e-${token.decimals}`);
    const price = priceInForce(token, look);
    return { token: token.address, balance, price, usd: product(balance, price) };
  }) as [Side, Side];
  const cash = CASH.find((one) => one === side0.token || one === side1.token);
  return {
    pool_address: pool.address,
    block_number: newestSwap,
    timestamp: newestSwap === null ? null : (times[newestSwap] ?? null),
    token_0_address: side0.token,
    token_1_address: side1.token,
    token_0_balance: side0.balance,
    token_1_balance: side1.balance,
    token_0_price_usd: side0.price,
    token_1_price_usd: side1.price,
    token_0_balance_usd: side0.usd,
    token_1_balance_usd: side1.usd,
    tvl_usd: side0.usd === null || side1.usd === null ? null : side0.usd + side1.usd,
    liquidity_usd: cash === undefined ? null : cash === side0.token ? side0.usd : side1.usd,
  };
}

interface Side {
  token: Hex;
  balance: number | null;
  price: number | null;
  usd: number | null;
}
