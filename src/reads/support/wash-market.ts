import { BARE_CHAIN } from "../../../test/support/nodes/bare-chain.ts";
import { seeded } from "../../../test/support/seeded.ts";
import type { Chain } from "../../chains/chain.ts";
import type { Hex } from "../../lib/hex.ts";
import type { RowOf } from "../../schema/tables.ts";
import { commitTrades, hexOf, type Market, openMarket, tradeRow } from "./market.ts";

export const DAY = 86_400;
export const FIRST_DAY = 19_700 * DAY;
export const USDC = hexOf(0xcc);
export const WETH = hexOf(1);
export const MEME = hexOf(0xeee);
export const OTHER = hexOf(0xddd);
const CHAIN: Chain = { ...BARE_CHAIN, name: "eth", chainId: 1, wrappedNative: WETH, stableCoins: [USDC] };

export interface PoolDay {
  pool: Hex;
  day: number;
  trades: number;
  traders: number;
  /** Sum of the trades' values; null if no trade has a value. */
  usd: number | null;
  /** The two tokens of its swaps. A swap between two unlisted tokens has two rows. */
  tokens: [Hex, Hex];
}

/** Cases at and around each bound of the rule. */
const CASES: Omit<PoolDay, "pool" | "day">[] = [
  [500, 5, 25_000],
  [499, 4, 900_000],
  [500, 6, 900_000],
  [600, 6, 25_000],
  [599, 6, 25_000],
  [500, 5, 24_999],
  [500, 5, 0],
  [500, 5, null],
  [499, 5, null],
  [30, 1, 1_000_000],
  [29, 1, 1_000_000],
  [30, 1, 999_999],
  [60, 2, 1_000_000],
  [59, 2, 1_000_000],
  [60, 2, 999_999],
  [90, 3, 1_499_999],
  [90, 3, 1_500_000],
  [700, 2, 3_000_000],
].flatMap(([trades, traders, usd]) =>
  (
    [
      [MEME, USDC],
      [MEME, OTHER],
      [WETH, USDC],
    ] as [Hex, Hex][]
  ).map((tokens) => {
    return { trades: trades ?? 0, traders: traders ?? 0, usd: usd ?? null, tokens };
  }),
);

/** Two days. On the second, each pool has a different case, so a verdict that mixes days is wrong. */
export const POOL_DAYS: PoolDay[] = [0, 1].flatMap((day) =>
  CASES.map((facts, i): PoolDay => ({ ...facts, day, pool: hexOf(0x5000 + ((i + 7 * day) % CASES.length)) })),
);

/** Returns the wash reason of a pool's day, by a second implementation of the rule, for comparison. */
export function washReason({ trades, traders, usd, tokens }: PoolDay): string | null {
  if (tokens.every((token) => token === USDC || token === WETH)) return null;
  if (usd !== null && usd < 25_000) return null;
  if (trades >= 500 && trades / traders >= 100) return "trades_per_trader";
  const isLarge = usd !== null && usd >= 1e6 && usd / traders >= 500_000;
  return isLarge && trades / traders >= 30 ? "usd_per_trader" : null;
}

const random = seeded(3);

/**
 * Returns the rows of a day. The first trade of a pool gets the remainder of a value that does not divide
 * evenly.
 */
function rowsOf(poolDays: readonly PoolDay[], block: number): RowOf<"dex_trades">[] {
  let log = 0;
  let ordinal = 0;
  return poolDays.flatMap(({ pool, day, trades, traders, usd, tokens: [token, quote] }) =>
    Array.from({ length: trades }, (_, n) => n).flatMap((n) => {
      log += 1;
      const share = usd === null ? null : Math.floor(usd / trades) + (n === 0 ? usd % trades : 0);
      const at = FIRST_DAY + day * DAY + Math.floor(random() * DAY);
      const isTwo = (token === MEME) === (quote === OTHER);
      const sides: [Hex, Hex][] =
        isTwo || token === WETH
          ? [
              [token, quote],
              [quote, token],
            ]
          : [[token, quote]];
      return sides.map(([traded, paid]) => {
        const trade = { token: traded, at, price: 1, usd: share, pool, trader: hexOf(0xa00 + (n % traders)) };
        return { ...tradeRow(trade, block, ordinal++), quote_address: paid, log_index: log };
      });
    }),
  );
}

/** Opens a market with two days of trades at and around each bound of the rule for wash trades. */
export async function openWashMarket(): Promise<Market> {
  const market = await openMarket([]);
  market.chains = [{ chain: CHAIN, store: market.store }];
  for (const day of [0, 1]) {
    const dex_trades = rowsOf(
      POOL_DAYS.filter((one) => one.day === day),
      1000 + day,
    );
    const at = FIRST_DAY + day * DAY;
    await commitTrades(market.store, [{ token: MEME, at, price: 1 }], {
      firstBlock: 1000 + day,
      rows: { dex_trades },
    });
  }
  return market;
}
