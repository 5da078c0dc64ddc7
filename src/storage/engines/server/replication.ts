import type { ClickHouseClient, ClickHouseSettings } from "@clickhouse/client";
import { identifier, join, type Sql, sql, text } from "../../../engine-sql/sql-text.ts";
import { systemClock } from "../../../lib/async/clock.ts";
import { BaseError } from "../../../lib/error.ts";
import { EngineUnavailable, engineCode, engineFailure, QueryTimeout } from "../engine-failure.ts";
import type { AddressFailover } from "./address-failover.ts";
import { answered } from "./server-answer.ts";

/** How long a write waits for a replica before it fails. */
const REPLICA_WAIT_SECONDS = 20;

/** How long the number of replicas is remembered. */
const COUNT_AGE_MS = 10_000;

/** A replica that responds does so quickly. */
const RESPONSE_MS = 10_000;

/**
 * The table whose replicas are counted, instead of those of all tables, because each table costs several requests
 * to the Keeper. It exists once a chain was opened for writing.
 */
const COUNTED_TABLE = sql`'writers'`;

/** The database engine that copies the definitions of tables to all replicas. */
const REPLICATED = "Replicated";

/** Returns how the database of a server is replicated; null if it is not. */
export async function replicationOf(
  addresses: AddressFailover,
  setting: string,
): Promise<Replication | null> {
  const database = await databaseOf(addresses, sql`currentDatabase()`);
  return database?.engine === REPLICATED ? new Replication(addresses, database.name, setting) : null;
}

/**
 * Settings of newer servers that turn deduplication on again although `insert_deduplicate` is off. Others reject
 * them.
 */
const NEWER_DEDUPLICATION = ["deduplicate_insert", "deduplicate_insert_select"];

/**
 * Returns the settings without which a server would drop rows that equal those of an earlier insert. Replicas may
 * have different versions: a setting that one of them does not know would be rejected there.
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

/**
 * Creates a replicated database on the servers of a cluster, if it does not exist.
 *
 * @throws NotReplicated
 */
export async function requireReplicated(
  addresses: AddressFailover,
  database: string,
  cluster: string,
): Promise<void> {
  const name = text(database);
  if ((await databaseOf(addresses, name)) === undefined) {
    const query = createReplicatedDatabase(database, cluster);
    await translated(() => addresses.write(({ client }) => client.command({ query })));
  }
  const found = await databaseOf(addresses, name);
  if (found?.engine !== REPLICATED) throw new NotReplicated(database, found?.engine);
}

interface Database {
  name: string;
  engine: string;
}

async function databaseOf(addresses: AddressFailover, name: Sql): Promise<Database | undefined> {
  const query = sql`SELECT name, engine FROM system.databases WHERE name = ${name}`;
  const [found] = await translated(() => addresses.read(({ client }) => rowsOf<Database>(client, query)));
  return found;
}

/**
 * A replicated database. Each server has all tables, and every write waits until all of them have it. Readers may
 * therefore use any of them, and need no further rules than for one server: the rows of a commit are everywhere
 * before its own row is anywhere, and a rollback is known everywhere before its rows are removed anywhere. While a
 * replica is missing, nothing is written.
 */
export class Replication {
  readonly #addresses: AddressFailover;
  readonly #database: string;
  readonly #setting: string;
  #counted: { replicas: number; atMs: number } | undefined;

  /** @param setting that gives the addresses, for errors */
  constructor(addresses: AddressFailover, database: string, setting: string) {
    this.#addresses = addresses;
    this.#database = database;
    this.#setting = setting;
  }

