import type { Candle } from "@quarry/sdk";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { CandleSeries } from "../../charts/candle-series.tsx";
import { TimeChart } from "../../charts/time-chart.tsx";
import { formatCount, formatUsd, formatUsdCompact } from "../../format/number.ts";
import { nameOf } from "../../format/pool.ts";
import { formatTime } from "../../format/time.ts";
import type { Pool } from "../../questions/pool.ts";
import {
  CANDLE_INTERVALS,
  type CandleInterval,
  MAX_CANDLES,
  poolCandlesQuestion,
  poolCandlesRequest,
} from "../../questions/pool-candles.ts";
import { Answered } from "../../ui/answered.tsx";
import { Choice } from "../../ui/choice.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Panel } from "../../ui/panel.tsx";
import { RequestCopy } from "../../ui/request-copy.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import type { Legs } from "./legs.ts";
import styles from "./pool-candles.module.css";

const HEIGHT = 320;
const ROOM = HEIGHT + 40;
const OPTIONS = CANDLE_INTERVALS.map((value) => ({ value, title: value }));

/** The price of the pool's token in this pool alone. */
export function PoolCandles({ pool, legs }: { pool: Pool; legs: Legs | null }) {
  const [interval, choose] = useState<CandleInterval>("1h");
  const name = nameOf(legs?.token ?? pool.tokens[0]);
  return (
    <Panel
      title={`Price of ${name} here, in USD`}
      actions={
        <>
          <Choice label="Length of a candle" options={OPTIONS} value={interval} onChange={choose} />
          {legs === null ? null : (
            <RequestCopy
              what="candles"
              request={{ method: "ohlc", question: poolCandlesRequest(pool, legs.token, interval) }}
            />
          )}
        </>
      }
    >
      {legs === null ? (
        <Skeleton height={ROOM} />
      ) : (
        <Candles key={interval} pool={pool} legs={legs} interval={interval} />
      )}
    </Panel>
  );
}

function Candles({ pool, legs, interval }: { pool: Pool; legs: Legs; interval: CandleInterval }) {
  const candles = useQuery(poolCandlesQuestion(pool, legs.token, interval));
  const [pointed, setPointed] = useState<number | null>(null);
  const name = nameOf(legs.token);
  return (
    <Answered query={candles} height={ROOM}>
      {(all) =>
        all.length === 0 ? (
          <Notice>No trade in this pool has a price yet, so there are no candles.</Notice>
        ) : (
          <>
            <Told candle={all.find(({ timestamp_open }) => timestamp_open === pointed) ?? all.at(-1)} />
            <TimeChart label={`${interval} candles of ${name} in this pool`} height={HEIGHT}>
              <CandleSeries candles={all} isLog={false} marks={NONE} onPoint={setPointed} onMove={stay} />
            </TimeChart>
            {all.length < MAX_CANDLES ? null : (
              <p className={styles.told}>The newest {formatCount(MAX_CANDLES)} candles.</p>
            )}
          </>
        )
      }
    </Answered>
  );
}

const NONE: readonly never[] = [];

function stay(): void {}

/** The candle that is pointed at, else the newest, in figures. */
function Told({ candle }: { candle: Candle | undefined }) {
  if (candle === undefined) return null;
  const { timestamp_open, price_open, price_high, price_low, price_close, volume } = candle;
  return (
    <p className={styles.told}>
      <span>{formatTime(timestamp_open).slice(0, 16)}</span>
      <span>O {formatUsd(price_open)}</span>
      <span>H {formatUsd(price_high)}</span>
      <span>L {formatUsd(price_low)}</span>
      <span>C {formatUsd(price_close)}</span>
      <span>Volume {formatUsdCompact(volume)}</span>
    </p>
  );
}
