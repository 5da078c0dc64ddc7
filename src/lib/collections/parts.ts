/** Splits a list into parts of at most `size`, in order. An empty list has no parts. */
export function partsOf<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, part) =>
    list.slice(part * size, (part + 1) * size),
  );
}
