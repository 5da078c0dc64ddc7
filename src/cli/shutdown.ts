/** A signal that aborts at the first SIGINT or SIGTERM; a second one ends the process at once. */
export function shutdownSignal(): AbortSignal {
  const controller = new AbortController();
  const stop = (signal: NodeJS.Signals) => {
    if (controller.signal.aborted) process.exit(signal === "SIGINT" ? 130 : 143);
    controller.abort();
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  return controller.signal;
}

/** What `run` gives; null when the signal was aborted meanwhile, whatever came of it. */
export async function unlessAborted<T>(signal: AbortSignal, run: () => Promise<T>): Promise<T | null> {
  try {
    return await run();
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}

/** Resolves when the signal is aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
