import type { ClickHouseClient, ClickHouseSettings } from "@clickhouse/client";
import { join, sql, text } from "../../../../engine-sql/sql-text.ts";
import type { AddressFailover } from "../address-failover.ts";
import { RESPONSE_MS, rowsOf } from "../server-answer.ts";

/**
 * Settings of newer servers that turn deduplication on again although `insert_deduplicate` is off. Older
 * servers reject them.
 */
const NEWER_DEDUPLICATION = ["deduplicate_insert", "deduplicate_insert_select"];

/**
 * Returns the settings without which a server would drop rows that equal rows of an earlier insert. Replicas
 * may have different versions, and reject settings that they do not know, so all of them are queried, and
 * only settings that all of them know are returned.
 *
 * @throws the failure of a replica or, if the database is not replicated, of the only server
 */
export async function deduplicationOff(
  addresses: Pick<AddressFailover, "everywhere" | "read">,
  isReplicated: boolean,
): Promise<ClickHouseSettings> {
  const known = isReplicated
    ? await addresses.everywhere(({ client }) => knownSettings(client))
    : [await addresses.read(({ client }) => knownSettings(client))];
  const shared = NEWER_DEDUPLICATION.filter((name) => known.every((names) => names.has(name)));
  return Object.fromEntries(shared.map((name) => [name, "disable"]));
}

async function knownSettings(client: ClickHouseClient): Promise<Set<string>> {
  const query = sql`SELECT name FROM system.settings WHERE name IN (${join(NEWER_DEDUPLICATION.map(text))})`;
  const rows = await rowsOf<{ name: string }>(client, query, AbortSignal.timeout(RESPONSE_MS));
  return new Set(rows.map(({ name }) => name));
}
