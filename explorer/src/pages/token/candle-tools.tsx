import { IntervalChoice } from "../../candles/interval-choice.tsx";
import { Select, Toggle } from "../../ui/choice.tsx";
import { usePoolOptions } from "./pool-options.ts";
import styles from "./token.module.css";
import { useTokenChoices } from "./token-choices.ts";

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
