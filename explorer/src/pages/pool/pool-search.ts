import { getRouteApi } from "@tanstack/react-router";
import { oneOf, urlChoices } from "../../format/url-choices.ts";
import { CANDLE_INTERVALS, type CandleInterval } from "../../queries/market/candle-intervals.ts";
import { TRADE_SIDES, type TradeSide } from "../../queries/market/trade-lists.ts";
import type { HistoryRange } from "../../queries/pool/history-times.ts";

const RANGES = ["1d", "7d", "30d", "all"] as const satisfies readonly HistoryRange[];
/** The least values of trades that can be chosen, in US dollars; 0 is any. */
export const LEAST_VALUES = [0, 100, 1_000, 10_000, 100_000] as const;

/** What can be chosen on a pool's page. It stands in the page's address. */
export interface PoolChoices {
  interval: CandleInterval;
  /** Of the TVL over time. */
  range: HistoryRange;
  side: TradeSide;
  min_usd: (typeof LEAST_VALUES)[number];
}

const UNCHOSEN: PoolChoices = { interval: "1h", range: "7d", side: "all", min_usd: 0 };

export type PoolSearch = Partial<PoolChoices>;

export const { searchOf, choicesOf } = urlChoices(UNCHOSEN);

/** Reads the choices of an address, where all are texts. What is no choice counts as not chosen, and what is usual is left out. */
export function parsePoolSearch(given: Record<string, unknown>): PoolSearch {
  return searchOf({
    interval: oneOf(CANDLE_INTERVALS, given.interval) ?? UNCHOSEN.interval,
    range: oneOf(RANGES, given.range) ?? UNCHOSEN.range,
    side: oneOf(TRADE_SIDES, given.side) ?? UNCHOSEN.side,
    min_usd: oneOf(LEAST_VALUES, Number(given.min_usd)) ?? UNCHOSEN.min_usd,
  });
}

const route = getRouteApi("/$chain/pool/$address");

/** What is chosen on the page, and how to choose otherwise: by its address, so that it can be shared and gone back to. */
export function usePoolChoices(): [PoolChoices, (change: Partial<PoolChoices>) => void] {
  const choices = choicesOf(route.useSearch());
  const navigate = route.useNavigate();
  const choose = (change: Partial<PoolChoices>) =>
    void navigate({ search: searchOf({ ...choices, ...change }), resetScroll: false });
  return [choices, choose];
}
