import { performance } from "node:perf_hooks";
import { z } from "zod";
import { askClientQuery } from "../../reads/client-sql.ts";
import { endpoint } from "../endpoint.ts";
import { text } from "../kinds.ts";
import { queryLimits } from "../limits.ts";
import { required } from "../parameter.ts";
import { spool } from "../spool.ts";

const cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);

export const sql = endpoint({
  name: "query",
  methods: ["POST"],
  path: "/v1/sql",
  summary: "Rows of a SELECT over the tables of the configured chains, as a JSON array.",
  parameters: { query: required(text({ allowed: "an SQL text" }), "a SELECT, SHOW TABLES or DESCRIBE") },
  answer: z.array(z.record(z.string(), cell)),
  example: {
    parameters: { query: "SELECT COUNT(*) AS count FROM eth_blocks" },
    answer: [{ count: 12 }],
  },
  headers: {
    "X-Row-Limit": { type: "integer", doc: "most rows that the answer may have" },
    "X-Truncated": { type: "boolean", doc: "true when there are more rows than the answer may have" },
    "X-Elapsed-Ms": { type: "integer", doc: "how long the query took, in milliseconds" },
  },
  cost: "query",
  async handle({ query }, { reader, limits, now, signal }) {
    const started = performance.now();
    const { answerMemoryBytes: memoryBytes, answerBytes: maxBytes } = limits;
    const { answer, asOf } = await askClientQuery(reader, {
      text: query,
      now,
      limits: queryLimits(limits, signal),
      collect: (json) => spool(json, { memoryBytes, maxBytes }),
    });
    const headers = {
      "x-row-limit": String(answer.rowLimit),
      "x-truncated": String(answer.truncated),
      "x-elapsed-ms": String(Math.round(performance.now() - started)),
    };
    return { body: answer.collected, asOf, headers };
  },
});
