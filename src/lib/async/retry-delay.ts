/**
 * Returns the delay before a retry. It doubles with each failure up to the maximum, and is random between
 * half of that and all of it.
 */
export function retryDelayMs(failures: number, minMs: number, maxMs: number): number {
  return Math.min(maxMs, minMs * 2 ** (failures - 1)) * (0.5 + Math.random() / 2);
}
