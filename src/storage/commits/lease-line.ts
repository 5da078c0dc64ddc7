import { integer, type Sql, sql, text } from "../../engine-sql/sql-text.ts";
import type { Engine } from "../store.ts";
import { tableEngine } from "../tables/table-engine.ts";

/** The claim that a process writes to acquire a lease. */
export interface Claim {
  holder: string;
  /** Description of the process, for messages. */
  process: string;
  /** 0 until a ticket is drawn. */
  ticket: number;
  /** Increases with each claim of a holder: only the newest claim is valid. */
  version: number;
}

/** A claim that had not expired when it was read. Both times are the server's, in milliseconds. */
export interface LiveClaim extends Omit<Claim, "version"> {
  expiresAt: number;
  readAt: number;
}

/** The line for a lease: the process that has it, and the processes that wait for it. */
export interface LeaseLine {
  /** Writes a claim that is valid for `forMs` from now on. */
  claim(claim: Claim, forMs: number): Promise<void>;
  /** Like `claim`, but writes nothing if the holder's earlier claim has expired. */
  prolong(claim: Claim, forMs: number): Promise<void>;
  liveClaims(): Promise<LiveClaim[]>;
}

const SERVER_NOW = sql`toUnixTimestamp64Milli(now64(3))`;

/** Opens the line for the lease of a chain, in a table that all processes share. */
export async function openLine(engine: Engine, chain: string): Promise<LeaseLine> {
  await engine.execute(sql`CREATE TABLE IF NOT EXISTS writers
    (chain String, holder String, process String, ticket UInt64, expires_at UInt64, version UInt64)
    ${tableEngine(engine, sql`ReplacingMergeTree(version)`, sql`ORDER BY (chain, holder)`)}`);
  const live = sql`FROM writers FINAL WHERE chain = ${text(chain)} AND expires_at > ${SERVER_NOW}`;
  const insert = ({ holder, process, ticket, version }: Claim, forMs: number, from: Sql) =>
    engine.execute(sql`INSERT INTO writers SELECT ${text(chain)}, ${text(holder)}, ${text(process)},
      ${integer(ticket)}, ${SERVER_NOW} + ${integer(forMs)}, ${integer(version)} ${from}`);
  return {
    claim: (claim, forMs) => insert(claim, forMs, sql``),
    prolong: (claim, forMs) => insert(claim, forMs, sql`${live} AND holder = ${text(claim.holder)}`),
    liveClaims: () =>
      engine.query<LiveClaim>(
        sql`SELECT holder, process, ticket, expires_at AS expiresAt, ${SERVER_NOW} AS readAt ${live}`,
      ),
  };
}
