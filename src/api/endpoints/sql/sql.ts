import { z } from "zod";
import { prepareClientQuery } from "../../../reads/client-sql/client-sql.ts";
import { ANSWER_FORMAT_NAMES, type AnswerFormat } from "../../../reads/rows/answer-format.ts";
import { integer } from "../../../reads/values/number-values.ts";
import type { SqlLimits } from "../../../sql/compile.ts";
import { SQL_LIMITS } from "../../../sql/syntax/limits.ts";
import type { ApiLimits } from "../../admission/limits.ts";
import { acceptedFormat, contentType, MEDIA_TYPES } from "../../answers/answer-media.ts";
import { spreadsheetCsv } from "../../answers/spreadsheet-csv.ts";
import { endpoint } from "../../endpoint/endpoint.ts";
import { BOOLEAN, choice, text } from "../../parameters/kinds/words.ts";
import { derived, optional, required } from "../../parameters/parameter.ts";
import { maxLagParameter } from "../../parameters/shared-parameters.ts";

const cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/**
 * Maximum size of a body with a SQL query of 512 KiB, the largest that can be configured: JSON may take three
 * bytes for each byte of a character outside ASCII.
 */
const MAX_BODY_BYTES = 2 * 1024 * 1024;

export const sql = endpoint({
  name: "query",
  methods: ["POST"],
  scope: "sql",
  path: "/v1/sql",
  title: "SQL query",
  maxBodyBytes: MAX_BODY_BYTES,
  summary:
    "Rows of a SELECT over the tables of the configured chains: as a JSON array, or in the format selected by `format` or Accept.",
  parameters: {
    query: required(text("an SQL text"), "a SELECT, SHOW TABLES or DESCRIBE"),
    format: derived(
      choice(ANSWER_FORMAT_NAMES),
      "format of the response; by default the one that the Accept header selects, or json if the header allows any type",
    ),
    max_rows: derived(
      integer({ min: 1, max: 1_000_000 }),
      "maximum number of rows in the response, even if LIMIT is higher; X-Truncated reports whether there are more; by default only LIMIT applies",
    ),
    skip_rows: derived(
      integer({ min: 0, max: SQL_LIMITS.maxOffset }),
      "for pages: number of rows before the first row of the response; 0 for the first page. Rows that ORDER BY does not put in order then have a fixed order, so that pages at one commit neither repeat nor leave out rows",
    ),
    csv_safe: optional(
      BOOLEAN,
      false,
      "true: in csv, strings that start with = + - @, tab or carriage return are prefixed with an apostrophe, so that spreadsheets do not run them as formulas",
    ),
    max_lag: maxLagParameter(),
  },
  answer: z.array(z.record(z.string(), cell)),
  otherTypes: Object.values(MEDIA_TYPES).filter((type) => type !== MEDIA_TYPES.json),
  example: {
    parameters: { query: "SELECT COUNT(*) AS count FROM eth_blocks" },
    answer: [{ count: 12 }],
  },
  headers: {
    "X-Chain": { type: "string", doc: "chain that the query read; absent for SHOW TABLES" },
    "X-Row-Limit": { type: "integer", doc: "maximum number of rows in the response" },
    "X-Truncated": { type: "boolean", doc: "true if there are more rows than the response may have" },
    "X-Elapsed-Ms": {
      type: "integer",
      doc: "time for which the query ran while the request waited, in milliseconds; 0 for a cached answer",
    },
    "X-Rows-Read": {
      type: "integer",
      doc: "rows that the database read for the answer; absent with the embedded engine, which does not report this number",
    },
  },
  cost: "query",
  sql({ query, format = null, csv_safe, max_rows, skip_rows }, { reader, limits, now, accept }) {
    const chosen = format ?? acceptedFormat(accept);
    const forSpreadsheets = csv_safe && chosen === "csv";
    const prepare = () =>
      prepareClientQuery(reader, {
        text: query,
        now,
        format: chosen,
        sqlLimits: sqlLimits(limits, chosen),
        ...(max_rows === undefined ? {} : { maxRows: max_rows }),
        ...(skip_rows === undefined ? {} : { skipRows: skip_rows }),
      });
    return {
      identity: `${chosen} ${forSpreadsheets} ${max_rows ?? ""} ${skip_rows ?? ""} ${identityOf(limits)} ${query}`,
      limits,
      now,
      prepare,
      ...(forSpreadsheets ? { convert: spreadsheetCsv } : {}),
    };
  },
  replyOf({ body, asOf, chain, rowLimit, truncated, rowsRead, elapsedMs }, { format = null }, { accept }) {
    const headers = {
      vary: "Accept",
      ...(chain === null ? {} : { "x-chain": chain }),
      "x-row-limit": String(rowLimit),
      "x-truncated": String(truncated),
      "x-elapsed-ms": String(Math.round(elapsedMs)),
      ...(rowsRead === null ? {} : { "x-rows-read": String(rowsRead) }),
    };
    return { body, asOf, headers, contentType: contentType(format ?? acceptedFormat(accept)) };
  },
});

/**
 * Returns a string with the limits that may differ between clients: a query that one client may run can fail
 * for another.
 */
function identityOf({ queryTimeMs, queryMemoryBytes, sqlRows }: ApiLimits): string {
  return `${queryTimeMs} ${queryMemoryBytes} ${sqlRows}`;
}

/**
 * Returns the limits of a SQL query. JSON has the lower row limit of the dialect, because clients hold the
 * whole array in memory.
 */
function sqlLimits(limits: ApiLimits, format: AnswerFormat): Partial<SqlLimits> {
  const { sqlTextBytes: textBytes, sqlDepth: depth, sqlRows } = limits;
  const maxRows = format === "json" ? Math.min(SQL_LIMITS.maxRows, sqlRows) : sqlRows;
  return { textBytes, depth, maxRows, defaultRows: Math.min(SQL_LIMITS.defaultRows, maxRows) };
}
