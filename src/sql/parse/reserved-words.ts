const JOIN = "one query reads one table; query each table and join the answers in your program";
const SET = "one query reads one table; send one query for each part and combine the answers in your program";
const FORMAT = "choose the format of the answer in the request, with ?format= or an Accept header";
const CLAUSE = "this clause is not part of the dialect";

/** Words of other dialects, each with advice on what to use instead. */
export const REFUSED_WORDS: ReadonlyMap<string, string> = new Map([
  ...["JOIN", "INNER", "LEFT", "RIGHT", "FULL", "CROSS", "OUTER", "NATURAL"].map((w) => [w, JOIN] as const),
  ...["ON", "USING", "ARRAY", "ASOF"].map((w) => [w, JOIN] as const),
  ...["UNION", "INTERSECT", "EXCEPT"].map((w) => [w, SET] as const),
  ...["FORMAT", "INTO"].map((w) => [w, FORMAT] as const),
  ["SETTINGS", "clients cannot change the settings of a query"],
  ["WITH", "the result of one query cannot be used in another; write the expression where it is used"],
  ["OVER", "window functions are not part of the dialect; GROUP BY with HISTOGRAM makes time buckets"],
  ...["FINAL", "SAMPLE", "PREWHERE", "WINDOW", "QUALIFY", "FETCH", "PIVOT"].map((w) => [w, CLAUSE] as const),
  ["EXISTS", "it needs a sub-query; run that query first, then put its result into this one"],
]);

const OWN =
  "SELECT FROM WHERE GROUP BY HAVING ORDER LIMIT OFFSET AND OR NOT IN BETWEEN IS NULL LIKE ESCAPE AS " +
  "DISTINCT ASC DESC NULLS INTERVAL TRUE FALSE RLIKE TOP CASE WHEN THEN ELSE END CAST";

/** Words that can be names only in quotes. */
export const RESERVED_WORDS: ReadonlySet<string> = new Set([...OWN.split(" "), ...REFUSED_WORDS.keys()]);
