import { z } from "zod";
import { barStart, type Resolution } from "../../../reads/bars/resolution.ts";
import { readSnapshot } from "../../../reads/snapshot/snapshot.ts";
import { type MarkedTrade, readMarks } from "../../../reads/symbols/marks.ts";
import { ADDRESS } from "../../../reads/values/hex-values.ts";
import { endpoint } from "../../endpoint/endpoint.ts";
import { CHART_SYMBOL, CHART_TIME, RESOLUTION_KIND } from "../../parameters/kinds/charts.ts";
import { CURRENT_TIME, derived, optional, required } from "../../parameters/parameter.ts";
import { maxLagParameter } from "../../parameters/shared-parameters.ts";

/** Maximum number of marks: more would hide the bars. */
const MAX_MARKS = 200;
/** Maximum number of marks per bar: charts do not show more. */
const MAX_MARKS_PER_BAR = 10;
const MARK_SIZE = 14;

const texts = z.array(z.string());

const marks = z.strictObject({
  id: z.array(z.string()),
  time: z.array(z.int()).describe("start of the bar with the trade, unix seconds"),
  color: texts,
  text: texts.describe("price, value and transaction"),
  label: texts.describe("!: outlier; B: buy; S: sell"),
  labelFontColor: texts,
  minSize: z.array(z.int()),
});

export const udfMarks = endpoint({
  name: "udfMarks",
  methods: ["GET"],
  path: "/udf/marks",
  title: "Chart marks",
  summary: `Trades to mark: those whose price was not accepted, or all trades of a wallet; the ${MAX_MARKS} with the highest value, and at most ${MAX_MARKS_PER_BAR} per bar.`,
  parameters: {
    symbol: required(CHART_SYMBOL, "ticker of /udf/symbols"),
    from: optional(CHART_TIME, 0, "earliest time"),
    to: optional(CHART_TIME, CURRENT_TIME, "latest time"),
    resolution: optional(RESOLUTION_KIND, "1", "length of the chart's bars, as in /udf/history"),
    wallet_address: derived(ADDRESS, "mark the trades of this wallet instead of outliers"),
    max_lag: maxLagParameter(),
  },
  answer: marks,
  example: {
    parameters: {
      symbol: "eth:0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
      resolution: "60",
      from: 1704412800,
    },
    answer: {
      id: ["17582200017367040"],
      time: [1704448800],
      color: ["#d97706"],
      text: ["Not accepted: buy at 2901.5 USD, 4120.25 USD, 0x0bb5e0dc49ae0b5a…"],
      label: ["!"],
      labelFontColor: ["#ffffff"],
      minSize: [14],
    },
  },
  cost: "read",
  protocol: "udf",
  async handle({ symbol, from, to, resolution, wallet_address: wallet = null }, { reader, within }) {
    const { chain, token, pool } = symbol;
    const period = { from: Math.max(0, from), until: Math.max(0, to) };
    const query = { token, pool, wallet, ...period, most: MAX_MARKS };
    const { answer, asOf } = await readSnapshot(reader, chain, within, (snapshot) =>
      readMarks(snapshot, query),
    );
    return { body: present(answer, resolution, wallet !== null), asOf };
  },
});

function present(
  trades: readonly MarkedTrade[],
  resolution: Resolution,
  isOfWallet: boolean,
): z.infer<typeof marks> {
  const shown = shownTrades(trades, resolution).map((trade) => ({
    ...{ trade, time: barStart(resolution, trade.at) },
    ...(isOfWallet ? SIDES[trade.side] : OUTLIER),
  }));
  return {
    id: shown.map(({ trade }) => String(trade.recordIndex)),
    time: shown.map(({ time }) => time),
    color: shown.map(({ color }) => color),
    text: shown.map(({ trade, title }) => `${title}${trade.side} at ${detailOf(trade)}`),
    label: shown.map(({ label }) => label),
    labelFontColor: shown.map(() => "#ffffff"),
    minSize: shown.map(() => MARK_SIZE),
  };
}

/**
 * Returns the highest-value trades in each bar, in chain order.
 *
 * @param trades highest value first
 */
function shownTrades(trades: readonly MarkedTrade[], resolution: Resolution): MarkedTrade[] {
  const perBar = new Map<number, number>();
  const shown = trades.filter(({ at }) => {
    const bar = barStart(resolution, at);
    const count = (perBar.get(bar) ?? 0) + 1;
    perBar.set(bar, count);
    return count <= MAX_MARKS_PER_BAR;
  });
  return shown.sort((a, b) => a.recordIndex - b.recordIndex);
}

const OUTLIER = { label: "!", color: "#d97706", title: "Not accepted: " };
const SIDES = {
  buy: { label: "B", color: "#15803d", title: "" },
  sell: { label: "S", color: "#b91c1c", title: "" },
};

function detailOf({ priceUsd, amountUsd, transactionHash }: MarkedTrade): string {
  return `${usd(priceUsd)}, ${usd(amountUsd)}, ${transactionHash.slice(0, 18)}…`;
}

function usd(value: number | null): string {
  return value === null ? "an unknown value" : `${Number(value.toPrecision(6))} USD`;
}
