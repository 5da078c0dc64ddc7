import type { Hex } from "../../src/lib/hex.ts";
import { create2Address, keccak, word } from "../node/call-data.ts";
import { type DemoToken, tokenOf } from "./tokens.ts";

export const V2_FACTORY: Hex = "0x5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f";
export const V3_FACTORY: Hex = "0x1f98431c8ad98523631ae4a59f267346ea31f984";
export const V2_INIT_CODE_HASH: Hex = "0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f";
export const V3_INIT_CODE_HASH: Hex = "0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54";

const IS_V3 = 1n << 160n;
export const TICK_SPACINGS: Record<number, number> = { 100: 1, 500: 10, 3000: 60, 10000: 200 };

/** Two tokens that are traded for each other. */
export interface Pair {
  /** The venue, in the form that contracts/Router.sol expects. */
  venue: bigint;
  /** Fee in millionths. */
  fee: number;
  token0: DemoToken;
  token1: DemoToken;
  /** Value of the liquidity at the start, in USD. */
  usd: number;
}

/** A pool that is a separate contract. Its venue is its address, with bit 160 set for V3. */
export interface DemoPool extends Pair {
  address: Hex;
  version: 2 | 3;
}

/**
 * Returns a pool with its address. Factories have their mainnet addresses, so pools of known tokens get their
 * real addresses.
 */
function pool(pair: string, version: 2 | 3, [fee, usd]: [number, number]): DemoPool {
  const [a, b] = pair.split("/").map(tokenOf) as [DemoToken, DemoToken];
  const [token0, token1] = a.address < b.address ? [a, b] : [b, a];
  const address = version === 2 ? pairAddress(token0, token1) : poolAddress(token0, token1, fee);
  const venue = BigInt(address) | (version === 3 ? IS_V3 : 0n);
  return { address, venue, version, fee, token0, token1, usd };
}

function pairAddress(token0: DemoToken, token1: DemoToken): Hex {
  const salt = keccak(`0x${token0.address.slice(2)}${token1.address.slice(2)}`);
  return create2Address(V2_FACTORY, salt, V2_INIT_CODE_HASH);
}

function poolAddress(token0: DemoToken, token1: DemoToken, fee: number): Hex {
  const salt = keccak(`0x${word(token0.address)}${word(token1.address)}${word(fee)}`);
  return create2Address(V3_FACTORY, salt, V3_INIT_CODE_HASH);
}

const v2 = (pair: string, usd: number): DemoPool => pool(pair, 2, [3000, usd]);
const v3 = (pair: string, fee: number, usd: number): DemoPool => pool(pair, 3, [fee, usd]);

export const MAIN_POOL = v3("WETH/USDC", 500, 40e6);
export const RUG_POOL = v2("PUMICE/WETH", 400e3);

/** Deep pools of WETH and stablecoins. */
export const REFERENCE_POOLS = [
  MAIN_POOL,
  v3("WETH/USDC", 3000, 20e6),
  v3("WETH/USDT", 3000, 12e6),
  v2("WETH/USDC", 15e6),
  v2("WETH/USDT", 10e6),
  v2("WETH/DAI", 6e6),
];

export const POOLS = [
  ...REFERENCE_POOLS,
  RUG_POOL,
  v3("WETH/DAI", 3000, 5e6),
  v3("USDC/USDT", 100, 15e6),
  v3("DAI/USDC", 100, 10e6),
  v3("WBTC/WETH", 3000, 15e6),
  v3("WBTC/USDC", 3000, 8e6),
  v2("WBTC/WETH", 4e6),
  v2("BASALT/WETH", 3e6),
  v3("BASALT/WETH", 3000, 4e6),
  v3("BASALT/USDC", 3000, 1e6),
  v2("GRANIT/WETH", 1.2e6),
  v3("MICA/WETH", 3000, 2e6),
  v2("FLINT/USDC", 1.5e6),
  v3("FLINT/WETH", 3000, 2e6),
  v2("SHALE/WETH", 0.8e6),
  v3("OPAL/WETH", 3000, 2.5e6),
  v2("OPAL/WETH", 0.9e6),
  v3("JADE/USDC", 3000, 1e6),
  v2("JADE/WETH", 0.7e6),
  v2("ONYXX/WETH", 0.5e6),
  v3("AGATE/WETH", 10000, 0.9e6),
  v2("AGATE/USDT", 0.4e6),
  v2("TOPAZ/WETH", 1.1e6),
  v3("TOPAZ/USDT", 3000, 0.8e6),
  v3("GARN/WETH", 10000, 0.6e6),
  v2("PERI/WETH", 1e6),
  v2("SLATE/WETH", 0.6e6),
  v2("ZIRCON/WETH", 0.5e6),
  v3("ZIRCON/USDC", 3000, 0.4e6),
  v2("CHERT/WETH", 2e6),
  v3("CHERT/DAI", 3000, 1e6),
  v2("GEODE/WETH", 0.9e6),
  v3("GEODE/WETH", 10000, 0.5e6),
  v2("LODE/DAI", 0.6e6),
  v3("LODE/WETH", 3000, 0.9e6),
  v2("SILT/WETH", 0.4e6),
  v3("JADE/OPAL", 3000, 0.7e6),
  v2("BASALT/FLINT", 0.6e6),
];
