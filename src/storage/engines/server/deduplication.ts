import type { ClickHouseSettings } from "@clickhouse/client";
import { join, sql, text } from "../../../engine-sql/sql-text.ts";
import type { AddressFailover } from "./address-failover.ts";
import { RESPONSE_MS, rowsOf } from "./server-answer.ts";

/**
 * Settings of newer servers that turn deduplication on again although `insert_deduplicate` is off. Older
 * servers reject them.
 */
const NEWER_DEDUPLICATION = ["deduplicate_insert", "deduplicate_insert_select"];

/**
 * Returns the settings without which a server would drop rows that equal those of an earlier insert. Replicas
 * may have different versions, and reject settings that they do not know, so only settings that all replicas
 * that respond know are returned.
 */
export async function deduplicationOff(addresses: AddressFailover): Promise<ClickHouseSettings> {
  const query = sql`SELECT name FROM system.settings WHERE name IN (${join(NEWER_DEDUPLICATION.map(text))})`;
  const known = await addresses.whereReached(async ({ client }) => {
    const rows = await rowsOf<{ name: string }>(client, query, AbortSignal.timeout(RESPONSE_MS));
    return new Set(rows.map(({ name }) => name));
  });
  if (known.length === 0) return {};
  const shared = NEWER_DEDUPLICATION.filter((name) => known.every((names) => names.has(name)));
  return Object.fromEntries(shared.map((name) => [name, "disable"]));
}
