import { DAY_SECONDS, HOUR_SECONDS } from "../../format/time.ts";

/** The amounts that a wallet paid and received in trades within a period, in US dollars. */
export interface Flow {
  /** Start of the period, in unix seconds. */
  time: number;
  bought: number;
  sold: number;
  /** Number of trades of unknown value, which are not included. */
  unvalued: number;
}

/** Possible lengths of a period; longer ones limit the number of bars. */
const PERIODS = [
  { sql: "1 HOUR", seconds: HOUR_SECONDS },
  { sql: "4 HOUR", seconds: 4 * HOUR_SECONDS },
  { sql: "1 DAY", seconds: DAY_SECONDS },
  { sql: "7 DAY", seconds: 7 * DAY_SECONDS },
  { sql: "30 DAY", seconds: 30 * DAY_SECONDS },
] as const;
const MAX_BARS = 96;

export function flowPeriod(first: number, last: number) {
  return PERIODS.find(({ seconds }) => (last - first) / seconds < MAX_BARS) ?? PERIODS[4];
}

/** Returns the flows of all periods, including the periods without trades, which have no row. */
export function fillPeriods(flows: readonly Flow[], step: number): Flow[] {
  const begin = flows[0]?.time ?? 0;
  const count = flows.length === 0 ? 0 : ((flows.at(-1)?.time ?? begin) - begin) / step + 1;
  const known = new Map(flows.map((flow) => [flow.time, flow]));
  return Array.from({ length: count }, (_, i) => {
    const time = begin + i * step;
    return known.get(time) ?? { time, bought: 0, sold: 0, unvalued: 0 };
  });
}
