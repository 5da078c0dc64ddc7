/** An answer holds everything up to this block, and nothing above it. */
export interface AsOf {
  block: number;
  /** Unix seconds. */
  timestamp: number;
}

export function asOf({ headers }: { headers: Headers }): AsOf | null {
  const block = headers.get("x-indexed-block");
  const timestamp = headers.get("x-indexed-timestamp");
  if (block === null || timestamp === null) return null;
  return { block: Number(block), timestamp: Number(timestamp) };
}

/** What several answers together are as of; null when that is unknown of one. */
export function oldest(all: readonly (AsOf | null)[]): AsOf | null {
  return all.reduce((a, b) => (a === null || (b !== null && a.block <= b.block) ? a : b));
}
