import type { PoolTvl, PoolTvlPoint } from "@quarry/sdk";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { ChartColour } from "../../../charts/chart-colours.ts";
import { Legend } from "../../../charts/legend.tsx";
import { type StackedValues, StackSeries } from "../../../charts/stack-series.tsx";
import { TimeChart } from "../../../charts/time-chart.tsx";
import { formatUsdCompact } from "../../../format/number.ts";
import { tokenName } from "../../../format/pool.ts";
import { useIndexedTime, useRollbacks } from "../../../queries/chain/use-chain.ts";
import { type HistoryRange, historyPeriod } from "../../../queries/pool/history-period.ts";
import type { Pool } from "../../../queries/pool/pool.ts";
import { poolHistoryQuery } from "../../../queries/pool/pool-history.ts";
import { Choice } from "../../../ui/controls/choice.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { QueryContent, Skeleton } from "../../../ui/feedback/query-content.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import styles from "../pool-page.module.css";
import { usePoolChoices } from "../pool-search.ts";
import { CHART_COLOURS } from "./token-colours.ts";

const RANGES: readonly { value: HistoryRange; title: string }[] = [
  { value: "1d", title: "1 d" },
  { value: "7d", title: "7 d" },
  { value: "30d", title: "30 d" },
  { value: "all", title: "All" },
];

const HEIGHT = 280;
/** Height of the chart including the legend and the note, in pixels. */
const TOTAL_HEIGHT = HEIGHT + 76;

/** The pool's TVL over time, split by token. */
export function PoolHistory({ pool, tvl }: { pool: Pool; tvl: PoolTvl | null }) {
  const [{ range }, setChoices] = usePoolChoices();
  const now = useIndexedTime(pool.chain);
  // Without a creation time, "all" has no start.
  const ranges = pool.created === null ? RANGES.filter(({ value }) => value !== "all") : RANGES;
  return (
    <Panel
      title="TVL over time"
      actions={
        <Choice
          label="TVL range"
          options={ranges}
          value={range}
          onChange={(value) => setChoices({ range: value })}
        />
      }
    >
      {now === null ? (
        <Skeleton height={TOTAL_HEIGHT} />
      ) : (
        <History pool={pool} now={{ time: now, tvl }} range={range} />
      )}
    </Panel>
  );
}

/** The pool's current TVL. */
interface NewestPoint {
  /** Unix seconds. */
  time: number;
  tvl: PoolTvl | null;
}

function History({ pool, now, range }: { pool: Pool; now: NewestPoint; range: HistoryRange }) {
  const period = historyPeriod(range, now.time, pool.created?.timestamp ?? null);
  const rollbacks = useRollbacks(pool.chain);
  const history = useQuery({
    ...poolHistoryQuery(pool, period, rollbacks),
    placeholderData: keepPreviousData,
  });
  const parts = partsOf(pool);
  return (
    <QueryContent query={history} height={TOTAL_HEIGHT}>
      {(past) => (
        <div data-loading={history.isPlaceholderData} className={styles.history}>
          <Legend items={[{ name: "TVL", colour: "text" }, ...parts.toReversed()]} />
          <Chart past={past} now={now} parts={parts} />
        </div>
      )}
    </QueryContent>
  );
}

interface Part {
  name: string;
  colour: ChartColour;
}

/**
 * Returns the areas of the chart: one for each of the first two tokens, and one for all others, whose values
 * the API does not split.
 */
function partsOf({ tokens: [first, second, ...others] }: Pool): Part[] {
  const names = [tokenName(first), tokenName(second), others.map(tokenName).join(", ")];
  return CHART_COLOURS.map((colour, i) => ({ name: names[i] ?? "", colour })).filter(
    ({ name }) => name !== "",
  );
}

interface ChartProps {
  past: readonly PoolTvlPoint[];
  now: NewestPoint;
  parts: readonly Part[];
}

function Chart({ past, now, parts }: ChartProps) {
  const { time, tvl } = now;
  const points = useMemo(() => {
    const earlier = past.filter(({ as_of_timestamp }) => as_of_timestamp < time);
    const at = (point: PoolTvl | PoolTvlPoint | null) => valuesOf(point, parts.length);
    return [
      ...earlier.map((point) => ({ time: point.as_of_timestamp, values: at(point) })),
      { time, values: at(tvl) },
    ];
  }, [past, time, tvl, parts.length]);
  const colours = useMemo(
    () => ({ values: CHART_COLOURS.slice(0, parts.length), sum: "text" as const }),
    [parts.length],
  );
  const gaps = points.filter(({ values }) => values === null).length;
  if (gaps === points.length) {
    return <Notice>The value is unknown at all points in time. See the reason under Composition.</Notice>;
  }
  return (
    <>
      <TimeChart label="TVL of the pool over time" height={HEIGHT}>
        <StackSeries points={points} format={formatUsdCompact} colours={colours} />
      </TimeChart>
      <p className={styles.note}>{pointsText(points.length, gaps)}</p>
    </>
  );
}

function pointsText(count: number, gaps: number): string {
  if (count === 1) return "The only point is the current value.";
  const rule = "each valued at the balances and robust prices of that time; the last is the current value.";
  const missing =
    gaps === 0
      ? ""
      : ` ${gaps} of them ${gaps === 1 ? "is a gap" : "are gaps"}, because a balance or price was unknown.`;
  return `${count} points in time, ${rule}${missing}`;
}

/**
 * Returns the values of the areas. With more than two tokens, the last value is the total minus the first
 * two.
 */
function valuesOf(tvl: PoolTvl | PoolTvlPoint | null, count: number): StackedValues | null {
  const {
    token_0_balance_usd: first = null,
    token_1_balance_usd: second = null,
    tvl_usd: sum = null,
  } = tvl ?? {};
  if (first === null || second === null || sum === null) return null;
  return count === 2 ? [first, second] : [first, second, Math.max(0, sum - first - second)];
}
