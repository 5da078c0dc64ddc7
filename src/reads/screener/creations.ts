import {
  hexBytesArray,
  hexText,
  integer,
  join,
  type Sql,
  sql,
  text,
  time,
} from "../../engine-sql/sql-text.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { hasOneOf } from "../trades/pool-tokens.ts";
import type { ScreenQuery } from "./screen-query.ts";

/**
 * Selects the tokens or pools whose age is within the query's range, as `listed`, and the value that orders
 * them by age, as `born`: the block in which a token was first seen, or the time at which a pool was created.
 */
export function createdWithin(snapshot: Snapshot, query: ScreenQuery): Sql {
  return query.kind === "token" ? tokensWithin(snapshot, query) : poolsWithin(snapshot, query);
}

function tokensWithin(snapshot: Snapshot, { age, tokens }: ScreenQuery): Sql {
  const { commit, table } = snapshot;
  const [first, newest] = [sql`first_seen_block_number`, integer(commit.blockNumber)];
  const blocks = sql`FROM ${table("blocks")} WHERE block_number <= ${newest} AND timestamp`;
  const conditions = [
    sql`${first} <= ${newest}`,
    ...(age.max === null
      ? []
      : [sql`${first} >= (SELECT min(block_number) ${blocks} >= ${timeBefore(snapshot, age.max)})`]),
    ...(age.min === null
      ? []
      : [sql`${first} <= (SELECT max(block_number) ${blocks} <= ${timeBefore(snapshot, age.min)})`]),
    ...(tokens === null ? [] : [sql`token_address IN (SELECT arrayJoin(${hexBytesArray(tokens, 20)}))`]),
  ];
  return sql`SELECT token_address AS listed, ${first} AS born FROM ${table("token_metadata")}
    WHERE ${join(conditions, " AND ")}`;
}

function poolsWithin(snapshot: Snapshot, { age, tokens, protocol }: ScreenQuery): Sql {
  const conditions = [
    sql`first_seen_block_number <= ${integer(snapshot.commit.blockNumber)}`,
    ...(age.max === null ? [] : [sql`timestamp_created >= ${timeBefore(snapshot, age.max)}`]),
    ...(age.min === null ? [] : [sql`timestamp_created <= ${timeBefore(snapshot, age.min)}`]),
    ...(tokens === null ? [] : [hasOneOf(tokens)]),
    ...(protocol === null ? [] : [sql`protocol = ${text(protocol)}`]),
  ];
  return sql`SELECT pool_address AS listed, timestamp_created AS born FROM ${snapshot.table("pool_metadata")}
    WHERE ${join(conditions, " AND ")}`;
}

function timeBefore({ commit }: Snapshot, seconds: number): Sql {
  return time(Math.max(0, commit.timestamp - seconds));
}

/** Reads the time of the block in which each token was first seen, unix seconds. */
export async function readFirstSeen(
  { commit, query, table }: Snapshot,
  tokens: readonly Hex[],
): Promise<Map<Hex, number>> {
  const known = sql`${table("token_metadata")} WHERE token_address IN (SELECT arrayJoin(${hexBytesArray(tokens, 20)}))
    AND first_seen_block_number <= ${integer(commit.blockNumber)}`;
  const rows = await query<{ token: Hex; at: number }>(
    sql`SELECT ${hexText(sql`token_address`)} AS token, toUnixTimestamp(timestamp) AS at
      FROM (SELECT token_address, first_seen_block_number AS block_number FROM ${known}) AS seen
      INNER JOIN (SELECT block_number, timestamp FROM ${table("blocks")}
        WHERE block_number IN (SELECT first_seen_block_number FROM ${known})) AS mined USING block_number`,
  );
  return new Map(rows.map(({ token, at }) => [token, at]));
}
