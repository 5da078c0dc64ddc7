import { sql } from "../../engine-sql/sql-text.ts";
import { BaseError } from "../../lib/error.ts";
import { inspectDataDirectory } from "../../storage/directory/data-directory.ts";
import { openStore } from "../open-store.ts";
import { tryPort } from "../serving/port.ts";
import { type Check, fail, ok, warn } from "./check.ts";
import { isOlder } from "./version-order.ts";

export async function checkDataDirectory(data: string): Promise<Check> {
  try {
    const state = await inspectDataDirectory(data);
    return ok("data directory", state === "existing" ? `${data} is one` : `${data} can be made`);
  } catch (error) {
    return failed("data directory", error);
  }
}

/** The version is compared with the embedded engine's: that is what Quarry's tests run on. */
export async function checkServer(url: string, tested: string | null): Promise<Check> {
  try {
    const store = await openStore({ data: "", clickhouse: url });
    try {
      const [row] = await store.engine.query<{ version: string }>(sql`SELECT version() AS version`);
      return serverVersion(row?.version ?? "unknown", tested);
    } finally {
      await store.close();
    }
  } catch (error) {
    return failed("ClickHouse server", error, "Check its address, user and password, and that it runs.");
  }
}

export function serverVersion(found: string, tested: string | null): Check {
  if (tested === null || !isOlder(found, tested)) return ok("ClickHouse server", `version ${found}`);
  const advice = `Quarry is tested on ${tested}: upgrade the server, or try it on data that you can index again.`;
  return warn("ClickHouse server", `version ${found}`, advice);
}

export async function checkPort(host: string, port: number): Promise<Check> {
  if (port === 0) return ok("port", "any that is free");
  try {
    await tryPort({ host, port });
    return ok("port", `${host}:${port} is free`);
  } catch (error) {
    return takenPort(host, port, (error as NodeJS.ErrnoException).code ?? "unknown error");
  }
}

const ANSWER_MS = 2_000;

async function takenPort(host: string, port: number, code: string): Promise<Check> {
  const place = `${host}:${port}`;
  if (code !== "EADDRINUSE") {
    return fail("port", `${place} cannot be listened on (${code})`, "Choose others with --host and --port.");
  }
  if (await isQuarry(port)) return ok("port", `a Quarry answers on ${place}`);
  return fail(
    "port",
    `${place} is in use by another program`,
    "Stop that one, or choose another with --port.",
  );
}

async function isQuarry(port: number): Promise<boolean> {
  const url = `http://127.0.0.1:${port}/health`;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) });
    return ((await response.json()) as { alive?: unknown }).alive === true;
  } catch {
    return false;
  }
}

function failed(check: string, error: unknown, advice?: string): Check {
  if (!(error instanceof BaseError)) throw error;
  // Such sentences end by what to do.
  const [, found = error.message, then = ""] = /^(.*?\.) (.*)$/s.exec(error.message) ?? [];
  return fail(check, found.replace(/\.$/, ""), advice ?? then);
}
