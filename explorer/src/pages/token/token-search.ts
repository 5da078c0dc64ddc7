import { getRouteApi } from "@tanstack/react-router";
import { ADDRESS, POOL } from "../../format/hex.ts";
import { oneOf, urlChoices } from "../../format/url-choices.ts";
import { CANDLE_INTERVALS, type CandleInterval } from "../../queries/market/candle-intervals.ts";
import { TRADE_SIDES, type TradeSide } from "../../queries/market/trade-lists.ts";

const PRICE_TYPES = ["price_token_usd_robust_tick_1", "price_token_usd_tick_1"] as const;
const OPEN_METHODS = ["prev_close", "first_trade"] as const;
const PARTS = ["trades", "pools", "holders"] as const;

/** What can be chosen on a token's page, by the names that the API has for it. It stands in the page's address. */
export interface TokenChoices {
  interval: CandleInterval;
  price_type: (typeof PRICE_TYPES)[number];
  /** `all`, or one pool. */
  pool_address: string;
  open_method: (typeof OPEN_METHODS)[number];
  /** Whether intervals without trades stand at the close before. */
  fill: boolean;
  is_log: boolean;
  outliers: boolean;
  part: (typeof PARTS)[number];
  side: TradeSide;
  /** The least value of a trade in US dollars; 0 is any. */
  min_usd: number;
  /** `all`, or one wallet. */
  trader: string;
}

const UNCHOSEN: TokenChoices = {
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

export const { searchOf, choicesOf } = urlChoices(UNCHOSEN);

/** Reads the choices of an address, where all are texts. What is no choice counts as not chosen, and what is usual is left out. */
export function parseTokenSearch(given: Record<string, unknown>): TokenSearch {
  return searchOf({
    interval: oneOf(CANDLE_INTERVALS, given.interval) ?? UNCHOSEN.interval,
    price_type: oneOf(PRICE_TYPES, given.price_type) ?? UNCHOSEN.price_type,
    pool_address: textOf(POOL, given.pool_address) ?? UNCHOSEN.pool_address,
    open_method: oneOf(OPEN_METHODS, given.open_method) ?? UNCHOSEN.open_method,
    fill: String(given.fill) !== "false",
    is_log: String(given.is_log) === "true",
    outliers: String(given.outliers) === "true",
    part: oneOf(PARTS, given.part) ?? UNCHOSEN.part,
    side: oneOf(TRADE_SIDES, given.side) ?? UNCHOSEN.side,
    min_usd: amountOf(given.min_usd) ?? UNCHOSEN.min_usd,
    trader: textOf(ADDRESS, given.trader) ?? UNCHOSEN.trader,
  });
}

function textOf(form: RegExp, given: unknown): string | undefined {
  return typeof given === "string" && form.test(given) ? given.toLowerCase() : undefined;
}

function amountOf(given: unknown): number | undefined {
  const amount = Number(given);
  return Number.isFinite(amount) && amount > 0 ? amount : undefined;
}

const route = getRouteApi("/$chain/token/$address");

/** What is chosen on the page, and how to choose otherwise: by its address, so that it can be shared and gone back to. */
export function useTokenChoices(): [TokenChoices, (change: Partial<TokenChoices>) => void] {
  const choices = choicesOf(route.useSearch());
  const navigate = route.useNavigate();
  const choose = (change: Partial<TokenChoices>) =>
    void navigate({ search: searchOf({ ...choices, ...change }), resetScroll: false });
  return [choices, choose];
}

/** Which token the page is about. */
export function useToken(): { chain: string; address: string } {
  return route.useParams();
}
