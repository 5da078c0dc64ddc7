import type { ServerSetting } from "../../config/groups/server-settings.ts";
import type { Settings } from "../../config/settings.ts";
import { sql } from "../../engine-sql/sql-text.ts";
import { BaseError } from "../../lib/error.ts";
import { inspectDataDirectory } from "../../storage/directory/data-directory.ts";
import { openStore } from "../open-store.ts";
import { type Check, fail, ok, warn } from "./check.ts";
import { isOlder } from "./version-order.ts";

export async function checkDataDirectory(data: string): Promise<Check> {
  try {
    const state = await inspectDataDirectory(data);
    return ok("data directory", state === "existing" ? `${data} can be opened` : `${data} can be created`);
  } catch (error) {
    return failed("data directory", error);
  }
}

/**
 * Connects to a ClickHouse server, and compares its version with the tested one.
 *
 * @param tested the version with which Quarry is tested (the embedded engine's version); null if the engine
 * does not load
 */
export async function checkServer(server: Settings<ServerSetting>, tested: string | null): Promise<Check> {
  try {
    const store = await openStore({ data: "", ...server });
    try {
      const [row] = await store.engine.query<{ version: string }>(sql`SELECT version() AS version`);
      return serverVersion(row?.version ?? "unknown", tested);
    } finally {
      await store.close();
    }
  } catch (error) {
    return failed(
      "ClickHouse server",
      error,
      "Check its address, user and password, and whether it is running.",
    );
  }
}

export function serverVersion(found: string, tested: string | null): Check {
  if (tested === null || !isOlder(found, tested)) return ok("ClickHouse server", `version ${found}`);
  const advice = `Quarry is tested on ${tested}: upgrade the server, or use it only for data that you can index again.`;
  return warn("ClickHouse server", `version ${found}`, advice);
}

function failed(check: string, error: unknown, advice?: string): Check {
  if (!(error instanceof BaseError)) throw error;
  // The messages of these errors already end with advice.
  const [, found = error.message, advised = ""] = /^(.*?\.) (.*)$/s.exec(error.message) ?? [];
  return fail(check, found.replace(/\.$/, ""), advice ?? advised);
}
