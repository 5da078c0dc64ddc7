import { sql } from "../engine-sql/sql-text.ts";
import { BaseError } from "../lib/error.ts";
import { DATA_FORMAT, type DataDirectory } from "../storage/directory/data-directory.ts";
import { DiskFull } from "../storage/engines/engine-failure.ts";
import { finishExtension } from "../storage/extension/exchange-copy.ts";
import { interruptedExchanges } from "../storage/extension/extension-log.ts";
import { finishExchanges, pendingExchanges } from "../storage/rows/partition-copy.ts";
import type { Engine } from "../storage/store.ts";
import { definedChains, defineTables } from "../storage/tables/table-definitions.ts";
import { requireCurrentTables } from "../storage/tables/upgrade-tables.ts";

/**
 * Completes the changes that a killed process left unfinished, and upgrades the tables. Commands that only
 * read also call this.
 */
export async function completeTables(engine: Engine, directory: DataDirectory): Promise<void> {
  await finishExtensions(engine);
  await upgradeTables(engine, directory);
  await finishPartitions(engine);
}

async function finishExtensions(engine: Engine): Promise<void> {
  for (const chain of await interruptedExchanges(engine)) await finishExtension(engine, chain);
}

/**
 * Completes interrupted exchanges of partitions; until then, some rows may exist twice. On a full disk,
 * leaves the exchanges to the indexer, for which readers must wait.
 */
async function finishPartitions(engine: Engine): Promise<void> {
  for (const chain of await definedChains(engine)) {
    await finishExchanges(engine, chain).catch((error) => {
      if (!(error instanceof DiskFull)) throw error;
    });
  }
}

async function upgradeTables(engine: Engine, directory: DataDirectory): Promise<void> {
  for (const chain of await definedChains(engine)) await defineTables(engine, chain);
  const before = await directory.markUpgraded();
  if (before !== null)
    process.stderr.write(`quarry: upgraded ${directory.path} from data format ${before} to ${DATA_FORMAT}\n`);
}

/**
 * Checks that a read-only data directory needs no upgrade and has no interrupted change to complete. Also
 * stops background merges, because their writes would fail again and again.
 *
 * @throws MustBeWritable, EarlierTables
 */
export async function requireNothingToWrite(engine: Engine, data: string): Promise<void> {
  await engine.execute(sql`SYSTEM STOP MERGES`);
  if ((await interruptedExchanges(engine)).length > 0)
    throw new MustBeWritable(data, "an extension to earlier blocks");
  for (const chain of await definedChains(engine)) {
    await requireCurrentTables(engine, chain);
    if ((await pendingExchanges(engine, chain)).length > 0)
      throw new MustBeWritable(data, "a removal of rows");
  }
}

class MustBeWritable extends BaseError {
  constructor(data: string, interrupted: string) {
    super(
      "data-directory",
      `${data} is read-only, but ${interrupted} was interrupted in it and must be completed first. Start the service ` +
        "once with write access to it.",
    );
  }
}
