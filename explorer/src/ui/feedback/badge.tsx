import type { ReactNode } from "react";
import styles from "./badge.module.css";

interface BadgeProps {
  tone: "up" | "down" | "warn" | "quiet";
  hint?: string;
  children: ReactNode;
}

/** A short label for a state. */
export function Badge({ tone, hint, children }: BadgeProps) {
  return (
    <span className={styles.badge} data-tone={tone} title={hint}>
      {children}
    </span>
  );
}
