import type { Clock } from "../../lib/async/clock.ts";
import { BaseError } from "../../lib/error.ts";

interface RetryOptions {
  clock: Clock;
  signal: AbortSignal;
  /** Delays before retries; the last is repeated. */
  waitsMs: readonly number[];
  /**
   * Maximum number of consecutive retries; may be Infinity. The next error is then thrown. Retries after a
   * full disk do not count and are not limited.
   */
  maxRetries: number;
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
  const { clock, signal, maxRetries, recover, onPause } = options;
  let failures = 0;
  let counted = 0;
  while (!signal.aborted) {
    try {
      if (failures > 0) await recover();
      if (await step()) return;
      failures = 0;
      counted = 0;
    } catch (error) {
      if (signal.aborted) return;
      if (!isDiskFull(error)) counted++;
      if (!isTemporary(error) || counted > maxRetries) throw error;
      const waitMs = waitAfter(failures, options);
      failures++;
      onPause(error, waitMs);
      await clock.sleep(waitMs, signal).catch(() => undefined);
    }
  }
}

function waitAfter(failures: number, { waitsMs }: RetryOptions): number {
  return waitsMs[Math.min(failures, waitsMs.length - 1)] ?? DEFAULT_WAIT_MS;
}

/**
 * Lack of memory and a full disk also count as temporary: another query may hold the engine's memory, and the
 * operator can free disk space.
 */
function isTemporary(error: unknown): error is BaseError {
  return error instanceof BaseError && (error.retryable || error.code === "memory" || isDiskFull(error));
}

export function isDiskFull(error: unknown): boolean {
  return error instanceof BaseError && error.code === "disk-full";
}
