import { CopyButton } from "./copy-button.tsx";
import styles from "./hex.module.css";

/** An address, hash or other bytes in full, to be copied. `what` names it. */
export function Hex({ text, what }: { text: string; what: string }) {
  return (
    <span className={styles.hex}>
      <code>{text}</code>
      <CopyButton text={text} what={what} />
    </span>
  );
}
