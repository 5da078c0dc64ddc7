import { readdirSync, readFileSync } from "node:fs";
import type { ConnectionLimits } from "../admission/connection-limits.ts";

/**
 * File handles reserved for the engine, RPC endpoints and temporary files. The embedded engine takes three
 * for each of its threads, in addition to the files that it reads and writes. On two cores, seven large
 * queries and merges of two million trades took 560 handles at once, including the 180 that a service uses
 * when it starts.
 */
const RESERVED_HANDLES = 512;
/**
 * Share of the free handles that is reserved if it is less than RESERVED_HANDLES, so that some are left for
 * clients.
 */
const RESERVED_SHARE = 0.5;

/** The process's limit on file handles, and the number in use. */
interface FileHandles {
  limit: number;
  used: number;
}

/**
 * Lowers the limits on connections to the number of free file handles that are not reserved, because without
 * a free handle, the process could not even send an error. An address keeps its share of all connections.
 *
 * @param handles null if the system does not report them (not Linux)
 */
export function withinFileHandles<T extends ConnectionLimits>(
  limits: T,
  logger: { warn(figures: object, text: string): void },
  handles: FileHandles | null = fileHandles(),
): T {
  if (handles === null) return limits;
  const { limit, used } = handles;
  const free = limit - used;
  const reserved = Math.min(RESERVED_HANDLES, Math.floor(free * RESERVED_SHARE));
  const connections = Math.max(1, free - reserved);
  if (connections >= limits.connections) return limits;
  const share = limits.addressConnections / limits.connections;
  const addressConnections = Math.min(limits.addressConnections, Math.ceil(connections * share));
  logger.warn(
    { connections, addressConnections, fileHandles: limit },
    `allowing ${connections} connections instead of ${limits.connections}, and ${addressConnections} per ` +
      `address, because the limit on open files (ulimit -n) is ${limit}`,
  );
  return { ...limits, connections, addressConnections };
}

function fileHandles(): FileHandles | null {
  try {
    const limit = Number(/^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1]);
    return Number.isNaN(limit) ? null : { limit, used: readdirSync("/proc/self/fd").length };
  } catch {
    return null;
  }
}
