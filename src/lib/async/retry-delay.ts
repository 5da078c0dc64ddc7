/**
 * Returns the delay before a retry: a random value between half of a limit and the limit. The limit doubles
 * with each failure, up to `maxMs`.
 */
export function retryDelayMs(failures: number, minMs: number, maxMs: number): number {
  return Math.min(maxMs, minMs * 2 ** (failures - 1)) * (0.5 + Math.random() / 2);
}
