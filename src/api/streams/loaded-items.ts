import type { Commit } from "../../storage/store.ts";
import { SharedValue, SharedValues } from "../../streams/shared-values.ts";
import type { LoadedState, StateItem } from "../../streams/state.ts";

/** Returns whether a value was requested and read at the commit. */
export function isOf({ sequence }: Commit, read: LoadedState): boolean {
  return read.requestedAt === sequence && read.readAt === sequence;
}

/**
 * Drops the candles before `from`, which were read for another subscription of the client to the same
 * candles.
 */
export function itemsFrom(items: readonly StateItem[], from: number | null): StateItem[] {
  return items.filter(({ opensAt }) => opensAt === null || from === null || opensAt >= from);
}

export function valuesOf(items: readonly StateItem[]): SharedValues {
  return new SharedValues(items.map(({ json }) => new SharedValue(json)));
}
