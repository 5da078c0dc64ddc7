import type { MemoryRead } from "../../serving/memory-read.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { type ChainScreen, readScreen } from "./screen-chain.ts";
import type { ScreenQuery } from "./screen-query.ts";

/** Returns the key of a list in the serving state. */
export function listKey(query: ScreenQuery): string {
  return JSON.stringify(query);
}

/** Reads the lists with these keys, as JSON text. */
export async function readLists(snapshot: Snapshot, keys: readonly string[]): Promise<Map<string, string>> {
  const read = async (key: string) => {
    const screen = await readScreen(snapshot, JSON.parse(key) as ScreenQuery);
    return [key, JSON.stringify(screen)] as const;
  };
  return new Map(await Promise.all(keys.map(read)));
}

/**
 * Returns a list that another request has read since the newest commit; an empty list if the list must be
 * read first.
 */
export function screenIn(memory: MemoryRead, query: ScreenQuery): ChainScreen {
  const text = memory.get("lists", listKey(query));
  return text === null ? EMPTY_SCREEN : (JSON.parse(text) as ChainScreen);
}

export const EMPTY_SCREEN: ChainScreen = {
  rows: [],
  ...{ total: 0, hiddenSpam: 0, hiddenWash: 0, isLimited: false },
};
