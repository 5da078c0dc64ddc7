import { CandleChart } from "../../features/candles/candle-chart.tsx";
import { IntervalChoice } from "../../features/candles/interval-choice.tsx";
import { type CandleOptions, candlesRequest } from "../../queries/market/candles.ts";
import { Select, Toggle } from "../../ui/controls/choice.tsx";
import { CopyRequest } from "../../ui/controls/copy-request.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { NoTradesHere } from "./no-trades-here.tsx";
import { usePoolOptions } from "./pool-options.ts";
import styles from "./token.module.css";
import { useToken, useTokenChoices } from "./token-search.ts";

const PRICE_TYPES = [
  { value: "price_token_usd_robust_tick_1", title: "Robust" },
  { value: "price_token_usd_tick_1", title: "Every trade" },
] as const;

const OPEN_METHODS = [
  { value: "prev_close", title: "Close before" },
  { value: "first_trade", title: "First trade" },
] as const;

/** What the candles are made of, and how they are drawn. */
export function CandleTools() {
  const [choices, choose] = useTokenChoices();
  const pools = usePoolOptions();
  return (
    <div className={styles.tools}>
      <IntervalChoice value={choices.interval} onChange={(interval) => choose({ interval })} />
      <Select
        label="Prices"
        options={PRICE_TYPES}
        value={choices.price_type}
        onChange={(price_type) => choose({ price_type })}
      />
      <Select
        label="Pool"
        options={pools}
        value={choices.pool_address}
        onChange={(pool_address) => choose({ pool_address })}
      />
      <Select
        label="Open"
        options={OPEN_METHODS}
        value={choices.open_method}
        onChange={(open_method) => choose({ open_method })}
      />
      <Toggle label="Log scale" isOn={choices.is_log} onChange={(is_log) => choose({ is_log })} />
      <Toggle label="Fill gaps" isOn={choices.fill} onChange={(fill) => choose({ fill })} />
      <Toggle label="Outliers" isOn={choices.outliers} onChange={(outliers) => choose({ outliers })} />
    </div>
  );
}

const HEIGHT = 420;

export function CandlesPanel({ symbol }: { symbol: string }) {
  const { chain, address: token_address } = useToken();
  const [choices] = useTokenChoices();
  const { pool_address, interval, price_type, open_method, fill } = choices;
  const options: CandleOptions = {
    chain,
    token_address,
    pool_address,
    interval,
    price_type,
    open_method,
    fill,
  };
  return (
    <Panel
      title={`Price of ${symbol} in USD`}
      actions={
        <CopyRequest what="candles" request={{ method: "ohlc", parameters: candlesRequest(options) }} />
      }
    >
      <CandleTools />
      <CandleChart
        key={JSON.stringify(options)}
        options={options}
        height={HEIGHT}
        subject={symbol}
        isLog={choices.is_log}
        areOutliersMarked={choices.outliers}
        empty={<NoCandles symbol={symbol} />}
      />
    </Panel>
  );
}

function NoCandles({ symbol }: { symbol: string }) {
  const [{ pool_address }] = useTokenChoices();
  const appear = "so there are no candles. They appear with the first one that has.";
  if (pool_address === "all") return `No trade has a price, ${appear}`;
  return (
    <NoTradesHere symbol={symbol}>
      No trade of {symbol} in this pool has a price, {appear}
    </NoTradesHere>
  );
}
