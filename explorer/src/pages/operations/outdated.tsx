import type { UseQueryResult } from "@tanstack/react-query";
import { formatTime } from "../../format/time.ts";
import styles from "./operations.module.css";

type Updated = Pick<UseQueryResult, "data" | "dataUpdatedAt" | "error" | "isPaused">;

/** Returns whether a query has data that its latest refresh did not replace. */
export function isOutdated({ data, error, isPaused }: Updated): boolean {
  return data !== undefined && (error !== null || isPaused);
}

/** Shows the time of a query's figures if they are outdated, and why they do not update. */
export function Outdated({ query, what }: { query: Updated; what: string }) {
  if (!isOutdated(query)) return null;
  const reason = query.error?.message ?? "The browser is offline.";
  return (
    <p className={styles.outdated} role="alert">
      {what} as of {formatTime(query.dataUpdatedAt / 1000)} UTC, because updates fail: {reason}
    </p>
  );
}
