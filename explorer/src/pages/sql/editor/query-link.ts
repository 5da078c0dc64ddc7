/** Servers and proxies refuse longer addresses; Node.js takes 16 kB with all headers. */
const MAX_SIGNS = 8_000;

/** The address of the console with a query in it; null where the query is too long to stand in one. */
export function queryLink(query: string): string | null {
  const link = `${location.origin}/sql?${new URLSearchParams({ query })}`;
  return link.length > MAX_SIGNS ? null : link;
}
