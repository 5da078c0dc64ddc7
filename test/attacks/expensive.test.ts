import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createServer } from "../../src/api/http/server.ts";
import { ABANDON_AFTER_MS } from "../../src/storage/engines/abandoned-statements.ts";
import { type CopiedBlocks, openCopiedBlocks } from "./support/copied-blocks.ts";
import { type ExpensiveStatement, expensiveStatement } from "./support/expensive-sql.ts";
import { measureStatement, type Outcome } from "./support/measured-statement.ts";

/** Number of statements. The long run in docs/testing.md has 10,000. */
const STATEMENTS = Number(process.env.QUARRY_EXPENSIVE ?? 60);
const FIRST_SEED = Number(process.env.QUARRY_FIRST_SEED ?? 1);

const LOGS = 1_000_000;
const LIMIT_MS = 300;
/**
 * Maximum time from the time limit to the answer. A statement that cannot be stopped gets its answer after a
 * fifth of this time. The rest allows for a busy machine.
 */
const GRACE_MS = 5 * ABANDON_AFTER_MS;
/**
 * Maximum CPU time between the time limit and the end of a statement. A busy machine needs more CPU time for
 * the same work. Without a limit, a statement would use the CPU for half a minute.
 */
const MOST_LATE_CPU_MS = 3_000;
const PRINTED = 10;
const PROGRESS = 500;

/** Expected statuses: rows, a compiler error, the time limit, and the memory limit. */
const EXPECTED = [200, 400, 408, 413];

interface Run extends ExpensiveStatement, Outcome {
  seed: number;
}

let blocks: CopiedBlocks;
let app: FastifyInstance;
let url: string;

beforeAll(async () => {
  blocks = await openCopiedBlocks(LOGS);
  app = await createServer({ ...blocks, limits: { queryTimeMs: LIMIT_MS } });
  url = await app.listen({ port: 0, host: "127.0.0.1" });
  const payload = { query: "SELECT COUNT(*) AS n FROM eth_logs" };
  const visible = await app.inject({ method: "POST", url: "/v1/sql", payload });
  expect(visible.json()[0].n).toBeGreaterThanOrEqual(LOGS);
}, 300_000);

afterAll(async () => {
  await app.close();
  await blocks.close();
});

function measure(statement: ExpensiveStatement): Promise<Outcome> {
  return measureStatement({ url, engine: blocks.engine, limitMs: LIMIT_MS }, statement);
}

async function run(seed: number): Promise<Run> {
  const statement = expensiveStatement(seed);
  return { seed, ...statement, ...(await measure(statement)) };
}

describe("generated expensive statements", () => {
  it(
    "are answered at their time limit, and use little CPU time after it",
    async () => {
      const runs: Run[] = [];
      for (let i = 0; i < STATEMENTS; i++) {
        runs.push(await run(FIRST_SEED + i));
        if (runs.length % PROGRESS === 0) console.info(summaryOf(runs));
      }
      console.info(summaryOf(runs));
      const unexpected = runs.filter(
        ({ status, answeredMs }) => !EXPECTED.includes(status) || answeredMs > LIMIT_MS + GRACE_MS,
      );
      expect(unexpected.map(lineOf)).toEqual([]);
      expect(quantile(runs, "lateCpuMs", 0.99)).toBeLessThanOrEqual(MOST_LATE_CPU_MS);
      const small = { kind: "lists", query: "SELECT COUNT(*) AS n FROM eth_blocks", format: "json" } as const;
      expect(await measure(small)).toMatchObject({ status: 200, lateMs: 0 });
    },
    300_000 + STATEMENTS * 3_000,
  );
});

type Figure = "answeredMs" | "lateMs" | "lateCpuMs";

function quantile(runs: readonly Run[], figure: Figure, share: number): number {
  const sorted = runs.map((one) => one[figure]).sort((a, b) => a - b);
  // The index is rounded down, so one of sixty statements may exceed the p99.
  return sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
}

function summaryOf(runs: readonly Run[]): string {
  const counts = (of: (one: Run) => string) =>
    [...new Set(runs.map(of))]
      .map((name) => `${name}: ${runs.filter((one) => of(one) === name).length}`)
      .join(", ");
  const figures = (["answeredMs", "lateMs", "lateCpuMs"] as const).map(
    (figure) =>
      `${figure} ${[0.5, 0.95, 0.99, 1].map((share) => Math.round(quantile(runs, figure, share))).join(" / ")}`,
  );
  const worst = runs.toSorted((a, b) => b.lateCpuMs - a.lateCpuMs).slice(0, PRINTED);
  return [
    `${runs.length} statements from seed ${FIRST_SEED}; by status: ${counts(({ status }) => String(status))}`,
    `p50 / p95 / p99 / most: ${figures.join("; ")}`,
    ...worst.map(lineOf),
  ].join("\n");
}

function lineOf(one: Run): string {
  const { seed, kind, format, status, answeredMs, lateMs, lateCpuMs, error, query } = one;
  const times = [answeredMs, lateMs, lateCpuMs].map(Math.round).join(" / ");
  return `seed ${seed}, ${kind}, ${format}: ${status} ${error.slice(0, 150)}, answered / late / processor ms ${times}: ${query.slice(0, 300)}`;
}
