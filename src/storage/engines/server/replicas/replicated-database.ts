import { identifier, type Sql, sql, text } from "../../../../engine-sql/sql-text.ts";
import { BaseError } from "../../../../lib/error.ts";
import type { AddressFailover } from "../address-failover.ts";
import { answered, rowsOf } from "../server-answer.ts";

/** The database engine that copies the definitions of tables to all replicas. */
const REPLICATED = "Replicated";

/** The database engine of ClickHouse Cloud. It shares the definitions and the rows of tables between replicas. */
const SHARED = "Shared";

/**
 * Prints the statement that creates a replicated database on all servers of a cluster. Each shard has a
 * database of its own, because a chain is stored in one shard.
 *
 * @param cluster name of the cluster in the configuration of the servers, which also has the macros `shard`
 * and `replica`
 */
export function createReplicatedDatabase(database: string, cluster: string): Sql {
  const path = text(`/clickhouse/databases/${database}/{shard}`);
  return sql`CREATE DATABASE IF NOT EXISTS ${identifier(database)} ON CLUSTER ${identifier(cluster)}
    ENGINE = Replicated(${path}, '{shard}', '{replica}')`;
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
    await addresses.write(({ client }) => answered(client.command({ query })));
  }
  const found = await databaseOf(addresses, name);
  if (found?.isReplicated !== true) throw new NotReplicated(database, found?.engine);
}

export interface Database {
  name: string;
  engine: string;
  isReplicated: boolean;
  /** True if replicas share its tables: see `shared-database.ts`. */
  isShared: boolean;
}

/** Reads a database's entry; undefined if there is none. `name` is an expression for its name. */
export async function databaseOf(addresses: AddressFailover, name: Sql): Promise<Database | undefined> {
  const query = sql`SELECT name, engine FROM system.databases WHERE name = ${name}`;
  const [found] = await addresses.read(({ client }) =>
    rowsOf<{ name: string; engine: string }>(client, query),
  );
  return found && { ...found, isReplicated: found.engine === REPLICATED, isShared: found.engine === SHARED };
}

class NotReplicated extends BaseError {
  constructor(database: string, engine: string | undefined) {
    const found = engine === undefined ? "does not exist" : `has the engine ${engine}`;
    super(
      "bad-config",
      `--cluster requires a replicated database, but ${database} ${found}. ` +
        "In the URLs, name a database that does not exist yet, which is then created, or omit --cluster.",
    );
  }
}
