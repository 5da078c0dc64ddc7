import type { Fill } from "../../serving/cache/fill.ts";
import type { KeyedCache } from "../../serving/cache/keyed-cache.ts";
import type { Misses } from "../../serving/memory-read.ts";
import type { PartName } from "../../serving/parts.ts";
import type { ServingState } from "../../serving/serving-state.ts";
import type { Commit } from "../../storage/store.ts";
import {
  type QueryLimits,
  type ReadableChain,
  type Reader,
  requireUnchanged,
  type Snapshot,
  snapshotAt,
} from "../snapshot/snapshot.ts";
import { FILLERS, type Filler } from "./fillers.ts";

/** Values by key, for each part. */
type PartsRead = Map<PartName, Map<string, unknown>>;

/** The values that the fills for one question have read, as of the commit at which the last fill ended. */
export interface Filled {
  commit: Commit | null;
  values: PartsRead;
}

export const NOTHING_FILLED: Filled = { commit: null, values: new Map() };

/** The source that fills read from, and the limits on each read. */
export interface FillSource {
  reader: Reader;
  readable: ReadableChain;
  limits: QueryLimits;
}

/** The fill of a part, and the read that it waits for. */
interface RunningFill {
  part: PartName;
  fill: Fill<unknown>;
  read: Promise<Map<string, unknown> | null>;
}

/**
 * Reads missing keys from the store into the serving state, as of its commit. Waits for keys that another
 * question is already reading. Null if there is too much to read at once.
 *
 * @param before values that earlier fills for the same question read
 * @throws ReorganizedDuringRead, and whatever the reads throw
 */
export async function fillMisses(
  { reader, readable, limits }: FillSource,
  { serving, commit }: { serving: ServingState; commit: Commit },
  misses: Misses,
  before: Filled,
): Promise<Filled | null> {
  const snapshot = snapshotAt(reader, readable, commit, limits);
  const others: Promise<void>[] = [];
  const fills = [...misses].map(([part, keys]) => startFill(snapshot, serving, { part, keys }, others));
  try {
    const found = await Promise.all(fills.map(({ read }) => read));
    if (found.includes(null)) {
      for (const { fill } of fills) fill.abandon();
      return null;
    }
    await requireUnchanged(snapshot);
    const filled = { commit: serving.commit, values: new Map(keptFrom(before, serving)) };
    for (const [i, { part, fill }] of fills.entries()) {
      const admitted = fill.complete(found[i] ?? new Map(), commit.blockNumber);
      filled.values.set(part, new Map([...(filled.values.get(part) ?? []), ...admitted]));
    }
    await Promise.all(others);
    return filled;
  } catch (error) {
    for (const { fill } of fills) fill.abandon();
    throw error;
  }
}

/** Returns the values, or none if there has been another commit, because it may have changed them. */
function keptFrom({ commit, values }: Filled, serving: ServingState): PartsRead {
  return commit === serving.commit ? values : new Map();
}

/**
 * Starts to read the keys that no other fill is reading.
 *
 * @param others receives a promise for each fill that is already reading some of the keys
 */
function startFill(
  snapshot: Snapshot,
  serving: ServingState,
  { part, keys }: { part: PartName; keys: ReadonlySet<string> },
  others: Promise<void>[],
): RunningFill {
  const cache = serving.parts[part] as KeyedCache<unknown>;
  const unread = [...keys].filter((key) => {
    const running = cache.fillOf(key);
    if (running !== undefined) others.push(running.settled);
    return running === undefined;
  });
  const fill = cache.startFill(unread);
  const filler = FILLERS[part] as Filler<unknown>;
  const read = unread.length === 0 ? Promise.resolve(new Map()) : filler(snapshot, unread, serving);
  return { part, fill, read };
}