  /** Returns the settings with which writes wait for all replicas. */
  async writeSettings(): Promise<ClickHouseSettings> {
    return {
      insert_quorum: String(await this.#countReplicas()),
      insert_quorum_timeout: REPLICA_WAIT_SECONDS * 1000,
      // Retries could outlive the lease of a process that was killed, and write after its successor.
      insert_keeper_max_retries: "0",
      alter_sync: "2",
      replication_wait_for_inactive_replica_timeout: String(REPLICA_WAIT_SECONDS),
      distributed_ddl_task_timeout: String(REPLICA_WAIT_SECONDS),
      distributed_ddl_output_mode: "throw",
      database_replicated_enforce_synchronous_settings: 1,
    };
  }

  /**
   * Waits until every replica has all writes that any of them has begun.
   *
   * @throws UnlistedReplicas, SameReplica, or the failure of a replica
   */
  async settle(): Promise<void> {
    const servers = await this.#addresses.everywhere(({ client }) =>
      rowsOf<{ id: string }>(
        client,
        sql`SELECT toString(serverUUID()) AS id`,
        AbortSignal.timeout(RESPONSE_MS),
      ),
    );
    if (new Set(servers.map(([server]) => server?.id)).size < servers.length)
      throw new SameReplica(this.#setting);
    this.#counted = undefined;
    const replicas = await this.#countReplicas();
    if (servers.length < replicas) throw new UnlistedReplicas(this.#database, replicas, this.#setting);
    await this.#addresses.everywhere(async ({ client }) => {
      // Definitions and rows have logs of their own.
      await answered(
        client.command({ query: sql`SYSTEM SYNC DATABASE REPLICA ${identifier(this.#database)}` }),
      );
      for (const table of await this.#tables(client)) await synchronize(client, table);
    });
  }

  /**
   * A replica without a connection to the Keeper counts none, and one that was just added may lack the table: a
   * smaller quorum than all addresses would not protect readers.
   */
  async #countReplicas(): Promise<number> {
    const nowMs = systemClock.monotonic();
    if (this.#counted !== undefined && nowMs - this.#counted.atMs < COUNT_AGE_MS)
      return this.#counted.replicas;
    const [found] = await this.#addresses.read(({ client }) =>
      rowsOf<{ replicas: number }>(
        client,
        sql`SELECT toUInt32(total_replicas) AS replicas FROM system.replicas
          WHERE database = currentDatabase() AND table = ${COUNTED_TABLE}`,
      ),
    );
    const replicas = Math.max(found?.replicas ?? 0, this.#addresses.count);
    if (found?.replicas === replicas) this.#counted = { replicas, atMs: nowMs };
    return replicas;
  }

  async #tables(client: ClickHouseClient): Promise<string[]> {
    const rows = await rowsOf<{ name: string }>(
      client,
      sql`SELECT name FROM system.tables WHERE database = currentDatabase() AND startsWith(engine, 'Replicated')`,
    );
    return rows.map(({ name }) => name);
  }
}

/** Codes for a table that was dropped meanwhile: indexers of other chains drop their copies. */
const DROPPED: readonly (number | undefined)[] = [60, 218];

/** Waits for the rows that other replicas have, but not for merges. */
async function synchronize(client: ClickHouseClient, table: string): Promise<void> {
  try {
    await answered(client.command({ query: sql`SYSTEM SYNC REPLICA ${identifier(table)} LIGHTWEIGHT` }));
  } catch (error) {
    if (!DROPPED.includes(engineCode(error))) throw error;
  }
}

/**
 * Prints the statement that creates a replicated database on all servers of a cluster. Each shard has a database of
 * its own, because a chain is stored in one shard.
 *
 * @param cluster its name in the configuration of the servers, which also has the macros `shard` and `replica`
 */
export function createReplicatedDatabase(database: string, cluster: string): Sql {
  const path = text(`/clickhouse/databases/${database}/{shard}`);
  return sql`CREATE DATABASE IF NOT EXISTS ${identifier(database)} ON CLUSTER ${identifier(cluster)}
    ENGINE = Replicated(${path}, '{shard}', '{replica}')`;
}

async function translated<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const failure = engineFailure(error);
    throw failure instanceof QueryTimeout ? new EngineUnavailable(error) : failure;
  }
}

async function rowsOf<R>(client: ClickHouseClient, query: Sql, signal?: AbortSignal): Promise<R[]> {
  const limit = signal === undefined ? {} : { abort_signal: signal };
  const answer = await answered(client.query({ query, format: "JSONEachRow", ...limit }));
  return answer.json<R>();
}

/** A replica without an address could lack rows when it is read by another process. */
class UnlistedReplicas extends BaseError {
  constructor(database: string, replicas: number, setting: string) {
    super(
      "bad-config",
      `The database ${database} has ${replicas} replicas, of which ${setting} does not list all. ` +
        "List their addresses, separated by commas.",
    );
  }
}

class NotReplicated extends BaseError {
  constructor(database: string, engine: string | undefined) {
    const found = engine === undefined ? "does not exist" : `has the engine ${engine}`;
    super(
      "bad-config",
      `--cluster requires a replicated database, but ${database} ${found}. ` +
        "Name another database in the URLs, which is then created, or omit --cluster.",
    );
  }
}

class SameReplica extends BaseError {
  constructor(setting: string) {
    super("bad-config", `Two URLs in ${setting} are addresses of the same replica. List each replica once.`);
  }
}
