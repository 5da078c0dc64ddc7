import type { ChartColour } from "./chart-colours.ts";
import styles from "./legend.module.css";

/** Explains a chart's colours. */
export function Legend({ items }: { items: readonly { name: string; colour: ChartColour }[] }) {
  return (
    <ul className={styles.legend}>
      {items.map(({ name, colour }) => (
        <li key={name}>
          <span className={styles.key} style={{ background: `var(--${colour})` }} aria-hidden="true" />
          {name}
        </li>
      ))}
    </ul>
  );
}
