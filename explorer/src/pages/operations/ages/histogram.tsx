import styles from "./histogram.module.css";
import { type Bucket, barsOf, boundText, positionOf, TICKS } from "./histogram-bars.ts";

/** A small histogram of block ages. All histograms have the same axis, so they can be compared. */
export function Histogram({ buckets }: { buckets: readonly Bucket[] }) {
  const bars = barsOf(buckets);
  return (
    <div className={styles.histogram} role="img" aria-label={bars.map(({ hint }) => hint).join(", ")}>
      <div className={styles.bars}>
        {bars.map(({ left, width, height, hint }) => (
          <span
            key={left}
            className={styles.bar}
            title={hint}
            style={{ left: `${left}%`, width: `${width}%`, height: `${height}%` }}
          />
        ))}
      </div>
      <div className={styles.axis}>
        {TICKS.map((seconds) => (
          <span key={seconds} style={{ left: `${positionOf(seconds)}%` }}>
            {boundText(seconds)}
          </span>
        ))}
      </div>
    </div>
  );
}
