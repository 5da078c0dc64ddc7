import { randomUUID } from "node:crypto";
import { identifier, join, type Sql, sql, text } from "../../../engine-sql/sql-text.ts";
import { partsOf } from "../../../lib/collections/parts.ts";

/** Writes that may still be running on a server although no process waits for their answers. */
export interface LostWrites {
  /** Ids of the writes that this process has sent. */
  ids: readonly string[];
  /** The writes of the earlier holders of a lease; null: the caller has no lease. */
  earlier: EarlierWrites | null;
}

/** How to recognize the writes of the earlier holders of a lease. */
export interface EarlierWrites {
  /** Prefix of the ids of all holders' writes, including this process's. */
  prefix: string;
  /** Prefix of the ids of this process's writes only. */
  own: string;
}

/** Makes ids for the writes of a leaseholder, by which later holders of the lease recognize these writes. */
export class LeaseholderIds {
  readonly earlier: EarlierWrites;

  /** @param process a name that no other process has */
  constructor(lease: string, process: string) {
    const prefix = `quarry/${lease}/`;
    this.earlier = { prefix, own: `${prefix}${process}/` };
  }

  next(): string {
    return `${this.earlier.own}${randomUUID()}`;
  }
}

/**
 * Maximum number of statements that one KILL statement ends. With this many, it is 100 kB long. In an outage
 * of an hour, the answers of a few hundred statements are lost.
 */
const KILLED_AT_ONCE = 1_000;

/** A database whose statements run on any server of a cluster. */
export interface ClusterDatabase {
  cluster: string;
  database: string;
}

/**
 * Prints the statements that kill these writes and wait until they have ended. Only statements of this
 * database are ended by prefix, because other databases of the server may have leases with the same names.
 *
 * @param everywhere the database, if the writes may run on any server of a cluster. It is named, because each
 * server runs the statement in its own default database.
 */
export function killStatements({ ids, earlier }: LostWrites, everywhere?: ClusterDatabase): Sql[] {
  const place = everywhere === undefined ? sql`` : sql` ON CLUSTER ${identifier(everywhere.cluster)}`;
  const database = everywhere === undefined ? sql`currentDatabase()` : text(everywhere.database);
  const ofIds = partsOf(ids, KILLED_AT_ONCE).map((part) => sql`query_id IN (${join(part.map(text))})`);
  const ofEarlier =
    earlier === null
      ? []
      : [
          sql`current_database = ${database} AND startsWith(query_id, ${text(earlier.prefix)})
            AND NOT startsWith(query_id, ${text(earlier.own)})`,
        ];
  return [...ofEarlier, ...ofIds].map((condition) => sql`KILL QUERY${place} WHERE ${condition} SYNC`);
}
