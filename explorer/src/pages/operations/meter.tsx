import type { ReactNode } from "react";
import { NEARLY_FULL } from "./attention-items.ts";
import styles from "./meter.module.css";

interface MeterProps {
  used: number | null;
  limit: number | null;
  children: ReactNode;
}

/** A figure, with a bar that shows how much of its limit is used; without a limit, there is no bar. */
export function Meter({ used, limit, children }: MeterProps) {
  const share = used === null || limit === null || limit === 0 ? null : Math.min(1, used / limit);
  return (
    <span className={styles.meter}>
      <span>{children}</span>
      {share === null ? null : (
        <span className={styles.bar} aria-hidden="true" data-full={share >= NEARLY_FULL}>
          <span className={styles.fill} style={{ width: `${100 * share}%` }} />
        </span>
      )}
    </span>
  );
}
