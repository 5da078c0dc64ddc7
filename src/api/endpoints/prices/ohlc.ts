import { z } from "zod";
import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from "../../../lib/seconds.ts";
import { type Candle, intervalStart } from "../../../reads/prices/candles.ts";
import { readOhlc } from "../../../reads/prices/ohlc.ts";
import { readSnapshot } from "../../../reads/snapshot/snapshot.ts";
import { ADDRESS } from "../../../reads/values/hex-values.ts";
import { integer, TIMESTAMP } from "../../../reads/values/number-values.ts";
import { ohlcIn } from "../../../reads/window/ohlc.ts";
import { JsonText } from "../../answers/json-text.ts";
import { endpoint } from "../../endpoint/endpoint.ts";
import { INTERVAL } from "../../parameters/kinds/durations.ts";
import { POOL_OR_ALL } from "../../parameters/kinds/lists.ts";
import { BOOLEAN, choice } from "../../parameters/kinds/words.ts";
import { CURRENT_TIME, optional, required } from "../../parameters/parameter.ts";
import { requirePeriod } from "../../parameters/period.ts";
import {
  chainParameter,
  excludeWashParameter,
  priceTypeParameter,
} from "../../parameters/shared-parameters.ts";

const price = z.number().nullable();

const candle = z.strictObject({
  timestamp_open: z.int().describe("start of the interval, inclusive, unix seconds"),
  timestamp_close: z.int().describe("end of the interval, inclusive, unix seconds"),
  date_open: z.iso.datetime({ precision: 0 }),
  date_close: z.iso.datetime({ precision: 0 }),
  price_open: price.describe("USD per token"),
  price_high: price.describe("USD per token"),
  price_low: price.describe("USD per token"),
  price_close: price.describe("price of the last trade in the interval, USD per token"),
  volume: z.number().optional().describe("volume of all trades, USD; with with_volume=true"),
  num_trades: z.int().optional().describe("number of all trades; with with_volume=true"),
});

export const ohlc = endpoint({
  name: "getPriceHistoricalOHLC",
  methods: ["GET", "POST"],
  path: "/v1/price/historical/ohlc",
  title: "Candles",
  summary: "Price history of a token as candles (open, high, low, close).",
  parameters: {
    token_address: required(ADDRESS, "token"),
    pool_address: optional(POOL_OR_ALL, "all", "pool whose trades are used; all: every pool"),
    chain: chainParameter(),
    price_type: priceTypeParameter("price_token_usd_robust_tick_1"),
    interval: optional(INTERVAL, "1d", "length of a candle; candles are aligned to the unix epoch"),
    from_timestamp: optional(TIMESTAMP, 0, "earliest timestamp_open"),
    until_timestamp: optional(
      TIMESTAMP,
      CURRENT_TIME,
      "latest timestamp_open; the newest candle contains this time, or the current time if that is earlier",
    ),
    max_size: optional(
      integer({ min: 1, max: 2500 }),
      100,
      "maximum number of candles in the response, after ordering",
    ),
    order: optional(choice(["desc", "asc"]), "desc", "desc: newest first; asc: oldest first"),
    fill: optional(
      BOOLEAN,
      true,
      "true: after the first trade with a price, an interval without trades repeats the previous close; false: its prices are null",
    ),
    with_volume: optional(BOOLEAN, false, "adds volume and num_trades"),
    exclude_wash: excludeWashParameter("volume and num_trades; prices are not affected"),
    open_method: optional(
      choice(["prev_close", "first_trade"]),
      "prev_close",
      "prev_close: open is the previous close; first_trade: open is the price of the first trade in the interval",
    ),
  },
  answer: z.strictObject({ token_address: z.string(), data: z.array(candle) }),
  example: {
    parameters: {
      token_address: "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
      interval: "1d",
      max_size: 1,
      with_volume: true,
    },
    answer: {
      token_address: "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
      data: [
        {
          timestamp_open: 1704412800,
          timestamp_close: 1704499199,
          date_open: "2024-01-05T00:00:00Z",
          date_close: "2024-01-05T23:59:59Z",
          price_open: 2267.3,
          price_high: 2277.6,
          price_low: 2205.1,
          price_close: 2268.2,
          volume: 186402113.5,
          num_trades: 3040,
        },
      ],
    },
  },
  cost: "read",
  dependsOn(values, _commit, now) {
    const { interval, until_timestamp: until } = values;
    const newest = [until, Math.min(until, now)].map((time) => intervalStart(time, interval));
    return { ...values, until_timestamp: newest };
  },
  settledAt({ interval, until_timestamp: until, exclude_wash: excludesWash }, now) {
    if (until >= now) return null;
    const end = intervalStart(until, interval) + interval;
    // Wash verdicts are per day, so the whole last day must be settled.
    return (excludesWash ? Math.ceil(end / DAY_SECONDS) * DAY_SECONDS : end) - 1;
  },
  question(values, { now }) {
    const { from_timestamp: from, until_timestamp } = values;
    requirePeriod(from, until_timestamp, now);
    const until = Math.min(until_timestamp, now);
    const query = {
      token: values.token_address,
      pool: values.pool_address,
      priceType: values.price_type,
      intervalSeconds: values.interval,
      from,
      until,
      maxSize: values.max_size,
      order: values.order,
      fill: values.fill,
      openMethod: values.open_method,
      excludeWash: values.exclude_wash && values.with_volume,
    };
    const printed = (candles: readonly Candle[]) =>
      new JsonText(
        `{"token_address":"${query.token}","data":[${candles.map((one) => print(one, values.with_volume)).join(",")}]}`,
      );
    return {
      chain: values.chain,
      fromMemory: (memory) => printed(ohlcIn(memory, query)),
      fromEngine: async (reader, limits) => {
        const { answer, asOf } = await readSnapshot(reader, values.chain, limits, (snapshot) =>
          readOhlc(snapshot, query),
        );
        return { answer: printed(answer), asOf };
      },
    };
  },
});

/** Prints a candle as JSON, in a third of the time of JSON.stringify: an answer has up to 2,500 candles. */
function print(one: Candle, withVolume: boolean): string {
  const volume = withVolume ? `,"volume":${one.volumeUsd},"num_trades":${one.numTrades}` : "";
  return (
    `{"timestamp_open":${one.timestampOpen},"timestamp_close":${one.timestampClose}` +
    `,"date_open":"${isoSeconds(one.timestampOpen)}","date_close":"${isoSeconds(one.timestampClose)}"` +
    `,"price_open":${one.open},"price_high":${one.high},"price_low":${one.low},"price_close":${one.close}${volume}}`
  );
}

const TWO_DIGITS = Array.from({ length: MINUTE_SECONDS }, (_, i) => String(i).padStart(2, "0"));

/** The day that was printed last: consecutive candles are often from the same day. */
const printedDay = { start: -1, date: "" };

function isoSeconds(timestamp: number): string {
  const inDay = timestamp % DAY_SECONDS;
  if (printedDay.start !== timestamp - inDay) {
    printedDay.start = timestamp - inDay;
    printedDay.date = new Date(printedDay.start * 1000).toISOString().slice(0, -"00:00:00.000Z".length);
  }
  const hours = TWO_DIGITS[Math.floor(inDay / HOUR_SECONDS)];
  const minutes = TWO_DIGITS[Math.floor(inDay / MINUTE_SECONDS) % MINUTE_SECONDS];
  return `${printedDay.date}${hours}:${minutes}:${TWO_DIGITS[inDay % MINUTE_SECONDS]}Z`;
}
