import { CandleChart, candleChartHeight } from "../../features/candles/candle-chart.tsx";
import { IntervalChoice } from "../../features/candles/interval-choice.tsx";
import { tokenName } from "../../format/pool.ts";
import type { CandleInterval } from "../../queries/market/candle-intervals.ts";
import { type CandleOptions, candlesRequest } from "../../queries/market/candles.ts";
import { ROBUST_PRICE } from "../../queries/market/robust-price.ts";
import type { Pool } from "../../queries/pool/pool.ts";
import { Select } from "../../ui/controls/choice.tsx";
import { CopyRequest } from "../../ui/controls/copy-request.tsx";
import { Skeleton } from "../../ui/feedback/query-content.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { hasManyTokens, type Legs, tradableTokens } from "./pool-legs.ts";
import { usePoolChoices } from "./pool-search.ts";

const HEIGHT = 320;

/** The price of the traded token in this pool only. */
export function PoolCandles({ pool, legs }: { pool: Pool; legs: Legs | null }) {
  const [{ interval }, setChoices] = usePoolChoices();
  const name = tokenName(legs?.token ?? pool.tokens[0]);
  const options = legs === null ? null : optionsOf(pool, legs, interval);
  return (
    <Panel
      title={`${name} price in this pool (USD)`}
      actions={
        <>
          {hasManyTokens(pool) && legs !== null ? (
            <Select
              label="Token"
              options={tradableTokens(pool).map((token) => ({
                value: token.address,
                title: tokenName(token),
              }))}
              value={legs.token.address}
              onChange={(token) => setChoices({ token })}
            />
          ) : null}
          <IntervalChoice value={interval} onChange={(value) => setChoices({ interval: value })} />
          {options === null ? null : (
            <CopyRequest what="candles" request={{ method: "ohlc", parameters: candlesRequest(options) }} />
          )}
        </>
      }
    >
      {options === null ? (
        <Skeleton height={candleChartHeight(HEIGHT)} />
      ) : (
        <CandleChart
          key={`${interval} ${options.token_address}`}
          options={options}
          height={HEIGHT}
          subject={`${name} in this pool`}
          empty="No trade in this pool has a price yet."
        />
      )}
    </Panel>
  );
}

function optionsOf(pool: Pool, { token }: Legs, interval: CandleInterval): CandleOptions {
  return {
    chain: pool.chain,
    token_address: token.address,
    pool_address: pool.address,
    interval,
    price_type: ROBUST_PRICE,
    open_method: "prev_close",
    fill: true,
  };
}
