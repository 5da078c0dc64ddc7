import { sql, type TradeRow, the } from "./service.ts";

export type PriceType = "price_token_usd_tick_1" | "price_token_usd_robust_tick_1";
export const TICK: PriceType = "price_token_usd_tick_1";
export const ROBUST: PriceType = "price_token_usd_robust_tick_1";

interface Choice {
  token: string;
  pool?: string;
  from?: number;
  until?: number;
  trades?: readonly TradeRow[];
}

/** Returns a token's trades in chain order. */
export function tradesOf({ token, pool = "all", from = 0, until = Infinity, trades }: Choice): TradeRow[] {
  return (trades ?? the().trades).filter(
    (row) =>
      row.token_address === token &&
      (pool === "all" || row.pool_address === pool) &&
      row.at >= from &&
      row.at <= until,
  );
}

export interface Priced {
  row: TradeRow;
  price: number;
}

/** Returns the trades that have a price of the given type, in chain order. */
export function pricedOf(choice: Choice, type: PriceType): Priced[] {
  return tradesOf(choice).flatMap((row) => {
    const price = row[type];
    return price === null ? [] : [{ row, price }];
  });
}

/** Returns the price in force at a time: the price of the last trade at or before it. */
export function priceAt(token: string, type: PriceType, until: number): number | undefined {
  return pricedOf({ token, until }, type).at(-1)?.price;
}

interface CandleQuestion extends Choice {
  type?: PriceType;
  seconds: number;
  /** A time within the newest candle. */
  until: number;
  fill?: boolean;
  open?: "prev_close" | "first_trade";
}

export interface Candle {
  timestamp_open: number;
  timestamp_close: number;
  date_open: string;
  date_close: string;
  price_open: number | null;
  price_high: number | null;
  price_low: number | null;
  price_close: number | null;
  volume: number;
  num_trades: number;
}

/**
 * Computes all candles of a token up to a time from its trades, according to their definition. Oldest first.
 */
export function candlesOf({
  type = ROBUST,
  seconds,
  until,
  fill = true,
  open,
  ...choice
}: CandleQuestion): Candle[] {
  const trades = tradesOf(choice);
  const start = (at: number) => at - (at % seconds);
  const candles: Candle[] = [];
  let before: number | null = null;
  const first = trades.find((row) => !fill || row[type] !== null);
  for (let from = start(first?.at ?? Infinity); from <= until; from += seconds) {
    const inside = trades.filter(({ at }) => start(at) === from);
    const prices = inside.flatMap((row) => row[type] ?? []);
    const opening = open === "first_trade" ? null : before;
    candles.push({
      timestamp_open: from,
      timestamp_close: from + seconds - 1,
      date_open: date(from),
      date_close: date(from + seconds - 1),
      ...(prices.length > 0 ? traded(prices, opening) : flat(fill ? before : null)),
      volume: inside.reduce((sum, { amount_usd }) => sum + (amount_usd ?? 0), 0),
      num_trades: inside.length,
    });
    before = prices.at(-1) ?? before;
  }
  return candles;
}

/**
 * Returns the prices of a candle with trades. It opens at the previous close or, without one, at its first
 * price.
 */
function traded(prices: number[], opening: number | null) {
  const all = opening === null ? prices : [opening, ...prices];
  return {
    price_open: all[0] ?? null,
    price_high: Math.max(...all),
    price_low: Math.min(...all),
    price_close: prices.at(-1) ?? null,
  };
}

const flat = (price: number | null) => ({
  ...{ price_open: price, price_high: price, price_low: price, price_close: price },
});

const date = (at: number) => new Date(at * 1000).toISOString().replace(".000Z", "Z");

/** Returns the tokens that traded, most traded first. */
export function tradedTokens(): string[] {
  const counts = new Map<string, number>();
  for (const { token_address } of the().trades)
    counts.set(token_address, (counts.get(token_address) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]).map(([token]) => token);
}

export const lastTradeAt = () => the().trades.at(-1)?.at ?? 0;
export const NOBODY = "0x00000000000000000000000000000000000000ff";
/** Returns addresses that do not occur on the chain. */
export const strangers = (count: number) =>
  Array.from({ length: count }, (_, i) => `0x${(0xdead0000 + i).toString(16).padStart(40, "0")}`);

/** Reads the names and symbols of tokens, by address. */
export async function readNames(): Promise<Map<string, object>> {
  const rows = await sql("SELECT token_address, token_symbol, token_name FROM eth_token_metadata LIMIT 1000");
  return new Map(rows.map(({ token_address, ...names }) => [token_address, names]));
}
