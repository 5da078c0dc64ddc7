import type { Clock } from "./clock.ts";

/** Starts a timer whose promise resolves with the value after the delay, or never if cancelled before. */
export function timeoutOf<T>(
  delayMs: number,
  value: T,
  clock: Clock,
): { elapsed: Promise<T>; cancel: () => void } {
  let cancel = () => {};
  const elapsed = new Promise<T>((resolve) => {
    cancel = clock.after(delayMs, () => resolve(value));
  });
  return { elapsed, cancel };
}
