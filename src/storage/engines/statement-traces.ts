import type { Sql } from "../../engine-sql/sql-text.ts";
import { fingerprint } from "../../lib/hash/fingerprint.ts";
import { isTracing, traced } from "../../lib/tracing/tracing.ts";
import type { QueryWork } from "../store.ts";

/** Text and number literals, which may contain a client's values. */
const LITERAL = /'(?:[^'\\]|\\.)*'|\b\d[\w.]*/g;

/**
 * Number of characters of a statement that determine its fingerprint. A list of 10,000 addresses is longer,
 * and hashing all of it would take too long.
 */
const FINGERPRINT_CHARACTERS = 20_000;

/**
 * Runs a statement in a trace span that records its work and a fingerprint of its form. The text is not
 * recorded, because it may contain values of clients.
 *
 * @param workOf returns the work of the statement; null for one without an answer
 */
export function tracedStatement<T>(
  statement: Sql,
  workOf: (answer: T) => QueryWork | null,
  run: () => Promise<T>,
): Promise<T> {
  if (!isTracing()) return run();
  const operation = /^\W*([A-Z]+)/.exec(statement)?.[1] ?? "statement";
  return traced(
    operation,
    async (span) => {
      if (span.isRecorded) span.set(factsOf(statement, operation));
      const answer = await run();
      if (span.isRecorded) span.set(factsOfWork(workOf(answer)));
      return answer;
    },
    { kind: "client" },
  );
}

function factsOf(statement: Sql, operation: string) {
  const table = /^INSERT INTO `(\w+)`/.exec(statement)?.[1];
  return {
    "db.system.name": "clickhouse",
    "db.operation.name": operation,
    ...(table === undefined ? {} : { "db.collection.name": table }),
    "quarry.statement": fingerprint(statement.slice(0, FINGERPRINT_CHARACTERS).replace(LITERAL, "?")),
  };
}

function factsOfWork(work: QueryWork | null) {
  return {
    ...(work?.rows == null ? {} : { "db.response.returned_rows": work.rows }),
    ...(work?.rowsRead == null ? {} : { "quarry.rows_read": work.rowsRead }),
  };
}
