import { z } from "zod";
import { type Bars, type BarsQuery, readBars } from "../../../reads/bars/bars.ts";
import { barsIn } from "../../../reads/bars/bars-in-memory.ts";
import type { Candle } from "../../../reads/prices/candles.ts";
import { readSnapshot } from "../../../reads/snapshot/snapshot.ts";
import { integer } from "../../../reads/values/number-values.ts";
import { JsonText } from "../../answers/json-text.ts";
import { endpoint } from "../../endpoint/endpoint.ts";
import { CHART_SYMBOL, CHART_TIME, RESOLUTION_KIND } from "../../parameters/kinds/charts.ts";
import { CURRENT_TIME, derived, InvalidParameter, optional, required } from "../../parameters/parameter.ts";
import { maxLagParameter } from "../../parameters/shared-parameters.ts";

/** Maximum number of bars: 600 KB as JSON; a chart shows a few hundred bars at a time. */
export const MAX_BARS = 10_000;

const numbers = z.array(z.number());

const barColumns = z.strictObject({
  s: z.literal("ok"),
  t: z.array(z.int()).describe("starts of the bars, unix seconds, oldest first"),
  o: numbers.describe("open, USD per token"),
  h: numbers.describe("high"),
  l: numbers.describe("low"),
  c: numbers.describe("close"),
  v: numbers.describe("volume of all trades, USD"),
});

const noBars = z.strictObject({
  s: z.literal("no_data"),
  nextTime: z.int().optional().describe("start of the newest older bar; absent if there is none"),
});

export const udfHistory = endpoint({
  name: "udfHistory",
  methods: ["GET"],
  path: "/udf/history",
  title: "Chart bars",
  summary: "The candles of /v1/price/historical/ohlc that have trades with an accepted price, as columns.",
  parameters: {
    symbol: required(CHART_SYMBOL, "ticker of /udf/symbols"),
    resolution: required(
      RESOLUTION_KIND,
      "length of a bar; weeks begin on Monday, months on the 1st, in UTC",
    ),
    from: optional(CHART_TIME, 0, "earliest start of a bar; ignored if countback is given"),
    to: optional(CHART_TIME, CURRENT_TIME, "bars start before this time"),
    countback: derived(
      integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
      `number of bars, the newest before \`to\`, however old; at most ${MAX_BARS}, even without this parameter`,
    ),
    max_lag: maxLagParameter(),
  },
  answer: z.union([barColumns, noBars]),
  example: {
    parameters: {
      symbol: "eth:0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
      resolution: "60",
      to: 1704456000,
      countback: 2,
    },
    answer: {
      s: "ok",
      t: [1704448800, 1704452400],
      o: [2255.1, 2248.4],
      h: [2257.3, 2251.9],
      l: [2246.2, 2239.8],
      c: [2248.4, 2241.9],
      v: [9120411.25, 12433190.5],
    },
  },
  cost: "read",
  protocol: "udf",
  question({ symbol: { chain, token, pool }, resolution, from, to, countback }) {
    if (countback === undefined) requireOrder(from, to);
    const query: BarsQuery = {
      ...{ token, pool, priceType: "price_token_usd_robust_tick_1", resolution },
      before: Math.max(0, to),
      from: countback === undefined ? Math.max(0, from) : 0,
      most: Math.min(countback ?? MAX_BARS, MAX_BARS),
    };
    return {
      chain,
      fromMemory: (memory) => printed(barsIn(memory, query)),
      fromEngine: async (reader, limits) => {
        const { answer, asOf } = await readSnapshot(reader, chain, limits, (snapshot) =>
          readBars(snapshot, query),
        );
        return { answer: printed(answer), asOf };
      },
    };
  },
});

function requireOrder(from: number, to: number): void {
  if (from > to) throw new InvalidParameter("from", String(from), `a time no later than \`to\` (${to})`);
}

/** Returns the JSON of an answer: the columns of up to 10,000 bars. */
function printed({ bars, olderBar }: Bars): JsonText {
  if (bars.length === 0) {
    const next = olderBar === null ? "" : `,"nextTime":${olderBar}`;
    return new JsonText(`{"s":"no_data"${next}}`);
  }
  const columns = Object.entries(COLUMNS).map(([name, of]) => `"${name}":[${bars.map(of).join(",")}]`);
  return new JsonText(`{"s":"ok",${columns.join(",")}}`);
}

const COLUMNS: Record<Exclude<keyof z.infer<typeof barColumns>, "s">, (bar: Candle) => number | null> = {
  t: ({ timestampOpen }) => timestampOpen,
  o: ({ open }) => open,
  h: ({ high }) => high,
  l: ({ low }) => low,
  c: ({ close }) => close,
  v: ({ volumeUsd }) => volumeUsd,
};
