import { onAbort } from "../../lib/async/abort.ts";
import type { Transport } from "./transport.ts";

/** A kill has no effect before the statement starts, so it is repeated until the statement ends. */
const KILL_INTERVAL_MS = 100;

/**
 * Kills a statement when the signal aborts. The returned function must be called once the statement has
 * ended.
 */
export function killOnAbort(transport: Pick<Transport, "kill">, id: string, signal: AbortSignal): () => void {
  let timer: NodeJS.Timeout | undefined;
  const kill = () => void transport.kill(id).catch(() => {});
  const removeListener = onAbort(signal, () => {
    kill();
    timer = setInterval(kill, KILL_INTERVAL_MS);
  });
  return () => {
    removeListener();
    clearInterval(timer);
  };
}
