import { sql, text } from "../../engine-sql/sql-text.ts";
import { BaseError } from "../../lib/error.ts";
import { NEW_NUMBERING, type RecordNumbering, UNNAMED_NUMBERING } from "../../schema/record-index.ts";
import { EVERYTHING, type KeepLevel, type StoredScope } from "../../schema/scope.ts";
import { DiskFull } from "../engines/engine-failure.ts";
import type { Engine } from "../store.ts";
import { tableEngine } from "../tables/table-engine.ts";
import { tableExists } from "../tables/table-exists.ts";
import { chainCommits } from "./commit-log.ts";

/** A chain in a store. `definition` is JSON. */
export interface StoredChain {
  name: string;
  chainId: number;
  definition: string;
}

/** How the rows of a chain are stored, which its first start decides. */
export interface StoredForm {
  scope: StoredScope;
  numbering: RecordNumbering;
}

/** A registered chain and the form of its rows. */
export interface RegisteredChain extends StoredChain, StoredForm {}

/** The form of a chain that is not registered. */
const NEW_FORM: StoredForm = { scope: EVERYTHING, numbering: NEW_NUMBERING };

/**
 * Stores the definition and the scope of a chain under its name, so readers need no configuration. Rejects a
 * different chain with the same name (`data-directory`).
 *
 * @param keep what to store; default: the chain's own level, or everything for a new chain
 * @throws OtherChain, OtherScope
 */
export async function registerChain(engine: Engine, chain: StoredChain, keep?: KeepLevel): Promise<void> {
  await createChainRegistry(engine);
  const stored = (await storedChains(engine)).find(({ name }) => name === chain.name);
  if (stored !== undefined && stored.chainId !== chain.chainId) throw new OtherChain(stored, chain);
  const scope = await scopeFor(engine, chain.name, stored?.scope, keep);
  const isSameScope = stored !== undefined && JSON.stringify(stored.scope) === JSON.stringify(scope);
  if (isSameScope && stored.definition === chain.definition) return;
  const { numbering } = stored ?? NEW_FORM;
  await write(engine, { ...chain, scope, numbering }).catch((error) => {
    // The next start stores the changed definition.
    if (!isSameScope || !(error instanceof DiskFull)) throw error;
  });
}

/** Replaces parts of the form of a registered chain. */
export async function registerForm(
  engine: Engine,
  chain: string,
  changed: Partial<StoredForm>,
): Promise<void> {
  const stored = (await storedChains(engine)).find(({ name }) => name === chain);
  if (stored === undefined) throw new BaseError("internal", `chain ${chain} is not registered`);
  await write(engine, { ...stored, ...changed });
}

/** Reads the form of a chain's rows; the form of a new chain if the chain is not registered. */
export async function storedForm(engine: Engine, chain: string): Promise<StoredForm> {
  const stored = (await storedChains(engine)).find(({ name }) => name === chain);
  if (stored === undefined) return NEW_FORM;
  return { scope: stored.scope, numbering: stored.numbering };
}

/** Creates the empty table of chains, if it does not exist. */
export async function createChainRegistry(engine: Engine): Promise<void> {
  const body = tableEngine(engine, sql`ReplacingMergeTree(version)`, sql`ORDER BY name`);
  await engine.execute(sql`CREATE TABLE IF NOT EXISTS chains (name String, definition String, version UInt64)
    ${body}`);
}

/** Reads the chains of a store, sorted by name. Creates nothing, because a reader may not. */
export async function storedChains(engine: Engine): Promise<RegisteredChain[]> {
  if (!(await tableExists(engine, "chains"))) return [];
  const rows = await engine.query<{ name: string; definition: string }>(
    sql`SELECT name, definition FROM chains FINAL ORDER BY name`,
  );
  return rows.map(({ name, definition }) => {
    const { scope = EVERYTHING, numbering = UNNAMED_NUMBERING, ...facts } = JSON.parse(definition);
    return { name, chainId: Number(facts.chainId), definition: JSON.stringify(facts), scope, numbering };
  });
}

/**
 * Returns the scope to store. Once a block is stored, the scope is fixed: with another one, new blocks would
 * have rows that old blocks lack, or lack rows that old blocks have.
 */
async function scopeFor(
  engine: Engine,
  chain: string,
  stored: StoredScope | undefined,
  keep: KeepLevel | undefined,
): Promise<StoredScope> {
  if (stored === undefined) return { ...EVERYTHING, keep: keep ?? "all" };
  if (keep === undefined || keep === stored.keep) return stored;
  const commit = await chainCommits(engine, chain).committed();
  if (commit !== null && commit.blockNumber >= commit.firstBlock) throw new OtherScope(chain, stored, keep);
  return { ...EVERYTHING, keep };
}

/**
 * Writes the row of a chain. The scope is part of the definition unless it is `EVERYTHING`, and the numbering
 * unless it is that of early versions, so versions of Quarry that do not know them refuse the chain instead of
 * misreading its tables. The row's version is higher than the versions of all earlier rows, even if the clock
 * was set back.
 */
async function write(engine: Engine, { name, definition, scope, numbering }: RegisteredChain): Promise<void> {
  const isAll = scope.keep === EVERYTHING.keep && scope.rawFrom === EVERYTHING.rawFrom;
  const stored = JSON.stringify({
    ...JSON.parse(definition),
    ...(isAll ? {} : { scope }),
    ...(numbering === UNNAMED_NUMBERING ? {} : { numbering }),
  });
  await engine.execute(sql`INSERT INTO chains (name, definition, version) SELECT ${text(name)}, ${text(stored)},
    greatest(toUInt64(toUnixTimestamp64Milli(now64(3))), (SELECT max(version) + 1 FROM chains WHERE name = ${text(name)}))`);
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

class OtherScope extends BaseError {
  constructor(chain: string, { keep: stored }: StoredScope, given: KeepLevel) {
    super(
      "data-directory",
      `"${chain}" is indexed here with --keep ${stored}, which cannot be changed to --keep ${given}: the stored blocks would ` +
        `have different rows from new ones. Omit --keep to continue, or index into a new --data directory. ` +
        "`quarry prune` removes the raw rows of old blocks.",
    );
  }
}
