/** The query in the URL of the console. */
interface SqlSearch {
  query?: string;
}

/** Parses the query in a URL. */
export function parseSqlSearch({ query }: Record<string, unknown>): SqlSearch {
  return typeof query === "string" ? { query } : {};
}
