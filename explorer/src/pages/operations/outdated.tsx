import type { UseQueryResult } from "@tanstack/react-query";
import { formatTime } from "../../format/time.ts";
import styles from "./operations.module.css";

type Updated = Pick<UseQueryResult, "data" | "dataUpdatedAt" | "error" | "isPaused">;

/** Returns whether a query has data that its latest refresh did not replace. */
export function isOutdated({ data, error, isPaused }: Updated): boolean {
  return data !== undefined && (error !== null || isPaused);
}

/** If a query's figures are outdated, shows their time and why they are not updated. */
export function Outdated({ query, what }: { query: Updated; what: string }) {
  if (!isOutdated(query)) return null;
  const reason = query.error?.message ?? "The browser is offline.";
  return (
    <p className={styles.outdated} role="alert">
      {what} were last updated at {formatTime(query.dataUpdatedAt / 1000)} UTC; updates are failing: {reason}
    </p>
  );
}
