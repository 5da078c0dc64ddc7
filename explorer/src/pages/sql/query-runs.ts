import type { SqlStream } from "@quarry/sdk";
import { useCallback, useEffect, useRef, useState } from "react";
import { quarry } from "../../queries/service/client.ts";
import type { Row } from "./result/result-columns.ts";

/** Maximum number of rows shown; a download may have more. */
export const MAX_SHOWN_ROWS = 50_000;

export interface Answer extends Omit<SqlStream<Row>, "rows"> {
  query: string;
  rows: Row[];
  /** Whether the answer has more rows than are shown. */
  isCut: boolean;
}

export type Outcome =
  | { kind: "answered"; answer: Answer }
  | { kind: "failed"; query: string; error: Error }
  | { kind: "cancelled"; query: string };

export interface Running {
  query: string;
  /** In ms since the page was loaded (performance.now()). */
  startedAt: number;
}

export interface Runs {
  running: Running | null;
  /** The outcome of the last run; kept while the next one runs. */
  outcome: Outcome | null;
  run(query: string): void;
  /** Aborts the query; the service stops it when the connection closes. */
  cancel(): void;
}

/** Runs one query at a time; a new run aborts the current one. */
export function useRuns(onEnd: (outcome: Outcome) => void): Runs {
  const [running, setRunning] = useState<Running | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const current = useRef<AbortController | null>(null);
  const run = useCallback(
    (query: string) => {
      current.current?.abort();
      const controller = new AbortController();
      current.current = controller;
      setRunning({ query, startedAt: performance.now() });
      void outcomeOf(query, controller.signal).then((ended) => {
        if (current.current !== controller) return;
        current.current = null;
        setRunning(null);
        setOutcome(ended);
        onEnd(ended);
      });
    },
    [onEnd],
  );
  const cancel = useCallback(() => current.current?.abort(), []);
  useEffect(() => {
    return () => {
      current.current?.abort();
      current.current = null;
    };
  }, []);
  return { running, outcome, run, cancel };
}

async function outcomeOf(query: string, signal: AbortSignal): Promise<Outcome> {
  try {
    return { kind: "answered", answer: await answerOf(query, signal) };
  } catch (error) {
    if (signal.aborted) return { kind: "cancelled", query };
    return { kind: "failed", query, error: error instanceof Error ? error : new TypeError(String(error)) };
  }
}

async function answerOf(query: string, signal: AbortSignal): Promise<Answer> {
  const { rows: stream, ...facts } = await quarry.sqlStream<Row>(query, { signal });
  const rows: Row[] = [];
  for await (const row of stream) {
    if (rows.length === MAX_SHOWN_ROWS) return { ...facts, query, rows, isCut: true };
    rows.push(row);
  }
  return { ...facts, query, rows, isCut: false };
}

const STEP_MS = 100;

/** Returns the milliseconds since a time of performance.now(), updated ten times a second. */
export function useElapsed(startedAt: number): number {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), STEP_MS);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, now - startedAt);
}
