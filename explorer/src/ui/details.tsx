import type { ReactNode } from "react";
import styles from "./details.module.css";

/** Named values of one thing, a line each. */
export function Details({ children }: { children: ReactNode }) {
  return <dl className={styles.details}>{children}</dl>;
}

export function Detail({ name, hint, children }: { name: string; hint?: string; children: ReactNode }) {
  return (
    <div className={styles.detail}>
      <dt title={hint}>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
