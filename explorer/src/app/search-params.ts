/**
 * Parses the search part of a URL into strings, which each page interprets itself. The router's default
 * parser would turn the SQL query `123` into a number.
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
