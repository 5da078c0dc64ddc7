import { identifier, join, sql, text } from "../../engine-sql/sql-text.ts";
import { systemClock } from "../../lib/async/clock.ts";
import { BaseError } from "../../lib/error.ts";
import { appendCommit, isExchanging, newestCommit } from "../commits/commit-log.ts";
import type { Commit, Engine } from "../store.ts";
import { copyOf, dropCopy, exchangedTables } from "./chain-copy.ts";
import { endExtension, type StoredExtension, storedExtension, writeExtension } from "./extension-log.ts";

/**
 * Records that the copy's tables must replace the chain's tables. From then on, `finishExtension()` completes
 * the exchange, even after an interruption.
 *
 * @throws CannotExchange
 */
export async function beginExchange(engine: Engine, chain: string, firstBlock: number): Promise<void> {
  const ids = await identities(engine, exchangedTables(copyOf(chain)));
  await writeExtension(engine, chain, { firstBlock, state: "exchanging", tables: [...ids.values()] });
}

/**
 * Completes an interrupted extension: the exchange of the chain's tables, or the removal of tables that are
 * no longer needed. A copy that is still being built is left alone. Must be called before any other write.
 */
export async function finishExtension(engine: Engine, chain: string): Promise<void> {
  const extension = await storedExtension(engine, chain);
  if (extension === null || extension.state === "building") return;
  if (extension.state === "exchanging") {
    await exchangeTables(engine, chain, extension);
    await writeExtension(engine, chain, { ...extension, state: "exchanged" });
    return;
  }
  // A power loss may have destroyed the last commit of the exchange.
  if (extension.state === "exchanged") await commitExchange(engine, chain, extension.firstBlock);
  await dropCopy(engine, chain);
  await endExtension(engine, chain);
}

/**
 * Exchanges the tables one by one, which readers must not see. So a commit before the first exchange
 * invalidates all running reads, and no read starts until the commit after the last exchange. The identities
 * of tables, which move with them, show which ones are already exchanged.
 */
async function exchangeTables(
  engine: Engine,
  chain: string,
  { firstBlock, tables }: StoredExtension,
): Promise<void> {
  const own = exchangedTables(chain);
  const copied = exchangedTables(copyOf(chain));
  const ids = await identities(engine, own);
  const wanted = new Set(tables);
  const pairs = own.map((name, i) => ({
    name,
    copy: copied[i] ?? "",
    isDone: wanted.has(ids.get(name) ?? ""),
  }));
  const pending = pairs.filter(({ isDone }) => !isDone);
  if (pending.length > 0) await markExchange(engine, chain);
  for (const { name, copy } of pending) {
    await engine.execute(sql`EXCHANGE TABLES ${identifier(name)} AND ${identifier(copy)}`);
  }
  await commitExchange(engine, chain, firstBlock);
}

/** Commits the newest block again, in a form that makes readers wait. */
async function markExchange(engine: Engine, chain: string): Promise<void> {
  const newest = await newestCommit(engine, chain);
  if (newest === null || isExchanging(newest)) return;
  await appendNext(engine, chain, newest, newest.blockNumber + 2);
}

/** Commits the newest block again, with the first block of the copy as the first block of the index. */
async function commitExchange(engine: Engine, chain: string, firstBlock: number): Promise<void> {
  const newest = await newestCommit(engine, chain);
  if (newest === null || newest.firstBlock === firstBlock) return;
  await appendNext(engine, chain, newest, firstBlock);
}

function appendNext(engine: Engine, chain: string, newest: Commit, firstBlock: number): Promise<void> {
  const committedAt = Math.floor(systemClock.now() / 1000);
  return appendCommit(engine, chain, { ...newest, sequence: newest.sequence + 1, firstBlock, committedAt });
}

/** Returns the identity of each table: the last folder of its path, which moves with its data. */
async function identities(engine: Engine, names: readonly string[]): Promise<Map<string, string>> {
  const rows = await engine.query<{ name: string; id: string }>(
    sql`SELECT name, arrayElement(splitByChar('/', trimRight(data_paths[1], '/')), -1) AS id FROM system.tables
      WHERE database = currentDatabase() AND name IN (${join(names.map(text))})`,
  );
  const isUnique = rows.every(({ id }) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id));
  if (rows.length !== names.length || !isUnique) throw new CannotExchange();
  return new Map(rows.map(({ name, id }) => [name, id]));
}

/** @throws CannotExchange if the engine cannot exchange tables of a chain */
export async function requireExchange(engine: Engine, chain: string): Promise<void> {
  await identities(engine, exchangedTables(chain));
}

class CannotExchange extends BaseError {
  constructor() {
    super(
      "bad-config",
      "The database cannot exchange tables, which an extension to earlier blocks requires. On a ClickHouse server, " +
        "use a database with the engine Atomic (the default) or Replicated, or index again from the " +
        "earlier block into a new database.",
    );
  }
}
