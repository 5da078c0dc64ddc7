import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { BaseError } from "../../lib/error.ts";
import type { RpcLimits } from "./limits.ts";

interface RetryOptions {
  limits: RpcLimits;
  signal: AbortSignal | undefined;
  /** Whether to go on after this many failures, the last of them being `error`. */
  goesOn: (failures: number, error: BaseError) => boolean;
}

/** Calls until it succeeds, fails for good, or is aborted. Waits longer each time, and never in step with others. */
export async function retrying<T>(call: () => Promise<T>, options: RetryOptions): Promise<T> {
  for (let failures = 1; ; failures++) {
    options.signal?.throwIfAborted();
    try {
      return await call();
    } catch (error) {
      options.signal?.throwIfAborted();
      if (!(error instanceof BaseError && error.retryable && options.goesOn(failures, error))) throw error;
    }
    await pause(failures, options);
  }
}

async function pause(failures: number, { limits, signal }: RetryOptions): Promise<void> {
  const longest = Math.min(limits.maxRetryDelayMs, limits.minRetryDelayMs * 2 ** (failures - 1));
  await sleepUnlessAborted(longest * (0.5 + Math.random() / 2), signal);
}

/** Rejects with the signal's own reason. */
export async function sleepUnlessAborted(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  if (delayMs <= 0) return;
  try {
    await sleep(delayMs, undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}

/**
 * Runs something that ends when any of the signals aborts, or on its own account. AbortSignal.any would leave
 * a trace with each signal that outlives it.
 */
export async function stoppable<T>(
  signals: readonly AbortSignal[],
  run: (stop: AbortController) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const ends = signals.map((signal) => ({ signal, abort: () => stop.abort(signal.reason) }));
  for (const { signal, abort } of ends) {
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  }
  try {
    return await run(stop);
  } finally {
    for (const { signal, abort } of ends) signal.removeEventListener("abort", abort);
  }
}
