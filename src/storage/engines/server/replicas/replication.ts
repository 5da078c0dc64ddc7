import type { ClickHouseClient, ClickHouseSettings } from "@clickhouse/client";
import { identifier, sql } from "../../../../engine-sql/sql-text.ts";
import { systemClock } from "../../../../lib/async/clock.ts";
import { BaseError } from "../../../../lib/error.ts";
import { engineCode } from "../../engine-failure.ts";
import type { AddressFailover } from "../address-failover.ts";
import { answered, RESPONSE_MS, rowsOf } from "../server-answer.ts";

/** How long a write waits for a replica before it fails. */
const REPLICA_WAIT_SECONDS = 20;

/** How long the number of replicas is remembered. */
const COUNT_AGE_MS = 10_000;

/**
 * The table whose replicas are counted. Counting the replicas of all tables would cost several requests to
 * the Keeper for each table. The table exists once a chain has been opened for writing.
 */
const COUNTED_TABLE = sql`'writers'`;

/**
 * A replicated database. Each server has all tables, and every write waits until all servers have it. Readers
 * may therefore use any server, and need no more rules than with one: the rows of a commit are everywhere
 * before the commit's own row is anywhere, and a rollback is known everywhere before its rows are removed
 * anywhere. While a replica is missing, nothing is written.
 */
export class Replication {
  readonly #addresses: AddressFailover;
  readonly #database: string;
  readonly #setting: string;
  #counted: { replicas: number; atMs: number } | undefined;

  /** @param setting name of the setting that gives the addresses, for errors */
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
   * Waits until every replica has all writes that any replica has begun.
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
      // Definitions and rows are replicated through separate logs.
      await answered(
        client.command({ query: sql`SYSTEM SYNC DATABASE REPLICA ${identifier(this.#database)}` }),
      );
      for (const table of await this.#tables(client)) await synchronize(client, table);
    });
  }

  /**
   * Returns the number of replicas, at least the number of addresses. The count can be too low: a replica
   * without a connection to the Keeper counts none, and one that was just added may lack the table. A quorum
   * smaller than the number of addresses would not protect readers.
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

/** Codes for a table that was dropped in the meantime: indexers of other chains drop their copies. */
const DROPPED: readonly (number | undefined)[] = [60, 218];

/** Waits for the rows that other replicas have, but not for merges. */
async function synchronize(client: ClickHouseClient, table: string): Promise<void> {
  try {
    await answered(client.command({ query: sql`SYSTEM SYNC REPLICA ${identifier(table)} LIGHTWEIGHT` }));
  } catch (error) {
    if (!DROPPED.includes(engineCode(error))) throw error;
  }
}

/** A replica without an address could lack rows when it is read by another process. */
class UnlistedReplicas extends BaseError {
  constructor(database: string, replicas: number, setting: string) {
    super(
      "bad-config",
      `The database ${database} has ${replicas} replicas, but ${setting} does not list all of them. ` +
        "List the addresses of all, separated by commas.",
    );
  }
}

class SameReplica extends BaseError {
  constructor(setting: string) {
    super("bad-config", `Two URLs in ${setting} are addresses of the same replica. List each replica once.`);
  }
}
