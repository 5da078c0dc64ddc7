import { setTimeout as sleep } from "node:timers/promises";
import type { Engine } from "../../../src/storage/store.ts";
import type { ExpensiveStatement } from "./expensive-sql.ts";

/** The result of a statement. */
export interface Outcome {
  status: number;
  error: string;
  /** Time from the request to the end of its answer, in ms. */
  answeredMs: number;
  /** Time from the time limit to the end of the work, in ms. 0 if the work ended before the limit. */
  lateMs: number;
  /** Processor time of this process from the time limit to the end of the work, in ms. */
  lateCpuMs: number;
}

interface Service {
  url: string;
  engine: Engine;
  limitMs: number;
}

const POLL_MS = 5;

/**
 * Sends a statement to the service and waits until the engine has finished it, which may be after the answer.
 * The service must run in this process and must have no other work.
 */
export async function measureStatement(
  { url, engine, limitMs }: Service,
  { query, format }: ExpensiveStatement,
): Promise<Outcome> {
  const startedMs = performance.now();
  const startedCpuMs = cpuMs();
  const sinceLimit = () => performance.now() - startedMs - limitMs;
  let atLimit: { cpuMs: number; delayMs: number } | undefined;
  const timer = setTimeout(() => {
    atLimit = { cpuMs: cpuMs(), delayMs: sinceLimit() };
  }, limitMs);
  const { status, error } = await answerOf(url, query, format);
  const answeredMs = performance.now() - startedMs;
  clearTimeout(timer);
  while ((engine.abandoned?.running ?? 0) > 0) await sleep(POLL_MS);
  if (sinceLimit() <= 0) return { status, error, answeredMs, lateMs: 0, lateCpuMs: 0 };
  // If the timer was late, this thread was busy with the statement in the meantime.
  const { cpuMs: before, delayMs } = atLimit ?? { cpuMs: cpuMs(), delayMs: sinceLimit() };
  const lateCpuMs = Math.min(cpuMs() - before + delayMs, cpuMs() - startedCpuMs);
  return { status, error, answeredMs, lateMs: sinceLimit(), lateCpuMs };
}

async function answerOf(url: string, query: string, format: string) {
  const response = await fetch(`${url}/v1/sql?format=${format}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query }),
  });
  const bytes = await response.arrayBuffer();
  const error = response.ok ? "" : Buffer.from(bytes).toString("utf8");
  return { status: response.status, error };
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
