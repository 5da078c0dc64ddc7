import type { Operations, Status } from "@quarry/sdk";
import { chainItems, serviceItems } from "./attention-items.ts";
import styles from "./operations.module.css";

interface AttentionProps {
  status: Status | undefined;
  /** Undefined while unknown, and if it may not be read. */
  operations: Operations | undefined;
}

/** What the operator should look at first; says so if there is nothing, and everything is known. */
export function Attention({ status, operations }: AttentionProps) {
  if (status === undefined) return null;
  const ofService = operations === undefined ? [] : serviceItems(operations);
  const items = [...chainItems(status.chains), ...ofService];
  if (items.length === 0 && operations === undefined) return null;
  return (
    <div role="status">
      {items.length === 0 ? (
        <p className={styles.calm}>Nothing needs attention.</p>
      ) : (
        <ul className={styles.attention} aria-label="Needs attention">
          {items.map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
