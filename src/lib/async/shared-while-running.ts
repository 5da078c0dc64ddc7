import type { Clock } from "./clock.ts";

/** Returns a function that starts the work unless it is already running. All callers share its result. */
export function sharedWhileRunning<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= work().finally(() => {
      running = undefined;
    });
    return running;
  };
}

/**
 * Like `sharedWhileRunning`, but callers also share the result for `keepMs` after the work has ended, unless
 * it failed.
 */
export function sharedAndKept<T>(
  work: () => Promise<T>,
  { keepMs, clock }: { keepMs: number; clock: Clock },
): () => Promise<T> {
  let kept: { result: T; atMs: number } | null = null;
  const run = sharedWhileRunning(async () => {
    const result = await work();
    kept = { result, atMs: clock.monotonic() };
    return result;
  });
  return async () => {
    if (kept !== null && clock.monotonic() - kept.atMs < keepMs) return kept.result;
    kept = null;
    return run();
  };
}
