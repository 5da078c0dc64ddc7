import type { Hex } from "../lib/hex.ts";
import { hexBytes, integer, join, type Sql, sql } from "../lib/sql-text.ts";
import { recordIndexOf } from "../schema/record-index.ts";
import { engineTable } from "../storage/ddl.ts";
import type { Commit, Engine } from "../storage/store.ts";
import { type Damage, hexText } from "./law.ts";

interface Store {
  engine: Engine;
  chain: string;
  wrappedNative: Hex;
  commit: Commit;
}

/** Blocks that are compared as one at first: what is held in memory is a row for each of so many. */
const RUN_BLOCKS = 4_096;

/** Unequal runs, and unequal blocks of them, that one examination tells: what is beyond is found by the next. */
const MAX_PLACES = 10_000;

/** Reading the tables once: what that may take. */
const LIMITS = { memoryBytes: 3 * 1024 ** 3, timeoutMs: 10 * 60_000 };

/** Room for one block's rows in `record_index`. */
const STEP = integer(recordIndexOf(1, 0));

/** Blocks whose changed balances are not as many as their rows in `blocks` state, each at its place and time. */
export async function uncountedBalances({ engine, chain, commit }: Store): Promise<Damage[]> {
  const held = sql`block_number >= ${integer(commit.firstBlock)} AND block_number <= ${integer(commit.blockNumber)}`;
  const run = sql`intDiv(block_number, ${integer(RUN_BLOCKS)})`;
  const runs = await engine.query<Unequal>(uncounted(chain, { by: run, where: held }), LIMITS);
  if (runs.length === 0) return [];
  const where = sql`${held} AND ${run} IN (${join(runs.map(({ place }) => integer(place)))})`;
  const blocks = await engine.query<Unequal>(uncounted(chain, { by: sql`block_number`, where }), LIMITS);
  return blocks.map(({ place, held: found, stated }) => ({
    first: place,
    last: place,
    rows: Math.max(1, Math.abs(found - stated)),
    example: found === stated ? "not at their place or time" : `${stated} stated, ${found} stored`,
  }));
}

interface Unequal {
  place: number;
  stated: number;
  held: number;
}

/** What the blocks' rows state of balances, and what there is: number, sum of places, sum of times. */
function uncounted(chain: string, { by, where }: { by: Sql; where: Sql }): Sql {
  const stated = sql`SELECT ${by} AS place, sum(balance_count) AS n,
    toUInt64(sum(balance_count * block_number * ${STEP} + intDiv(balance_count * (balance_count - 1), 2))) AS places,
    sum(balance_count * toUnixTimestamp(timestamp)) AS times
    FROM ${engineTable(chain, "blocks")} WHERE ${where} GROUP BY place HAVING n > 0`;
  const held = sql`SELECT ${by} AS place, count() AS n, sum(record_index) AS places,
    sum(toUnixTimestamp(timestamp)) AS times
    FROM ${engineTable(chain, "token_balances")} WHERE ${where} GROUP BY place`;
  return sql`SELECT place, sumIf(n, side = 1) AS stated, sumIf(n, side = 2) AS held
    FROM (SELECT 1 AS side, * FROM (${stated}) UNION ALL SELECT 2 AS side, * FROM (${held}))
    GROUP BY place HAVING count() != 2 OR uniqExact(tuple(n, places, times)) != 1
    ORDER BY place LIMIT ${integer(MAX_PLACES)}`;
}

const ZERO_ADDRESS = hexBytes(`0x${"0".repeat(40)}`);

/**
 * Tokens whose newest balances are not what their transfers come to. A weight for each wallet tells balances that were
 * mistaken for each other; all is counted modulo 2^64, in which the order of adding does not matter. Only of tokens
 * all of whose transfers are indexed, and all of whose balances are known; not of the wrapped native coin, whose balances
 * change by more than transfers.
 */
export async function unbalancedTokens({ engine, chain, wrappedNative, commit }: Store): Promise<Damage[]> {
  const bound = sql`block_number <= ${integer(commit.blockNumber)} AND token_address != ${hexBytes(wrappedNative)}`;
  const weight = (wallet: Sql) => sql`if(${wallet} = ${ZERO_ADDRESS}, 0, sipHash64(${wallet}))`;
  const transferred = sql`SELECT token_address, 0 AS unknown,
    sum(toUInt64(value_base) * (${weight(sql`to_address`)} - ${weight(sql`from_address`)})) AS total
    FROM ${engineTable(chain, "erc20")} WHERE ${bound} GROUP BY token_address`;
  const balances = sql`SELECT token_address, countIf(balance_base IS NULL) AS unknown,
    sum(toUInt64(ifNull(balance_base, 0)) * sipHash64(wallet_address)) AS total
    FROM (SELECT token_address, wallet_address, balance_base FROM ${engineTable(chain, "token_balances")}
      WHERE ${bound} ORDER BY wallet_address DESC, token_address DESC, record_index DESC
      LIMIT 1 BY wallet_address, token_address) GROUP BY token_address`;
  const damage = await engine.query<Damage>(
    sql`SELECT ${integer(commit.firstBlock)} AS first, ${integer(commit.blockNumber)} AS last, 1 AS rows,
      concat('of ', ${hexText(sql`token_address`)}) AS example
      FROM (SELECT token_address, sum(toUInt64(if(side = 1, total, 0 - total))) AS difference, sum(unknown) AS unknowns
        FROM (SELECT 1 AS side, * FROM (${transferred}) UNION ALL SELECT 2 AS side, * FROM (${balances}))
        GROUP BY token_address)
      WHERE difference != 0 AND unknowns = 0 AND ${areWhole(chain, commit)} LIMIT ${integer(MAX_PLACES)}`,
    LIMITS,
  );
  return damage;
}

/** Block 0 has no transactions, so that an index from block 1 on lacks none. */
function areWhole(chain: string, { firstBlock }: Commit): Sql {
  if (firstBlock <= 1) return sql`1`;
  return sql`token_address IN (SELECT token_address FROM ${engineTable(chain, "token_metadata")} WHERE is_born = 1)`;
}
