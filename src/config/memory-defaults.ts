import type { SettingName } from "./settings.ts";

const GIB_IN_MIB = 1024;

/**
 * Memory that the engine leaves to the rest of the process (heap, answers from memory, buffered responses)
 * and to the system, on a machine with enough memory.
 */
const REST_MIB = 2 * GIB_IN_MIB;

const LARGEST_SERVING_MIB = GIB_IN_MIB;
const LARGEST_QUERY_MIB = 2 * GIB_IN_MIB;
/** Minimum of `engineMemory`. Indexing takes up to 155 MB of it. */
const LEAST_ENGINE_MIB = 512;

/**
 * Returns the defaults of settings that depend on the memory of the machine or container, in MiB. At 1 GiB:
 * 512 for the engine, 256 for a query and 128 for answers from memory. Node itself limits the JavaScript
 * heap.
 *
 * @param isEmbedded false if a server runs the queries. Its memory is not known here, so only the default of
 * `servingMemory` is returned
 */
export function memoryDefaults(
  limitBytes: number,
  isEmbedded: boolean,
): Partial<Record<SettingName, number>> {
  const limit = limitBytes / 2 ** 20;
  const servingMemory = Math.floor(Math.min(LARGEST_SERVING_MIB, limit / 8));
  if (!isEmbedded) return { servingMemory };
  const engineMemory = Math.floor(Math.max(LEAST_ENGINE_MIB, 0.4 * limit, 0.9 * limit - REST_MIB));
  return {
    servingMemory,
    engineMemory,
    queryMemory: Math.min(LARGEST_QUERY_MIB, Math.floor(engineMemory / 2)),
  };
}
