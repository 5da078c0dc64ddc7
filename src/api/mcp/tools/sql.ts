import { sql as endpoint } from "../../endpoints/sql/sql.ts";
import { asOf, MAX_ROWS, printTable, tableOf } from "../answer.ts";
import { only, type Tool } from "../tool.ts";

export const sql: Tool = {
  name: "sql",
  title: "SQL query",
  description: `Rows of one SELECT over one table of one chain (\`<chain>_<table>\`; no joins, no sub-queries; dialect: Elasticsearch SQL, resource quarry://docs/sql.md). Call describe_tables first. At most ${MAX_ROWS} rows: aggregate rather than list. Integers from 2^53 on and amounts in base units are decimal strings; times are ISO 8601, UTC.`,
  parameters: only(endpoint.parameters, ["query", "max_lag"]),
  async run(given, ask) {
    const answered = await ask(endpoint, { ...given, format: "json", max_rows: MAX_ROWS });
    return printTable({
      facts: { chain: answered.header("x-chain"), as_of: asOf(answered) },
      ...tableOf(answered.body as Record<string, unknown>[]),
      hasMore: answered.header("x-truncated") === "true",
      narrow:
        "Narrow the query: WHERE on a shorter time range or one address, GROUP BY with COUNT, SUM or AVG, fewer columns, or pages with ORDER BY and LIMIT … OFFSET ….",
    });
  },
};
