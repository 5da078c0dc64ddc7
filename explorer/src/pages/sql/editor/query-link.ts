/**
 * Maximum length of a URL. Servers and proxies reject longer ones; Node.js accepts 16 kB including all
 * headers.
 */
const MAX_LENGTH = 8_000;

/** Returns the URL of the console with a query; null if the query is too long for a URL. */
export function queryLink(query: string): string | null {
  const link = `${location.origin}/sql?${new URLSearchParams({ query })}`;
  return link.length > MAX_LENGTH ? null : link;
}
