import type { Clock } from "../../lib/async/clock.ts";
import { retryDelayMs } from "../../lib/async/retry-delay.ts";
import { BaseError } from "../../lib/error.ts";
import type { RpcLimits } from "./limits.ts";

interface RetryOptions {
  limits: Pick<RpcLimits, "minRetryDelayMs" | "maxRetryDelayMs">;
  clock: Clock;
  signal: AbortSignal | undefined;
  /** Whether to retry after this many failures, of which `error` is the last. */
  shouldRetry: (failures: number, error: BaseError) => boolean;
}

/** Repeats a call until it succeeds, fails for good or is aborted, with exponential backoff and jitter. */
export async function retrying<T>(call: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { limits, clock, signal, shouldRetry } = options;
  for (let failures = 1; ; failures++) {
    signal?.throwIfAborted();
    try {
      return await call();
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof BaseError && error.retryable && shouldRetry(failures, error))) throw error;
    }
    await clock.sleep(retryDelayMs(failures, limits.minRetryDelayMs, limits.maxRetryDelayMs), signal);
  }
}
