import { integer, join, sql, text } from "../../engine-sql/sql-text.ts";
import type { Engine } from "../store.ts";
import { tableEngine } from "../tables/table-engine.ts";
import { tableExists } from "../tables/table-exists.ts";

/**
 * States of an extension. `building`: the copy is being written. `exchanging`: its tables are replacing those
 * of the chain. `exchanged` and `cancelled`: the tables that are no longer needed are being dropped.
 */
export type ExtensionState = "building" | "exchanging" | "exchanged" | "cancelled";

/** An extension of a chain to earlier blocks. */
export interface StoredExtension {
  /** First block of the copy. */
  firstBlock: number;
  state: ExtensionState;
  /** Identities of the copy's tables when the exchange began; empty until then. */
  tables: readonly string[];
}

/** The state of a chain when its copy was begun. */
export interface CopyOrigin {
  /** Sequence number and block of the chain's newest commit. */
  sequence: number;
  blockNumber: number;
  /** Whether an endpoint was available. */
  hasNode: boolean;
}

/**
 * Creates the table of extensions. Its few rows decide which tables are dropped, so each row must be on disk
 * before the next step.
 */
function createExtensions(engine: Engine): Promise<void> {
  return engine.execute(sql`CREATE TABLE IF NOT EXISTS extensions
    (chain String, first_block UInt64, state String, tables Array(String), version UInt64)
    ${tableEngine(engine, sql`ReplacingMergeTree(version)`, sql`ORDER BY chain`, [
      sql`fsync_after_insert = 1, fsync_part_directory = 1`,
    ])}`);
}

const ENDED = "ended";

/** Reads the extension of a chain; null if there is none. */
export async function storedExtension(engine: Engine, chain: string): Promise<StoredExtension | null> {
  if (!(await tableExists(engine, "extensions"))) return null;
  const [found] = await engine.query<StoredExtension>(sql`SELECT first_block AS firstBlock, state, tables
    FROM extensions FINAL WHERE chain = ${text(chain)} AND state != ${text(ENDED)}`);
  return found ?? null;
}

/** Returns the chains whose tables are only partly exchanged. */
export async function interruptedExchanges(engine: Engine): Promise<string[]> {
  if (!(await tableExists(engine, "extensions"))) return [];
  const rows = await engine.query<{ chain: string }>(
    sql`SELECT chain FROM extensions FINAL WHERE state = 'exchanging'`,
  );
  return rows.map(({ chain }) => chain);
}

/** @param origin if given, stored for `copyOrigin()` */
export async function writeExtension(
  engine: Engine,
  chain: string,
  extension: StoredExtension,
  origin?: CopyOrigin,
): Promise<void> {
  await createExtensions(engine);
  if (origin === undefined) return append(engine, chain, extension);
  await engine.execute(ADD_ORIGIN);
  await append(engine, chain, extension, origin);
}

/** Reads the origin of a stored extension's copy; null if it was not recorded. */
export async function copyOrigin(engine: Engine, chain: string): Promise<CopyOrigin | null> {
  await engine.execute(ADD_ORIGIN);
  const [found] = await engine.query<{ origin: string }>(
    sql`SELECT origin FROM extensions FINAL WHERE chain = ${text(chain)} AND origin != ''`,
  );
  return found === undefined ? null : (JSON.parse(found.origin) as CopyOrigin);
}

/** Adds a column that tables of earlier versions lack. */
const ADD_ORIGIN = sql`ALTER TABLE extensions ADD COLUMN IF NOT EXISTS origin String`;

/** Records that a chain no longer has an extension. */
export function endExtension(engine: Engine, chain: string): Promise<void> {
  return append(engine, chain, { firstBlock: 0, state: ENDED, tables: [] });
}

function append(
  engine: Engine,
  chain: string,
  { firstBlock, state, tables }: Omit<StoredExtension, "state"> & { state: string },
  origin?: CopyOrigin,
): Promise<void> {
  const ids = sql`CAST([${join(tables.map(text))}] AS Array(String))`;
  const [column, value] =
    origin === undefined ? [sql``, sql``] : [sql`, origin`, sql`, ${text(JSON.stringify(origin))}`];
  return engine.execute(sql`INSERT INTO extensions (chain, first_block, state, tables, version${column})
    SELECT ${text(chain)}, ${integer(firstBlock)}, ${text(state)}, ${ids},
      (SELECT max(version) + 1 FROM extensions WHERE chain = ${text(chain)})${value}`);
}
