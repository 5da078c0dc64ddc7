import { type ReactNode, useId } from "react";
import styles from "./panel.module.css";

interface PanelProps {
  title: ReactNode;
  /** Controls to the right of the title. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A section of a page with a heading. */
export function Panel({ title, actions, children }: PanelProps) {
  const id = useId();
  return (
    <section className={styles.panel} aria-labelledby={id}>
      <header className={styles.header}>
        <h2 id={id}>{title}</h2>
        {actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </section>
  );
}
