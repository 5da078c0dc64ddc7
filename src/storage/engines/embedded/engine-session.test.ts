import type { ChdbResult, Session } from "chdb";
import { describe, expect, it } from "vitest";
import { type Sql, sql } from "../../../engine-sql/sql-text.ts";
import { EngineSession } from "./engine-session.ts";

/**
 * Makes a session that records its statements: the moment between the end of a statement and its result
 * cannot be tested otherwise.
 */
function recorded() {
  const statements: string[] = [];
  const fault: { next: Error | null } = { next: null };
  const session = {
    queryAsync: async (text: string) => {
      statements.push(text);
      const error = fault.next;
      fault.next = null;
      if (error !== null) throw error;
      return { text: () => "1\n" } as ChdbResult;
    },
  } as unknown as Session;
  const opened = new EngineSession(session);
  const run = (statement: Sql, settings: Record<string, number> = {}) =>
    opened.run({ sql: statement, settings }, "CSV");
  return { opened, statements, run, fault };
}

const labelIn = (text: string | undefined) => /log_comment'?\]? = '([^']+)'/.exec(text ?? "")?.[1];

describe("the settings of a session", () => {
  it("are sent when they change and after a failure", async () => {
    const { statements, run, fault } = recorded();
    await run(sql`SELECT 1`);
    await run(sql`SELECT 2`);
    await run(sql`SELECT 3`, { max_execution_time: 5 });
    await run(sql`SELECT 4`, { max_execution_time: 5 });
    await run(sql`SELECT 5`);
    const others =
      "max_memory_usage = '0', max_block_size = '65409', use_query_condition_cache = '1', max_joined_block_size_rows = '65409', min_joined_block_size_rows = '65409', min_joined_block_size_bytes = '524288', group_by_two_level_threshold = '100000', group_by_two_level_threshold_bytes = '50000000', max_threads = '0', output_format_parallel_formatting = '1', label";
    expect(statements.map((text) => text.replace(/log_comment = '[^']+'/, "label"))).toEqual([
      `SET max_execution_time = '0', ${others}; SELECT 1`,
      "SELECT 2",
      `SET max_execution_time = '5', ${others}; SELECT 3`,
      "SELECT 4",
      `SET max_execution_time = '0', ${others}; SELECT 5`,
    ]);
    fault.next = new Error("no");
    await expect(run(sql`SELECT 6`)).rejects.toThrow("no");
    await run(sql`SELECT 7`);
    expect(statements.at(-1)).toMatch(/^SET .*; SELECT 7$/);
  });
});

describe("killStatement", () => {
  it("kills the running statement, even if called twice, and not the next one of the session", async () => {
    const { opened, statements, run } = recorded();
    await run(sql`SELECT 1`);
    const running = run(sql`SELECT 2`);
    const label = labelIn(statements[0]);
    expect([opened.killStatement(), opened.killStatement()].map(labelIn)).toEqual([label, label]);
    await running;
    expect(labelIn(opened.killStatement())).toBe(label);
    await run(sql`SELECT 3`);
    expect(labelIn(statements.at(-1))).toMatch(/^[0-9a-f-]{36}$/);
    expect(labelIn(statements.at(-1))).not.toBe(label);
    expect(labelIn(opened.killStatement())).toBe(labelIn(statements.at(-1)));
  });
});
