import type { ReactNode } from "react";
import styles from "./stat.module.css";

/** A wrapping row of figures. */
export function Stats({ children }: { children: ReactNode }) {
  return <dl className={styles.stats}>{children}</dl>;
}

/** A figure and its name; the hint is a tooltip and is read by screen readers. */
export function Stat({ name, children, hint }: { name: string; children: ReactNode; hint?: string }) {
  return (
    <div className={styles.stat} title={hint}>
      <dt>{name}</dt>
      <dd>{children}</dd>
      {hint === undefined ? null : <dd className="visually-hidden">{hint}</dd>}
    </div>
  );
}
