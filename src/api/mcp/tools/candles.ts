import { z } from "zod";
import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from "../../../lib/seconds.ts";
import { TIMESTAMP } from "../../../reads/values/number-values.ts";
import { ohlc as endpoint } from "../../endpoints/prices/ohlc.ts";
import { INTERVAL } from "../../parameters/kinds/durations.ts";
import { derived, readParameters } from "../../parameters/parameter.ts";
import { asOf, MAX_ROWS, printTable, tableOf } from "../answer.ts";
import type { Ask } from "../ask.ts";
import { CURSOR, cursorOf, positionOf } from "../cursor.ts";
import { OWN_PARAMETERS } from "../own-parameters.ts";
import { chainIn, type Given, only, TOOL_CHAIN, type Tool } from "../tool.ts";
import { newestTime } from "./status.ts";

const NAME = "candles";

const DEFAULT_PERIOD = 30 * DAY_SECONDS;

const own = {
  interval: derived(
    INTERVAL,
    `length of a candle; by default the shortest common one with at most ${MAX_ROWS} candles`,
  ),
  from_timestamp: derived(
    TIMESTAMP,
    "earliest start, unix seconds; by default 30 days before until_timestamp or, if interval is given, the first trade",
  ),
  until_timestamp: derived(
    TIMESTAMP,
    "latest start, unix seconds; by default the time of the newest indexed block",
  ),
  cursor: CURSOR,
};

export const candles: Tool = {
  name: NAME,
  title: "Candles",
  description: `Price history of a token across all pools or in one: candles with open, high, low and close in USD per token, volume in USD and number of trades; newest first, at most ${MAX_ROWS} per page. Intervals without trades are left out. Times are the starts of candles, in UTC. Prices exclude outliers unless price_type says otherwise (resource quarry://docs/prices.md); volume and num_trades include all trades.`,
  parameters: {
    ...only(endpoint.parameters, ["token_address", "pool_address", "price_type", "max_lag"]),
    chain: TOOL_CHAIN,
    ...own,
  },
  async run(given, ask) {
    const { cursor, ...rest } = given;
    const window = await windowOf(given, ask);
    const answered = await ask(endpoint, {
      ...rest,
      interval: `${window.minutes}m`,
      from_timestamp: window.from,
      ...(window.until === null ? {} : { until_timestamp: window.until }),
      // One more than is printed, to find out whether there are older candles.
      max_size: MAX_ROWS + 1,
      fill: false,
      with_volume: true,
    });
    return printed(given, window, answered.body as Candles, asOf(answered));
  },
};

interface Candles {
  token_address: string;
  data: { timestamp_open: number; num_trades: number }[];
}

interface Window {
  from: number;
  /** Null if nothing is indexed. */
  until: number | null;
  minutes: number;
}

const POSITION = z.strictObject({ from: z.int(), until: z.int(), minutes: z.int() });

async function windowOf(given: Given, ask: Ask): Promise<Window> {
  const { interval, from_timestamp, until_timestamp } = readParameters(own, given, OWN_PARAMETERS);
  const position = positionOf(NAME, POSITION, given.cursor);
  if (position !== null) return position;
  const until = until_timestamp ?? (await newestTime(chainIn(given), ask));
  const period = interval === undefined ? DEFAULT_PERIOD : Number.POSITIVE_INFINITY;
  const from = from_timestamp ?? Math.max(0, (until ?? 0) - period);
  return { from, until, minutes: (interval ?? intervalFor((until ?? from) - from)) / MINUTE_SECONDS };
}

/** Intervals that charts usually have, in seconds. */
const INTERVALS = [
  ...[1, 5, 15, 30].map((minutes) => minutes * MINUTE_SECONDS),
  ...[1, 2, 4, 6, 12].map((hours) => hours * HOUR_SECONDS),
  ...[1, 2, 7, 14, 30, 90].map((days) => days * DAY_SECONDS),
];

const LONGEST = 365 * DAY_SECONDS;

/** Returns the shortest interval at which a period's candles fit in one answer. */
function intervalFor(periodSeconds: number): number {
  return INTERVALS.find((interval) => Math.floor(periodSeconds / interval) + 1 <= MAX_ROWS) ?? LONGEST;
}

function printed(
  given: Given,
  { from, minutes }: Window,
  { token_address, data }: Candles,
  as_of: ReturnType<typeof asOf>,
): string {
  const shown = data.slice(0, MAX_ROWS);
  const traded = shown.filter(({ num_trades }) => num_trades > 0);
  const oldest = shown.at(-1)?.timestamp_open ?? from;
  return printTable({
    facts: {
      chain: chainIn(given),
      as_of,
      token_address,
      pool_address: given.pool_address ?? "all",
      interval: intervalText(minutes),
    },
    ...tableOf(traded, COLUMNS),
    hasMore: data.length > shown.length,
    narrow: "Narrow the period, or use a longer interval.",
    cursorAfter(kept) {
      const last = kept === traded.length ? oldest : (traded[kept - 1]?.timestamp_open ?? oldest);
      return cursorOf(NAME, { from, until: last - 1, minutes });
    },
  });
}

const COLUMNS = [
  "timestamp_open",
  "date_open",
  "price_open",
  "price_high",
  "price_low",
  "price_close",
  "volume",
  "num_trades",
];

function intervalText(minutes: number): string {
  if (minutes % 1440 === 0) return `${minutes / 1440}d`;
  return minutes % 60 === 0 ? `${minutes / 60}h` : `${minutes}m`;
}
