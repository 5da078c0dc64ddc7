import { join, sql, text } from "../../engine-sql/sql-text.ts";
import { TABLE_NAMES } from "../../schema/tables.ts";
import { openChainStore } from "../../storage/clickhouse-store.ts";
import { storedChains } from "../../storage/commits/chain-registry.ts";
import type { Engine } from "../../storage/store.ts";
import { exchangeTableName } from "../../storage/tables/ddl.ts";
import { isRewriting } from "../../storage/tables/replacement-tables.ts";

/**
 * True while a rollback, a repair or an amendment replaces partitions. It also stays true after an
 * interrupted one, until the chain is opened for writing.
 */
export async function isExchanging(engine: Engine, chain: string): Promise<boolean> {
  const names = TABLE_NAMES.map((table) => text(exchangeTableName(chain, table)));
  const exchanging = sql`SELECT ${isRewriting(chain)} + count() AS exchanging FROM system.tables
    WHERE database = currentDatabase() AND name IN (${join(names)})`;
  const [found] = await engine.query<{ exchanging: number }>(exchanging);
  return Number(found?.exchanging ?? 0) > 0;
}

/**
 * Completes a step that a killed indexer or repair left half done: such a state must not be backed up.
 * Nothing else may be writing.
 */
export async function completeInterrupted(engine: Engine): Promise<void> {
  for (const { name } of await storedChains(engine))
    if (await isExchanging(engine, name)) await openChainStore(engine, name);
}
