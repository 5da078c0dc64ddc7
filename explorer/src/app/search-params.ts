/**
 * Reads what stands behind the `?` of an address: texts, as they were written. What a text means, a number or a yes,
 * is for the page to say: a query `123` is a text, too.
 */
export function parseSearch(written: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(written));
}

/** Writes it; the other way round. */
export function writeSearch(search: Record<string, unknown>): string {
  const given = Object.entries(search).filter(([, value]) => value !== undefined);
  const written = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]));
  return written.size === 0 ? "" : `?${written}`;
}
