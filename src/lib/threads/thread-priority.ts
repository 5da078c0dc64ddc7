import { readdirSync } from "node:fs";
import { getPriority, setPriority } from "node:os";

/** The threads of this process, by their ids in the system; only on Linux. */
const THREADS = "/proc/self/task";

/**
 * How much nicer the engine's threads are than the event loop, which then gets three times the share of each
 * of them. More would leave the engine too little next to other busy processes of the machine.
 */
export const NICER = 5;
/** The lowest priority that there is. */
const NICEST = 19;

declare global {
  /** The threads that Node had before its thread pool started, set by bin/quarry.cjs; absent in tests. */
  var quarryNodeThreads: readonly string[] | undefined;
}

/**
 * Lowers the priority of the threads that run statements, and of the threads that these start. Six queries
 * have more threads than a small machine has cores. At the same priority, the event loop waits for a core
 * after each of its steps, so that answers from memory take seconds while others run long queries.
 *
 * @param own threads that keep their priority; default: those that Node had when the process started
 * @returns the number of threads whose priority was lowered
 */
export function yieldToEventLoop(own = globalThis.quarryNodeThreads): number {
  if (own === undefined || own.length === 0) return 0;
  const others = readdirSync(THREADS).filter((thread) => !own.includes(thread));
  return others.filter((thread) => lower(Number(thread))).length;
}

/**
 * Lowers the priority of a thread, unless the thread has one of its own. Returns false if it has, if it has
 * ended, or if the system does not allow the change.
 */
function lower(thread: number): boolean {
  const usual = getPriority();
  try {
    if (getPriority(thread) !== usual) return false;
    setPriority(thread, Math.min(NICEST, usual + NICER));
    return true;
  } catch {
    return false;
  }
}
