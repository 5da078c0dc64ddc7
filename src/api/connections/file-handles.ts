import { readdirSync, readFileSync } from "node:fs";

/** File handles that connections leave to the engine, to endpoints of the chain and to temporary files. */
const RESERVED_HANDLES = 64;

/** Connections for which the process has file handles; null where the system does not say (not Linux). */
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
