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
  { value: "price_token_usd_tick_1", title: "All trades" },
] as const;

const OPEN_METHODS = [
  { value: "prev_close", title: "Prev. close" },
  { value: "first_trade", title: "First trade" },
] as const;

/** Controls that choose which candles are shown, and how. */
function CandleTools() {
  const [choices, setChoices] = useTokenChoices();
  const pools = usePoolOptions();
  return (
    <div className={styles.tools}>
      <IntervalChoice value={choices.interval} onChange={(interval) => setChoices({ interval })} />
      <Select
        label="Price type"
        options={PRICE_TYPES}
        value={choices.price_type}
        onChange={(price_type) => setChoices({ price_type })}
      />
      <Select
        label="Pool"
        options={pools}
        value={choices.pool_address}
        onChange={(pool_address) => setChoices({ pool_address })}
      />
      <Select
        label="Open"
        options={OPEN_METHODS}
        value={choices.open_method}
        onChange={(open_method) => setChoices({ open_method })}
      />
      <Toggle label="Log scale" isOn={choices.is_log} onChange={(is_log) => setChoices({ is_log })} />
      <Toggle label="Fill gaps" isOn={choices.fill} onChange={(fill) => setChoices({ fill })} />
      <Toggle label="Outliers" isOn={choices.outliers} onChange={(outliers) => setChoices({ outliers })} />
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
      title={`${symbol} price (USD)`}
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
  const advice = "Candles appear with the first priced trade.";
  if (pool_address === "all") return `No trade has a price. ${advice}`;
  return (
    <NoTradesHere symbol={symbol}>
      No {symbol} trade in this pool has a price. {advice}
    </NoTradesHere>
  );
}
