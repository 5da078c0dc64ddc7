import { readdirSync, readFileSync } from "node:fs";

/** File handles reserved for the engine, RPC endpoints and temporary files. */
const RESERVED_HANDLES = 64;

/**
 * Returns the number of connections for which the process has file handles; null if the system does not
 * report it (not Linux).
 */
export function connectionsByFileHandles(): { limit: number; connections: number } | null {
  try {
    const limit = Number(/^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1]);
    if (Number.isNaN(limit)) return null;
    const free = limit - readdirSync("/proc/self/fd").length;
    return { limit, connections: Math.max(1, free - RESERVED_HANDLES) };
  } catch {
    return null;
  }
}
