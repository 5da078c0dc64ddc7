import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ErrorNotice } from "./notice.tsx";
import styles from "./query-content.module.css";

interface QueryContentProps<T> {
  query: UseQueryResult<T>;
  /** The room that the answer will take, so that nothing jumps when it comes. */
  height: number;
  children: (answer: T) => ReactNode;
}

/** Shows an answer, or that it is awaited, or why there is none. An older answer stays while a newer one is awaited. */
export function QueryContent<T>({ query, height, children }: QueryContentProps<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error !== null) return <ErrorNotice error={query.error} retry={() => void query.refetch()} />;
  return <Skeleton height={height} />;
}

/** Keeps the room of what is awaited. Height in pixels. */
export function Skeleton({ height }: { height: number }) {
  return <div className={styles.skeleton} style={{ height }} aria-busy="true" />;
}
