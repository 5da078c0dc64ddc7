import { afterEach, describe, expect, it } from "vitest";
import { sql, text } from "../../engine-sql/sql-text.ts";
import { TestTracer } from "../../lib/support/test-tracer.ts";
import { startTrace, useTracer } from "../../lib/tracing/tracing.ts";
import { tracedStatement } from "./statement-traces.ts";

afterEach(() => useTracer(null));

describe("tracedStatement", () => {
  const work = { rows: 3, rowsRead: 700 };

  async function spanOf(statement: Parameters<typeof tracedStatement>[0]) {
    const tracer = new TestTracer();
    useTracer(tracer);
    await startTrace("request").run(() =>
      tracedStatement(
        statement,
        () => work,
        async () => "rows",
      ),
    );
    return tracer.spans[1];
  }

  it("records the operation and its work, and of the text only the form", async () => {
    const span = await spanOf(sql`SELECT a FROM t WHERE b = ${text("it's secret 1")} AND c > 17`);
    expect(span).toMatchObject({
      name: "SELECT",
      parent: "request",
      facts: { "db.response.returned_rows": 3, "quarry.rows_read": 700 },
    });
    expect(JSON.stringify(span)).not.toMatch(/secret|17/);
    const same = await spanOf(sql`SELECT a FROM t WHERE b = ${text("\\'other")} AND c > 4_000.5`);
    const other = await spanOf(sql`SELECT a FROM t WHERE b = ${text("")} OR c > 17`);
    expect(same?.facts["quarry.statement"]).toBe(span?.facts["quarry.statement"]);
    expect(other?.facts["quarry.statement"]).not.toBe(span?.facts["quarry.statement"]);
  });

  it("names the table of an insert", async () => {
    const span = await spanOf(sql`INSERT INTO \`eth_logs\` (a, b)`);
    expect(span).toMatchObject({ name: "INSERT", facts: { "db.collection.name": "eth_logs" } });
  });
});
