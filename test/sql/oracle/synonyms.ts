/** Returns an object with the same value under several names. */
export function synonyms<T>(names: string, value: T): Record<string, T> {
  return Object.fromEntries(names.split(" ").map((name) => [name, value]));
}
