import { SQL_LIMITS } from "../../../sql/syntax/limits.ts";
import { sql as endpoint } from "../../endpoints/sql/sql.ts";
import { asOf, MAX_ROWS, printTable, tableOf } from "../answer.ts";
import { CURSOR, listPage } from "../cursor.ts";
import { only, type Tool } from "../tool.ts";

const NAME = "sql";

export const sql: Tool = {
  name: NAME,
  title: "SQL query",
  description: `Rows of one SELECT over one table of one chain (\`<chain>_<table>\`; no joins, no sub-queries; dialect: Elasticsearch SQL, resource quarry://docs/sql.md). Call describe_tables first. At most ${MAX_ROWS} rows per page: aggregate rather than list. Integers from 2^53 on and amounts in base units are decimal strings; times are ISO 8601, UTC.`,
  parameters: { ...only(endpoint.parameters, ["query", "max_lag"]), cursor: CURSOR },
  async run({ cursor, ...given }, ask) {
    const page = listPage(NAME, cursor, "rows");
    const rows = { format: "json", max_rows: MAX_ROWS, skip_rows: page.offset };
    const answered = await ask(endpoint, { ...given, ...rows });
    const as_of = asOf(answered);
    return printTable({
      facts: { chain: answered.header("x-chain"), as_of, ...page.noteAt(as_of) },
      ...tableOf(answered.body as Record<string, unknown>[]),
      hasMore: answered.header("x-truncated") === "true",
      narrow:
        "Narrow the query: WHERE on a shorter time range or one address, GROUP BY with COUNT, SUM or AVG, or fewer columns.",
      cursorAfter: (kept) =>
        page.offset + kept <= SQL_LIMITS.maxOffset ? page.cursorAfter(kept, as_of) : null,
    });
  },
};
