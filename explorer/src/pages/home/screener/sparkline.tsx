import { changeSign, formatUsd, UNKNOWN } from "../../../format/number.ts";
import { DAY_SECONDS, parseTime } from "../../../format/time.ts";
import { SPARK_SECONDS, type SparkPoint } from "../../../queries/market/market.ts";
import styles from "./sparkline.module.css";

const WIDTH = 96;
const HEIGHT = 26;
/** Margin that keeps the line from being clipped. */
const EDGE = 2;

interface SparklineProps {
  points: readonly SparkPoint[] | undefined;
  until: number;
  /** Relative change of the price; its sign sets the colour of the line. */
  change: number | null | undefined;
}

/** Draws the prices of the 24 hours before `until` as a small line, coloured by the sign of their change. */
export function Sparkline({ points, until, change }: SparklineProps) {
  if (points === undefined || points.length < 2) return <span className={styles.none}>{UNKNOWN}</span>;
  const prices = points.map(({ price_usd }) => price_usd);
  const [low, high] = [Math.min(...prices), Math.max(...prices)];
  const label = `24 h price: low ${formatUsd(low)}, high ${formatUsd(high)}`;
  return (
    <svg
      className={styles.spark}
      role="img"
      aria-label={label}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      data-sign={changeSign(change)}
    >
      <title>{label}</title>
      <polyline points={lineOf(points, { low, high, until })} />
    </svg>
  );
}

interface Scale {
  low: number;
  high: number;
  until: number;
}

function lineOf(points: readonly SparkPoint[], { low, high, until }: Scale): string {
  const start = until - DAY_SECONDS;
  const height = HEIGHT - 2 * EDGE;
  const coordinates = ({ bucket, price_usd }: SparkPoint) => {
    // A bucket's price is the price at its end.
    const time = Math.min(parseTime(bucket) + SPARK_SECONDS, until);
    const x = ((time - start) / DAY_SECONDS) * WIDTH;
    const y = high === low ? HEIGHT / 2 : HEIGHT - EDGE - ((price_usd - low) / (high - low)) * height;
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  };
  return points.map(coordinates).join(" ");
}
