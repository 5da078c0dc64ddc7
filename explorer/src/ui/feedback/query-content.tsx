import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ErrorNotice } from "./notice.tsx";
import styles from "./query-content.module.css";

interface QueryContentProps<T> {
  query: UseQueryResult<T>;
  /** Expected height of the content in pixels, reserved while it loads so that the layout does not shift. */
  height: number;
  children: (data: T) => ReactNode;
}

/**
 * Renders the data of a query, a skeleton while it loads, or its error. Data stays visible while it is
 * refetched.
 */
export function QueryContent<T>({ query, height, children }: QueryContentProps<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error !== null) return <ErrorNotice error={query.error} retry={() => void query.refetch()} />;
  return <Skeleton height={height} />;
}

/** Placeholder for loading content. Height in pixels. */
export function Skeleton({ height }: { height: number }) {
  return <div className={styles.skeleton} style={{ height }} aria-busy="true" />;
}
