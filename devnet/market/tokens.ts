import type { Hex } from "../../src/lib/hex.ts";
import { keccakText } from "../node/call-data.ts";

/** Contract of a token. `weth` is the real WETH9, and the others are in contracts/Tokens.sol. */
export type TokenKind = "weth" | "Token" | "TaxedToken" | "Bytes32Token" | "SilentToken";

export interface DemoToken {
  symbol: string;
  name: string;
  address: Hex;
  decimals: number;
  kind: TokenKind;
  /** Mean of the hidden price path, in USD. */
  usd: number;
  /** Size of the token's daily moves, in addition to the market's moves. 0.05 is 5 %. */
  dailyVolatility: number;
  /** Share of the market's moves that the token follows. */
  beta: number;
  /** Weight with which traders choose the token, relative to other tokens. */
  popularity: number;
}

type Traits = Pick<DemoToken, "usd"> & Partial<DemoToken>;

function token(symbol: string, name: string, traits: Traits): DemoToken {
  return {
    symbol,
    name,
    address: `0x${keccakText(`quarry demo token ${symbol}`).slice(-40)}`,
    decimals: 18,
    kind: "Token",
    dailyVolatility: 0.05,
    beta: 0.8,
    popularity: 1,
    ...traits,
  };
}

const STABLE = { usd: 1, dailyVolatility: 0.0004, beta: 0, popularity: 0 };

export const USDC = token("USDC", "USD Coin", {
  ...STABLE,
  dailyVolatility: 0,
  address: "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
  decimals: 6,
});
export const USDT = token("USDT", "Tether USD", {
  ...STABLE,
  address: "0xdac17f958d2ee523a2206206994597c13d831ec7",
  decimals: 6,
  kind: "SilentToken",
});
export const DAI = token("DAI", "Dai Stablecoin", {
  ...STABLE,
  address: "0x6b175474e89094c44da98b954eedeac495271d0f",
});
export const WETH = token("WETH", "Wrapped Ether", {
  usd: 3000,
  dailyVolatility: 0.01,
  beta: 1,
  popularity: 9,
  address: "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
  kind: "weth",
});
export const WBTC = token("WBTC", "Wrapped BTC", {
  usd: 56_000,
  dailyVolatility: 0.01,
  beta: 0.8,
  popularity: 3,
  address: "0x2260fac5e5542a773aa44fbcfedf7c193bc2c599",
  decimals: 8,
});
/** The token whose creators will remove the liquidity (a rug pull). */
export const RUGGED = token("PUMICE", "Pumice Moon", { usd: 0.0021, popularity: 2 });
export const TAXED = token("SLATE", "Slate Tax", { usd: 0.34, kind: "TaxedToken" });

const OWN: DemoToken[] = [
  token("BASALT", "Basalt Network", { usd: 12.4, popularity: 2 }),
  token("GRANIT", "Granite Finance", { usd: 0.85 }),
  token("MICA", "Mica Protocol", { usd: 45 }),
  token("FLINT", "Flint Spark", { usd: 2.4, popularity: 2 }),
  token("SHALE", "Shale Energy", { usd: 0.052, dailyVolatility: 0.08 }),
  token("OPAL", "Opal", { usd: 180 }),
  token("JADE", "Jade Dollarless", { usd: 5.1, decimals: 6 }),
  token("ONYXX", "Onyx Index", { usd: 0.00042, dailyVolatility: 0.09 }),
  token("AGATE", "Agate Storage", { usd: 33, decimals: 8 }),
  token("TOPAZ", "Topaz", { usd: 1.12 }),
  token("GARN", "Garnet Games", { usd: 0.23, dailyVolatility: 0.07 }),
  token("PERI", "Peridot", { usd: 7.7 }),
  token("ZIRCON", "Zircon", { usd: 0.61, kind: "SilentToken" }),
  token("CHERT", "Chert Maker", { usd: 1400, kind: "Bytes32Token" }),
  token("GEODE", "Geode Inu", { usd: 0.0000012, dailyVolatility: 0.12, popularity: 3 }),
  token("LODE", "Lodestone", { usd: 19 }),
  token("SILT", "Silt", { usd: 0.0093, dailyVolatility: 0.07 }),
];

export const STABLES = [USDC, USDT, DAI];
export const TOKENS = [USDC, USDT, DAI, WETH, WBTC, RUGGED, TAXED, ...OWN];

export function tokenOf(symbol: string): DemoToken {
  return TOKENS.find((candidate) => candidate.symbol === symbol) ?? WETH;
}
