import type { ChdbResult, Session } from "chdb";
import { describe, expect, it } from "vitest";
import { type Sql, sql } from "../../engine-sql/sql-text.ts";
import { EngineSession } from "./engine-session.ts";

/** A session that keeps what it is asked; the moment between a statement's end and the news of it cannot be had otherwise. */
function recorded() {
  const asked: string[] = [];
  const fault: { next: Error | null } = { next: null };
  const session = {
    queryAsync: async (text: string) => {
      asked.push(text);
      const error = fault.next;
      fault.next = null;
      if (error !== null) throw error;
      return { text: () => "1\n" } as ChdbResult;
    },
  } as unknown as Session;
  const opened = new EngineSession(session);
  const run = (statement: Sql, settings: Record<string, number> = {}) =>
    opened.run({ sql: statement, settings }, "CSV");
  return { opened, asked, run, fault };
}

const labelIn = (text: string | undefined) => /log_comment'?\]? = '([^']+)'/.exec(text ?? "")?.[1];

describe("a session's settings", () => {
  it("are told when they change, and after a failure", async () => {
    const { asked, run, fault } = recorded();
    await run(sql`SELECT 1`);
    await run(sql`SELECT 2`);
    await run(sql`SELECT 3`, { max_execution_time: 5 });
    await run(sql`SELECT 4`, { max_execution_time: 5 });
    await run(sql`SELECT 5`);
    expect(asked.map((text) => text.replace(/log_comment = '[^']+'/, "label"))).toEqual([
      "SET max_execution_time = '0', max_memory_usage = '0', output_format_parallel_formatting = '1', label; SELECT 1",
      "SELECT 2",
      "SET max_execution_time = '5', max_memory_usage = '0', output_format_parallel_formatting = '1', label; SELECT 3",
      "SELECT 4",
      "SET max_execution_time = '0', max_memory_usage = '0', output_format_parallel_formatting = '1', label; SELECT 5",
    ]);
    fault.next = new Error("no");
    await expect(run(sql`SELECT 6`)).rejects.toThrow("no");
    await run(sql`SELECT 7`);
    expect(asked.at(-1)).toMatch(/^SET .*; SELECT 7$/);
  });
});

describe("what ends a statement", () => {
  it("ends it however often it is asked for, and not the next one of the session", async () => {
    const { opened, asked, run } = recorded();
    await run(sql`SELECT 1`);
    const running = run(sql`SELECT 2`);
    const label = labelIn(asked[0]);
    expect([opened.killing(), opened.killing()].map(labelIn)).toEqual([label, label]);
    await running;
    expect(labelIn(opened.killing())).toBe(label);
    await run(sql`SELECT 3`);
    expect(labelIn(asked.at(-1))).toMatch(/^[0-9a-f-]{36}$/);
    expect(labelIn(asked.at(-1))).not.toBe(label);
    expect(labelIn(opened.killing())).toBe(labelIn(asked.at(-1)));
  });
});
