import type { PoolTvl, PoolTvlPoint } from "@quarry/sdk";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Legend } from "../../charts/legend.tsx";
import type { TimePoint } from "../../charts/segments.ts";
import { type StackedValues, StackSeries } from "../../charts/stack-series.tsx";
import { TimeChart } from "../../charts/time-chart.tsx";
import { formatUsdCompact } from "../../format/number.ts";
import { tokenName } from "../../format/pool.ts";
import { useIndexedTime } from "../../queries/chain/use-chain.ts";
import { type HistoryRange, historyPeriod } from "../../queries/pool/history-period.ts";
import type { Pool } from "../../queries/pool/pool.ts";
import { poolHistoryQuery } from "../../queries/pool/pool-history.ts";
import { Choice } from "../../ui/controls/choice.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { QueryContent, Skeleton } from "../../ui/feedback/query-content.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { SIDE_COLOURS } from "./pool-composition.tsx";
import styles from "./pool-page.module.css";
import { usePoolChoices } from "./pool-search.ts";

const RANGES: readonly { value: HistoryRange; title: string }[] = [
  { value: "1d", title: "1 d" },
  { value: "7d", title: "7 d" },
  { value: "30d", title: "30 d" },
  { value: "all", title: "All" },
];

const HEIGHT = 280;
/** Height of the chart with legend and note. */
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

/** The pool's TVL now. */
interface NewestPoint {
  /** Unix seconds. */
  time: number;
  tvl: PoolTvl | null;
}

function History({ pool, now, range }: { pool: Pool; now: NewestPoint; range: HistoryRange }) {
  const period = historyPeriod(range, now.time, pool.created?.timestamp ?? null);
  const history = useQuery({ ...poolHistoryQuery(pool, period), placeholderData: keepPreviousData });
  const [first, second] = pool.tokens;
  const [firstColour, secondColour] = SIDE_COLOURS;
  return (
    <QueryContent query={history} height={TOTAL_HEIGHT}>
      {(past) => (
        <div data-loading={history.isPlaceholderData} className={styles.history}>
          <Legend
            items={[
              { name: "TVL", colour: "text" },
              { name: tokenName(second), colour: secondColour },
              { name: tokenName(first), colour: firstColour },
            ]}
          />
          <Chart past={past} now={now} />
        </div>
      )}
    </QueryContent>
  );
}

function Chart({ past, now }: { past: readonly PoolTvlPoint[]; now: NewestPoint }) {
  const { time, tvl } = now;
  const points = useMemo(() => {
    const earlier = past.filter(({ as_of_timestamp }) => as_of_timestamp < time);
    return [...earlier.map((point) => pointAt(point.as_of_timestamp, point)), pointAt(time, tvl)];
  }, [past, time, tvl]);
  const gaps = points.filter(({ values }) => values === null).length;
  const [first, second] = SIDE_COLOURS;
  if (gaps === points.length) {
    return <Notice>The value is unknown at all points in time. See the reason under Composition.</Notice>;
  }
  return (
    <>
      <TimeChart label="TVL of the pool over time" height={HEIGHT}>
        <StackSeries
          points={points}
          format={formatUsdCompact}
          colours={{ lower: first, upper: second, sum: "text" }}
        />
      </TimeChart>
      <p className={styles.note}>
        {points.length} points in time, each at the balances and robust prices of that time; the last is now.
        {gaps === 0 ? "" : ` ${gaps} of them are gaps, because a balance or price was unknown.`}
      </p>
    </>
  );
}

function pointAt(time: number, tvl: PoolTvl | PoolTvlPoint | null): TimePoint<StackedValues> {
  const first = tvl?.token_0_balance_usd ?? null;
  const second = tvl?.token_1_balance_usd ?? null;
  return { time, values: first === null || second === null ? null : [first, second] };
}
