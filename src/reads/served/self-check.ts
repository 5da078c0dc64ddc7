import { isDeepStrictEqual } from "node:util";
import type { KeyedCache } from "../../serving/cache/keyed-cache.ts";
import { isStartOf } from "../../serving/candles/candle-chunk.ts";
import { type PartName, type PartValues, partEntries } from "../../serving/parts.ts";
import { RecordList } from "../../serving/records/record-list.ts";
import type { ServingState } from "../../serving/serving-state.ts";
import { PriceExtremes } from "../../serving/tokens/price-extremes.ts";
import { WalletPositions } from "../../serving/wallets/wallet-positions.ts";
import {
  type QueryLimits,
  type ReadableChain,
  type Reader,
  requireUnchanged,
  type Snapshot,
  snapshotAt,
} from "../snapshot/snapshot.ts";
import { FILLERS, type Filler } from "./fillers.ts";

/**
 * Number of keys of each part that are compared at a time. Reading this many takes the engine about 10 ms.
 */
const KEYS_PER_PART = 50;

/** Parts of which fewer keys are compared at a time: each list requires reading all trades of its window. */
const MOST_KEYS: { readonly [N in PartName]?: number } = { lists: 1 };

/** A key whose value in memory differs from the store. For a trade, the key is the transaction hash. */
export interface Mismatch {
  part: PartName | "window";
  key: string;
}

/**
 * Compares a sample of the values in a serving state with the store, as of the state's commit. Keys that
 * change meanwhile are skipped.
 *
 * @param most maximum number of keys of each part
 * @throws ReorganizedDuringRead, and whatever the reads throw
 */
export async function checkServing(
  reader: Reader,
  readable: ReadableChain,
  limits: QueryLimits,
  most = KEYS_PER_PART,
): Promise<Mismatch[]> {
  const commit = readable.serving?.commit ?? null;
  if (readable.serving === undefined || commit === null) return [];
  const snapshot = snapshotAt(reader, readable, commit, limits);
  const { serving } = readable;
  const parts = partEntries(serving.parts).map(([part, cache]) => {
    const keys = cache.sample(Math.min(most, MOST_KEYS[part] ?? most));
    return { part, cache, keys };
  });
  const found = await Promise.all(parts.map((one) => mismatchesIn(snapshot, serving, one)));
  await requireUnchanged(snapshot);
  return found.flat();
}

async function mismatchesIn(
  snapshot: Snapshot,
  serving: ServingState,
  { part, cache, keys }: { part: PartName; cache: KeyedCache<unknown>; keys: string[] },
): Promise<Mismatch[]> {
  if (keys.length === 0) return [];
  const fill = cache.startFill(keys);
  try {
    const stored = await (FILLERS[part] as Filler<unknown>)(snapshot, keys, serving);
    if (stored === null) return [];
    const differs = (key: string) => {
      const known = cache.get(key);
      return known !== undefined && !agrees(part, known, stored.get(key));
    };
    return fill.current.filter(differs).map((key) => ({ part, key }));
  } finally {
    fill.abandon();
  }
}

/**
 * Parts whose values are brought up to date only when they are read, so they may be older than the store.
 * Each has a check of whether an older value agrees with the stored one.
 */
const UPDATED_BY_READS: {
  readonly [N in PartName]?: (known: PartValues[N], stored: PartValues[N]) => boolean;
} = {
  candles: isStartOf,
  firstTrades: (known, stored) => known.at === null || known.at === stored.at,
};

function agrees(part: PartName, known: unknown, stored: unknown): boolean {
  const isOlder = UPDATED_BY_READS[part] as ((known: unknown, stored: unknown) => boolean) | undefined;
  if (isOlder !== undefined && known !== null && stored !== undefined) return isOlder(known, stored);
  return isDeepStrictEqual(contentOf(known), contentOf(stored));
}

/** Returns a value in a form that can be compared, even if its fields are private. */
function contentOf(value: unknown): unknown {
  const isOpaque =
    value instanceof RecordList || value instanceof WalletPositions || value instanceof PriceExtremes;
  return isOpaque ? value.content() : (value ?? null);
}
