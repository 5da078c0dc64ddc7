import type { Clock } from "../../lib/async/clock.ts";
import { BaseError } from "../../lib/error.ts";

interface RetryOptions {
  clock: Clock;
  signal: AbortSignal;
  /** Delays before retries; the last is repeated. */
  waitsMs: readonly number[];
  /**
   * Maximum number of consecutive retries; may be Infinity. The error after the last one is thrown. Retries
   * after a full disk do not count and are not limited.
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
  const { clock, signal, recover, onPause } = options;
  let failures = NONE;
  while (!signal.aborted) {
    try {
      if (failures.all > 0) await recover();
      if (await step()) return;
      failures = NONE;
    } catch (error) {
      if (signal.aborted) return;
      failures = withFailure(failures, error);
      if (!isTemporary(error) || failures.counted > options.maxRetries) throw error;
      const waitMs = waitAfter(failures, options);
      onPause(error, waitMs);
      await clock.sleep(waitMs, signal).catch(() => undefined);
    }
  }
}

/** Numbers of consecutive failures. */
interface Failures {
  all: number;
  /** Failures that count towards the maximum. */
  counted: number;
}

const NONE: Failures = { all: 0, counted: 0 };

function withFailure({ all, counted }: Failures, error: unknown): Failures {
  return { all: all + 1, counted: isDiskFull(error) ? counted : counted + 1 };
}

function waitAfter({ all }: Failures, { waitsMs }: RetryOptions): number {
  return waitsMs[Math.min(all, waitsMs.length) - 1] ?? DEFAULT_WAIT_MS;
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
