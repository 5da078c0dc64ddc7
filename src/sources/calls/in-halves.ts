/** Runs a function on both halves of a list at once. Returns the results in the order of the list. */
export async function inHalves<T, R>(
  list: readonly T[],
  run: (half: readonly T[]) => Promise<R[]>,
): Promise<R[]> {
  const middle = list.length >> 1;
  const [first, second] = await Promise.all([run(list.slice(0, middle)), run(list.slice(middle))]);
  return [...first, ...second];
}
