import { readdirSync } from "node:fs";
import { setPriority } from "node:os";

declare global {
  /** Ids of the threads that Node started before its thread pool; set by bin/quarry.cjs on Linux. */
  var nodeThreads: readonly number[] | undefined;
}

/** The value of `nice` for threads that run statements. */
const NICE = 10;

/**
 * Lowers the priority of the threads that run statements: those of Node's thread pool and of the engine.
 * Threads that they start inherit it. Without this, a few heavy queries keep the main thread, which serves
 * answers from memory and indexes blocks, from getting a core for tens of milliseconds.
 *
 * Must be called after the engine is opened, and before other worker threads start.
 */
export function lowerStatementPriority(): void {
  const { nodeThreads } = globalThis;
  if (nodeThreads === undefined) return;
  for (const id of readdirSync("/proc/self/task").map(Number)) {
    if (!nodeThreads.includes(id)) lower(id);
  }
}

/** Ignores errors: the thread may have ended, and a sandbox may forbid it. */
function lower(id: number): void {
  try {
    setPriority(id, NICE);
  } catch {
    // Then its priority stays as it is.
  }
}
