import { performance } from "node:perf_hooks";
import { z } from "zod";
import { runClientQuery } from "../../../reads/client-sql/client-sql.ts";
import { ANSWER_FORMAT_NAMES, type AnswerFormat } from "../../../reads/rows/answer-format.ts";
import type { SqlLimits } from "../../../sql/compile.ts";
import { type ApiLimits, queryLimits } from "../../admission/limits.ts";
import { acceptedFormat, contentType, MEDIA_TYPES } from "../../answers/answer-media.ts";
import { bufferAnswer } from "../../answers/buffered-answer.ts";
import { endpoint } from "../../endpoint/endpoint.ts";
import { choice, text } from "../../parameters/kinds/words.ts";
import { derived, required } from "../../parameters/parameter.ts";

const cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);

export const sql = endpoint({
  name: "query",
  methods: ["POST"],
  path: "/v1/sql",
  title: "SQL query",
  summary:
    "Rows of a SELECT over the tables of the configured chains: as a JSON array, or in the format selected by `format` or Accept.",
  parameters: {
    query: required(text("an SQL text"), "a SELECT, SHOW TABLES or DESCRIBE"),
    format: derived(
      choice(ANSWER_FORMAT_NAMES),
      "format of the response; by default selected by the Accept header, json if it allows any type",
    ),
  },
  answer: z.array(z.record(z.string(), cell)),
  otherTypes: Object.values(MEDIA_TYPES).filter((type) => type !== MEDIA_TYPES.json),
  example: {
    parameters: { query: "SELECT COUNT(*) AS count FROM eth_blocks" },
    answer: [{ count: 12 }],
  },
  headers: {
    "X-Row-Limit": { type: "integer", doc: "maximum number of rows in the response" },
    "X-Truncated": { type: "boolean", doc: "true if there are more rows than the response may have" },
    "X-Elapsed-Ms": { type: "integer", doc: "run time of the query in milliseconds" },
    "X-Rows-Read": {
      type: "integer",
      doc: "rows read by the database; absent with the embedded engine, which does not report it",
    },
  },
  cost: "query",
  async handle({ query, format = null }, { reader, limits, now, signal, accept }) {
    const started = performance.now();
    const chosen = format ?? acceptedFormat(accept);
    const { answer, asOf } = await runClientQuery(reader, {
      text: query,
      now,
      format: chosen,
      sqlLimits: sqlLimits(limits, chosen),
      limits: queryLimits(limits, signal),
      collect: (pieces) => bufferAnswer(pieces, limits),
    });
    const headers = {
      vary: "Accept",
      "x-row-limit": String(answer.rowLimit),
      "x-truncated": String(answer.truncated),
      "x-elapsed-ms": String(Math.round(performance.now() - started)),
      ...(answer.rowsRead === null ? {} : { "x-rows-read": String(answer.rowsRead) }),
    };
    return { body: answer.collected, asOf, headers, contentType: contentType(chosen) };
  },
});

/** JSON has the smaller row limit of the dialect, because clients hold its array as a whole. */
function sqlLimits(limits: ApiLimits, format: AnswerFormat): Partial<SqlLimits> {
  const { sqlTextBytes: textBytes, sqlDepth: depth } = limits;
  return format === "json" ? { textBytes, depth } : { textBytes, depth, maxRows: limits.sqlRows };
}
