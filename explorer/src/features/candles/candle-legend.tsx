import type { Candle } from "@quarry/sdk";
import { formatPrice, formatUsd, formatUsdCompact } from "../../format/number.ts";
import { formatTime } from "../../format/time.ts";
import type { Outlier } from "../../queries/market/outliers.ts";
import { Change, Usd } from "../../ui/values/figures.tsx";
import styles from "./candle-legend.module.css";

interface CandleLegendProps {
  candle: Candle | undefined;
  /** Outliers within the candle's interval. */
  outliers: readonly Outlier[];
}

/** Prices and volume of a candle. */
export function CandleLegend({ candle, outliers }: CandleLegendProps) {
  const { price_open, price_high, price_low, price_close } = candle ?? {};
  const [outlier] = outliers;
  return (
    <div className={styles.legend}>
      <dl data-testid="legend">
        <Figure name="Time">{candle === undefined ? "" : candleTime(candle)}</Figure>
        <Figure name="O">{formatPrice(price_open)}</Figure>
        <Figure name="H">{formatPrice(price_high)}</Figure>
        <Figure name="L">{formatPrice(price_low)}</Figure>
        <Figure name="C">{formatPrice(price_close)}</Figure>
        <Figure name="Change">
          <Change share={price_open && price_close ? price_close / price_open - 1 : null} />
        </Figure>
        <Figure name="Volume">
          <Usd usd={candle?.volume} />
        </Figure>
        <Figure name="Trades">{candle?.num_trades === 0 ? "none" : candle?.num_trades}</Figure>
      </dl>
      {outlier === undefined ? null : (
        <span className={styles.outlier}>
          {outliers.length === 1 ? "Outlier" : `${outliers.length} outliers, first`} at{" "}
          {formatUsd(outlier.price_token_usd_tick_1)}, worth {formatUsdCompact(outlier.amount_usd)}
        </span>
      )}
    </div>
  );
}

function Figure({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt className={name === "Time" ? "visually-hidden" : undefined}>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Formats the start of a candle: `2026-11-22 14:05 UTC`. */
export function candleTime({ timestamp_open }: Candle): string {
  return `${formatTime(timestamp_open).slice(0, 16)} UTC`;
}

/** Returns a description of a candle in words, for screen readers. */
export function candleText(candle: Candle): string {
  const { price_open, price_high, price_low, price_close, volume } = candle;
  const prices = [
    `open ${formatPrice(price_open)}`,
    `high ${formatPrice(price_high)}`,
    `low ${formatPrice(price_low)}`,
    `close ${formatPrice(price_close)}`,
  ];
  return `${candleTime(candle)}: ${prices.join(", ")}, volume ${formatUsdCompact(volume)}`;
}
