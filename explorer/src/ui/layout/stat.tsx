import type { ReactNode } from "react";
import styles from "./stat.module.css";

/** Named figures in a row that wraps. */
export function Stats({ children }: { children: ReactNode }) {
  return <dl className={styles.stats}>{children}</dl>;
}

/** A figure and its name; the hint shows where the pointer rests, and is read out. */
export function Stat({ name, children, hint }: { name: string; children: ReactNode; hint?: string }) {
  return (
    <div className={styles.stat} title={hint}>
      <dt>{name}</dt>
      <dd>{children}</dd>
      {hint === undefined ? null : <dd className="visually-hidden">{hint}</dd>}
    </div>
  );
}
