import { type Sql, sql, text } from "../../engine-sql/sql-text.ts";
import { BaseError } from "../../lib/error.ts";
import { DiskFull } from "../engines/engine-failure.ts";
import type { Engine } from "../store.ts";

/** A chain in a store. `definition` is JSON. */
export interface StoredChain {
  name: string;
  chainId: number;
  definition: string;
}

const CREATE: Sql = sql`CREATE TABLE IF NOT EXISTS chains (name String, definition String, version UInt64)
  ENGINE = ReplacingMergeTree(version) ORDER BY name`;

/**
 * Stores the definition of a chain under its name, so that readers need no configuration. Rejects a different
 * chain with the same name (`data-directory`).
 */
export async function registerChain(engine: Engine, chain: StoredChain): Promise<void> {
  const stored = (await storedChains(engine)).find(({ name }) => name === chain.name);
  if (stored !== undefined && stored.chainId !== chain.chainId) throw new OtherChain(stored, chain);
  if (stored?.definition === chain.definition) return;
  const written = engine.execute(sql`INSERT INTO chains (name, definition, version)
    SELECT ${text(chain.name)}, ${text(chain.definition)}, toUInt64(toUnixTimestamp64Milli(now64(3)))`);
  await written.catch((error) => {
    // The next start stores the changed definition.
    if (stored === undefined || !(error instanceof DiskFull)) throw error;
  });
}

/** Reads the chains of a store, sorted by name. */
export async function storedChains(engine: Engine): Promise<StoredChain[]> {
  await engine.execute(CREATE);
  const rows = await engine.query<{ name: string; definition: string }>(
    sql`SELECT name, definition FROM chains FINAL ORDER BY name`,
  );
  return rows.map((row) => ({ ...row, chainId: Number(JSON.parse(row.definition).chainId) }));
}

class OtherChain extends BaseError {
  constructor(stored: StoredChain, given: StoredChain) {
    super(
      "data-directory",
      `the data directory holds "${stored.name}" with chain id ${stored.chainId}, ` +
        `but "${given.name}" is now configured with chain id ${given.chainId}. Use another --data directory.`,
    );
  }
}
