import { setTimeout as sleep } from "node:timers/promises";
import { lacksFileHandles } from "../../src/lib/system-error.ts";

const RETRY_MS = 100;
/**
 * Maximum wait for a free file handle. The service holds most of its file handles for only one request or
 * statement, so some become free soon.
 */
const MAX_WAIT_MS = 60_000;

/**
 * Retries work that fails because this process has no free file handle. The service runs in the same process,
 * and a sudden increase in its clients must not stop the market.
 */
export async function withFileHandle<T>(work: () => T | Promise<T>): Promise<T> {
  for (let waitedMs = 0; ; waitedMs += RETRY_MS) {
    try {
      return await work();
    } catch (error) {
      if (waitedMs >= MAX_WAIT_MS || !isWithoutHandle(error)) throw error;
      await sleep(RETRY_MS);
    }
  }
}

/**
 * Returns true if the cause of the error is a lack of file handles. Other errors may wrap the original one.
 */
function isWithoutHandle(error: unknown): boolean {
  return error instanceof Error && (lacksFileHandles(error) || isWithoutHandle(error.cause));
}
