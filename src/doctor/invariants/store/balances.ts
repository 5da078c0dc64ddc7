import { hexBytes, hexText, integer, type Sql, sql } from "../../../engine-sql/sql-text.ts";
import { visibleRows } from "../../../engine-sql/visible-rows.ts";
import { isWholeFrom } from "../../../schema/block.ts";
import { recordIndexOf } from "../../../schema/record-index.ts";
import { tableOf } from "../../../schema/tables.ts";
import type { Commit } from "../../../storage/store.ts";
import { engineTable } from "../../../storage/tables/ddl.ts";
import { type Damage, QUESTION_LIMITS, type StoredChain } from "../../invariant.ts";
import { type Places, unequalBlocks } from "./unequal-blocks.ts";

/** Tokens that one examination tells: what is beyond is found by the next. */
const MAX_TOKENS = 10_000;

/** Room for one block's rows in `record_index`. */
const STEP = integer(recordIndexOf(1, 0));

/** Blocks whose changed balances are not as many as their rows in `blocks` state, each at its place and time. */
export function uncountedBalances({ engine, chain, commit }: StoredChain): Promise<Damage[]> {
  const { firstBlock, blockNumber } = commit;
  return unequalBlocks(engine, {
    due: (places) => statedBalances(chain, places),
    held: (places) => storedBalances(chain, places),
    where: sql`block_number >= ${integer(firstBlock)} AND block_number <= ${integer(blockNumber)}`,
    example: ({ due, held }) =>
      held === due ? "not at their place or time" : `${due} stated, ${held} stored`,
  });
}

/** Besides their number, the sums of their places and of their times. */
function statedBalances(chain: string, { place, where }: Places): Sql {
  const places = sql`sum(balance_count * block_number * ${STEP} + intDiv(balance_count * (balance_count - 1), 2))`;
  const times = sql`sum(balance_count * toUnixTimestamp(timestamp))`;
  return sql`SELECT ${place} AS place, sum(balance_count) AS n, tuple(toUInt64(${places}), ${times}) AS digest
    FROM ${engineTable(chain, "blocks")} WHERE ${where} GROUP BY place HAVING n > 0`;
}

function storedBalances(chain: string, { place, where }: Places): Sql {
  return sql`SELECT ${place} AS place, count() AS n, tuple(sum(record_index), sum(toUnixTimestamp(timestamp))) AS digest
    FROM ${engineTable(chain, "token_balances")} WHERE ${where} GROUP BY place`;
}

const ZERO_ADDRESS = hexBytes(`0x${"0".repeat(40)}`);

/**
 * Tokens whose newest balances are not what their transfers come to. A weight for each wallet tells balances that were
 * mistaken for each other; all is counted modulo 2^64, in which the order of adding does not matter. Only of tokens
 * all of whose transfers are indexed, and all of whose balances are known; not of the wrapped native coin, whose balances
 * change by more than transfers.
 */
export async function unbalancedTokens({
  engine,
  chain,
  wrappedNative,
  commit,
}: StoredChain): Promise<Damage[]> {
  const isJudged = sql`token_address != ${hexBytes(wrappedNative)}`;
  const weight = (wallet: Sql) => sql`if(${wallet} = ${ZERO_ADDRESS}, 0, sipHash64(${wallet}))`;
  const transferred = sql`SELECT token_address, 0 AS unknown,
    sum(toUInt64(value_base) * (${weight(sql`to_address`)} - ${weight(sql`from_address`)})) AS total
    FROM ${engineTable(chain, "erc20")} WHERE block_number <= ${integer(commit.blockNumber)} AND ${isJudged}
    GROUP BY token_address`;
  const newest = visibleRows(tableOf("token_balances"), {
    from: engineTable(chain, "token_balances"),
    as: sql`balances`,
    upTo: commit.blockNumber,
    where: [isJudged],
  });
  const balances = sql`SELECT token_address, countIf(balance_base IS NULL) AS unknown,
    sum(toUInt64(ifNull(balance_base, 0)) * sipHash64(wallet_address)) AS total
    FROM ${newest} GROUP BY token_address`;
  const damage = await engine.query<Damage>(
    sql`SELECT ${integer(commit.firstBlock)} AS first, ${integer(commit.blockNumber)} AS last, 1 AS rows,
      concat('of ', ${hexText(sql`token_address`)}) AS example
      FROM (SELECT token_address, sum(toUInt64(if(side = 1, total, 0 - total))) AS difference, sum(unknown) AS unknowns
        FROM (SELECT 1 AS side, * FROM (${transferred}) UNION ALL SELECT 2 AS side, * FROM (${balances}))
        GROUP BY token_address)
      WHERE difference != 0 AND unknowns = 0 AND ${areWhole(chain, commit)} LIMIT ${integer(MAX_TOKENS)}`,
    QUESTION_LIMITS,
  );
  return damage;
}

function areWhole(chain: string, { firstBlock }: Commit): Sql {
  if (isWholeFrom(firstBlock)) return sql`1`;
  return sql`token_address IN (SELECT token_address FROM ${engineTable(chain, "token_metadata")} WHERE is_born = 1)`;
}
