import type { Clock } from "../../lib/async/clock.ts";
import { BaseError } from "../../lib/error.ts";

interface RetryOptions {
  clock: Clock;
  signal: AbortSignal;
  /** Delays before retries; the last is repeated. */
  waitsMs: readonly number[];
  /**
   * Maximum number of consecutive retries; null: no limit. After that, the next error is thrown unless it is
   * a full disk.
   */
  maxFailures: number | null;
  /** Runs before each retry. Its errors count as errors of the step. */
  recover(): Promise<void>;
  onPause(error: BaseError, waitMs: number): void;
}

const DEFAULT_WAIT_MS = 1_000;

/**
 * Repeats a step until it returns true or the signal aborts. Retries it after temporary failures, with
 * backoff.
 */
export async function repeatUntilDone(step: () => Promise<boolean>, options: RetryOptions): Promise<void> {
  const { clock, signal, waitsMs, recover, onPause } = options;
  let failures = 0;
  while (!signal.aborted) {
    try {
      if (failures > 0) await recover();
      if (await step()) return;
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      if (!isTemporary(error) || isLast(error, failures, options)) throw error;
      const waitMs = waitsMs[Math.min(failures, waitsMs.length - 1)] ?? DEFAULT_WAIT_MS;
      failures++;
      onPause(error, waitMs);
      await clock.sleep(waitMs, signal).catch(() => undefined);
    }
  }
}

/**
 * Lack of memory and a full disk also count as temporary: another query may hold the engine's memory, and the
 * operator can free disk space.
 */
function isTemporary(error: unknown): error is BaseError {
  return error instanceof BaseError && (error.retryable || error.code === "memory" || isDiskFull(error));
}

function isLast(error: BaseError, failures: number, { maxFailures }: RetryOptions): boolean {
  return maxFailures !== null && failures >= maxFailures && !isDiskFull(error);
}

export function isDiskFull(error: unknown): boolean {
  return error instanceof BaseError && error.code === "disk-full";
}
