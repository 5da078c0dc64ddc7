import type { ReactNode } from "react";
import { CopyButton } from "../controls/copy-button.tsx";
import styles from "./details.module.css";

/** A list of names and values, one per line. */
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

/** An address, hash or other bytes in full, with a copy button. */
export function Hex({ text, what }: { text: string; what: string }) {
  return (
    <span className={styles.hex}>
      <code>{text}</code>
      <CopyButton text={text} what={what} />
    </span>
  );
}
