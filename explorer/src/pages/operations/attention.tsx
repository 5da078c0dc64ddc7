import type { Operations, Status } from "@quarry/sdk";
import { chainItems, serviceItems } from "./attention-items.ts";
import styles from "./operations.module.css";

interface AttentionProps {
  status: Status | undefined;
  /** Undefined while unknown, or if it may not be read. */
  operations: Operations | undefined;
  /** False if the figures are outdated, so they cannot show that nothing needs attention. */
  isCurrent: boolean;
}

/**
 * Lists what the operator should look at first. Says that nothing needs attention only if everything is
 * known.
 */
export function Attention({ status, operations, isCurrent }: AttentionProps) {
  if (status === undefined) return null;
  const ofService = operations === undefined ? [] : serviceItems(operations);
  const items = [...chainItems(status.chains), ...ofService];
  if (items.length === 0 && (operations === undefined || !isCurrent)) return null;
  return (
    <div className={styles.attention} data-calm={items.length === 0}>
      <p role="status">{summaryOf(items.length)}</p>
      {items.length === 0 ? null : (
        <ul aria-label="Needs attention">
          {items.map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

/**
 * Returns the heading of the list. Screen readers announce it when it changes. It contains no figures of the
 * list, because these change every two seconds.
 */
function summaryOf(count: number): string {
  if (count === 0) return "Nothing needs attention.";
  return count === 1 ? "One thing needs attention:" : `${count} things need attention:`;
}
