/** Returns a generator of numbers in [0, 1). The same seed gives the same sequence (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns `count` different values in random order, or all values if there are fewer. */
export function sample<T>(values: readonly T[], count: number, random: () => number): T[] {
  const left = [...values];
  const size = Math.min(count, left.length);
  for (let i = 0; i < size; i++) {
    const other = i + Math.floor(random() * (left.length - i));
    const [mine, theirs] = [left[i], left[other]];
    if (mine === undefined || theirs === undefined) continue;
    left[i] = theirs;
    left[other] = mine;
  }
  return left.slice(0, size);
}
