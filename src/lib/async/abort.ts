import { setMaxListeners } from "node:events";

/**
 * Calls the listener once when the signal aborts, or immediately if it already has. Returns a function that
 * removes the listener. If listeners were not removed, a signal that outlives many operations would keep all
 * these operations in memory.
 */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  if (signal === undefined) return () => undefined;
  if (signal.aborted) {
    listener();
    return () => undefined;
  }
  // Many operations may share a signal, and each removes its listener, so Node's leak warning would be wrong.
  // 0 would also disable it, but `fetch` rejects a signal whose limit is 0.
  setMaxListeners(Number.POSITIVE_INFINITY, signal);
  signal.addEventListener("abort", listener, { once: true });
  return () => signal.removeEventListener("abort", listener);
}

/** Resolves when the signal aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    onAbort(signal, resolve);
  });
}

/** Returns the result of `run`, or null if `run` failed and the signal has aborted. */
export async function unlessAborted<T>(signal: AbortSignal, run: () => Promise<T>): Promise<T | null> {
  try {
    return await run();
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}

/**
 * Runs an operation with its own controller, which aborts when any of the signals does. Unlike
 * `AbortSignal.any`, it leaves no listeners on signals that outlive the operation.
 */
export async function withAbort<T>(
  signals: readonly (AbortSignal | undefined)[],
  run: (controller: AbortController) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  const removers = signals.map((signal) => onAbort(signal, () => controller.abort(signal?.reason)));
  try {
    return await run(controller);
  } finally {
    for (const remove of removers) remove();
  }
}
