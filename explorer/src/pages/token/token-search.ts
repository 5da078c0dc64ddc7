import { getRouteApi } from "@tanstack/react-router";
import { ADDRESS, POOL } from "../../format/hex.ts";
import { oneOf, urlChoices } from "../../format/url-choices.ts";
import { CANDLE_INTERVALS, type CandleInterval } from "../../queries/market/candle-intervals.ts";
import { TRADE_SIDES, type TradeSide } from "../../queries/market/trade-lists.ts";

const PRICE_TYPES = ["price_token_usd_robust_tick_1", "price_token_usd_tick_1"] as const;
const OPEN_METHODS = ["prev_close", "first_trade"] as const;
const PARTS = ["trades", "pools", "holders"] as const;

/** The choices on a token's page, kept in its URL under the names of the API's parameters. */
export interface TokenChoices {
  interval: CandleInterval;
  price_type: (typeof PRICE_TYPES)[number];
  /** `all`, or the address of a pool. */
  pool_address: string;
  open_method: (typeof OPEN_METHODS)[number];
  /** Whether intervals without trades are filled with the previous close. */
  fill: boolean;
  is_log: boolean;
  outliers: boolean;
  part: (typeof PARTS)[number];
  side: TradeSide;
  /** Minimum value of a trade in US dollars; 0 means any value. */
  min_usd: number;
  /** `all`, or the address of a wallet. */
  trader: string;
}

const DEFAULTS: TokenChoices = {
  interval: "15m",
  price_type: "price_token_usd_robust_tick_1",
  pool_address: "all",
  open_method: "prev_close",
  fill: true,
  is_log: false,
  outliers: false,
  part: "trades",
  side: "all",
  min_usd: 0,
  trader: "all",
};

export type TokenSearch = Partial<TokenChoices>;

export const { searchOf, choicesOf } = urlChoices(DEFAULTS);

/** Parses the choices in a URL. Drops invalid values and defaults. */
export function parseTokenSearch(parameters: Record<string, unknown>): TokenSearch {
  return searchOf({
    interval: oneOf(CANDLE_INTERVALS, parameters.interval) ?? DEFAULTS.interval,
    price_type: oneOf(PRICE_TYPES, parameters.price_type) ?? DEFAULTS.price_type,
    pool_address: hexOf(POOL, parameters.pool_address) ?? DEFAULTS.pool_address,
    open_method: oneOf(OPEN_METHODS, parameters.open_method) ?? DEFAULTS.open_method,
    fill: String(parameters.fill) !== "false",
    is_log: String(parameters.is_log) === "true",
    outliers: String(parameters.outliers) === "true",
    part: oneOf(PARTS, parameters.part) ?? DEFAULTS.part,
    side: oneOf(TRADE_SIDES, parameters.side) ?? DEFAULTS.side,
    min_usd: amountOf(parameters.min_usd) ?? DEFAULTS.min_usd,
    trader: hexOf(ADDRESS, parameters.trader) ?? DEFAULTS.trader,
  });
}

function hexOf(pattern: RegExp, parameter: unknown): string | undefined {
  return typeof parameter === "string" && pattern.test(parameter) ? parameter.toLowerCase() : undefined;
}

function amountOf(parameter: unknown): number | undefined {
  const amount = Number(parameter);
  return Number.isFinite(amount) && amount > 0 ? amount : undefined;
}

const route = getRouteApi("/$chain/token/$address");

/**
 * Returns the choices on the page and their setter. The choices are kept in the URL, for links and the
 * browser's history.
 */
export function useTokenChoices(): [TokenChoices, (change: Partial<TokenChoices>) => void] {
  const choices = choicesOf(route.useSearch());
  const navigate = route.useNavigate();
  const setChoices = (change: Partial<TokenChoices>) =>
    void navigate({ search: searchOf({ ...choices, ...change }), resetScroll: false });
  return [choices, setChoices];
}

/** Returns the page's token. */
export function useToken(): { chain: string; address: string } {
  return route.useParams();
}
