import { getRouteApi } from "@tanstack/react-router";
import { ADDRESS } from "../../format/hex.ts";
import { oneOf, urlChoices } from "../../format/url-choices.ts";
import { CANDLE_INTERVALS, type CandleInterval } from "../../queries/market/candle-intervals.ts";
import { TRADE_SIDES, type TradeSide } from "../../queries/market/trade-lists.ts";
import type { HistoryRange } from "../../queries/pool/history-period.ts";

const RANGES = ["1d", "7d", "30d", "all"] as const satisfies readonly HistoryRange[];
/** Options for the minimum value of trades, in US dollars; 0 means any value. */
export const MIN_VALUES = [0, 100, 1_000, 10_000, 100_000] as const;

/** The choices on a pool's page, kept in its URL. */
export interface PoolChoices {
  interval: CandleInterval;
  /** Range of the TVL chart. */
  range: HistoryRange;
  /** The token of the candles if more than two can be traded; empty for the most traded one. */
  token: string;
  side: TradeSide;
  min_usd: (typeof MIN_VALUES)[number];
}

const DEFAULTS: PoolChoices = { interval: "1h", range: "7d", token: "", side: "all", min_usd: 0 };

export type PoolSearch = Partial<PoolChoices>;

export const { searchOf, choicesOf } = urlChoices(DEFAULTS);

/** Parses the choices in a URL. Drops invalid values and defaults. */
export function parsePoolSearch(parameters: Record<string, unknown>): PoolSearch {
  return searchOf({
    interval: oneOf(CANDLE_INTERVALS, parameters.interval) ?? DEFAULTS.interval,
    range: oneOf(RANGES, parameters.range) ?? DEFAULTS.range,
    token: ADDRESS.test(String(parameters.token)) ? String(parameters.token).toLowerCase() : DEFAULTS.token,
    side: oneOf(TRADE_SIDES, parameters.side) ?? DEFAULTS.side,
    min_usd: oneOf(MIN_VALUES, Number(parameters.min_usd)) ?? DEFAULTS.min_usd,
  });
}

const route = getRouteApi("/$chain/pool/$address");

/**
 * Returns the choices on the page and their setter. The choices are kept in the URL, for links and the
 * browser's history.
 */
export function usePoolChoices(): [PoolChoices, (change: Partial<PoolChoices>) => void] {
  const choices = choicesOf(route.useSearch());
  const navigate = route.useNavigate();
  const setChoices = (change: Partial<PoolChoices>) =>
    void navigate({ search: searchOf({ ...choices, ...change }), resetScroll: false });
  return [choices, setChoices];
}
