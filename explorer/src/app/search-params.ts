/**
 * Parses the search part of a URL into strings. Each page decides what they mean: a SQL query `123` must stay
 * a string, which the router's default parser would turn into a number.
 */
export function parseSearch(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search));
}

/** Formats search parameters; the inverse of parseSearch. */
export function writeSearch(search: Record<string, unknown>): string {
  const defined = Object.entries(search).filter(([, value]) => value !== undefined);
  const parameters = new URLSearchParams(
    defined.map(([name, value]): [string, string] => [name, String(value)]),
  );
  return parameters.size === 0 ? "" : `?${parameters}`;
}
