import type { Candle } from "@quarry/sdk";
import { formatPrice, formatUsdCompact } from "../format/number.ts";
import { formatTime } from "../format/time.ts";

/** When a candle begins: `2026-11-22 14:05 UTC`. */
export function candleTime({ timestamp_open }: Candle): string {
  return `${formatTime(timestamp_open).slice(0, 16)} UTC`;
}

/** A candle in words, for those who hear it. */
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
