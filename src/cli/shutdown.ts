import { systemClock } from "../lib/async/clock.ts";

/**
 * Time to exit after the first signal: ten seconds for running requests (`shutdownMs`), and a few for the
 * last commit and the log. A statement that the engine cannot interrupt may take longer.
 */
export const STOP_MS = 15_000;

/**
 * Returns an AbortSignal that aborts at the first SIGINT or SIGTERM. A second SIGINT or SIGTERM ends the
 * process, and so does a shutdown that takes too long.
 */
export function shutdownSignal(stopMs = STOP_MS): AbortSignal {
  const controller = new AbortController();
  const stop = (signal: NodeJS.Signals) => {
    if (controller.signal.aborted) return endNow(signal);
    controller.abort();
    systemClock.after(stopMs, () => {
      process.stderr.write(`quarry: still busy ${stopMs / 1000} s after ${signal}; ending now\n`);
      endNow(signal);
    });
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  return controller.signal;
}

/**
 * Ends the process by a signal, which takes effect at once. Node's `process.exit` would wait for threads, one
 * of which may be running a statement.
 */
function endNow(signal: NodeJS.Signals): void {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}
