import { type Chain, numberingOf } from "../../../chains/chain.ts";
import { firstRecordIndexSql } from "../../../engine-sql/record-index.ts";
import { hexBytes, hexText, integer, type Sql, sql } from "../../../engine-sql/sql-text.ts";
import { visibleRows } from "../../../engine-sql/visible-rows.ts";
import { ZERO_ADDRESS } from "../../../lib/hex.ts";
import { isWholeFrom } from "../../../schema/block.ts";
import { tableOf } from "../../../schema/tables.ts";
import type { Commit } from "../../../storage/store.ts";
import { engineTable } from "../../../storage/tables/ddl.ts";
import { type Damage, QUERY_LIMITS, type StoredChain } from "../../invariant.ts";
import { type Groups, unequalBlocks } from "./unequal-blocks.ts";

/** Maximum number of tokens that one check reports. The next check finds the rest. */
const MAX_TOKENS = 10_000;

/**
 * Finds the blocks that do not have as many changed balances as their row in `blocks` states, each with its
 * own record_index and the block's time.
 */
export function uncountedBalances({ engine, chain, commit }: StoredChain): Promise<Damage[]> {
  const { firstBlock, blockNumber } = commit;
  return unequalBlocks(engine, {
    expected: (groups) => statedBalances(chain, groups),
    stored: (groups) => storedBalances(chain, groups),
    where: sql`block_number >= ${integer(firstBlock)} AND block_number <= ${integer(blockNumber)}`,
    example: ({ expected, stored }) =>
      stored === expected ? "wrong record_index or time" : `${expected} stated, ${stored} stored`,
  });
}

/**
 * Returns the query for the numbers of balances that the blocks state. The digest has the sums of the
 * record_index values and of the times that these balances must have.
 */
function statedBalances(chain: Chain, { group, where }: Groups): Sql {
  const first = firstRecordIndexSql(numberingOf(chain), sql`block_number`);
  const indexes = sql`sum(balance_count * ${first} + intDiv(balance_count * (balance_count - 1), 2))`;
  const times = sql`sum(balance_count * toUnixTimestamp(timestamp))`;
  return sql`SELECT ${group} AS position, sum(balance_count) AS n, tuple(toUInt64(${indexes}), ${times}) AS digest
    FROM ${engineTable(chain.name, "blocks")} WHERE ${where} GROUP BY position HAVING n > 0`;
}

function storedBalances({ name }: Chain, { group, where }: Groups): Sql {
  return sql`SELECT ${group} AS position, count() AS n, tuple(sum(record_index), sum(toUnixTimestamp(timestamp))) AS digest
    FROM ${engineTable(name, "token_balances")} WHERE ${where} GROUP BY position`;
}

const ZERO = hexBytes(ZERO_ADDRESS);

/**
 * Finds the tokens whose newest balances are not the sums of their transfers. Each wallet has a weight, so
 * swapped balances are also found. Sums are modulo 2^64, so the order of addition does not matter. Skips
 * tokens with transfers before the first indexed block or with unknown balances, and the wrapped native coin,
 * whose balances also change without transfers.
 */
export async function unbalancedTokens({ engine, chain, commit }: StoredChain): Promise<Damage[]> {
  const { name, wrappedNative } = chain;
  const isChecked = sql`token_address != ${hexBytes(wrappedNative)}`;
  const weight = (wallet: Sql) => sql`if(${wallet} = ${ZERO}, 0, sipHash64(${wallet}))`;
  const transferred = sql`SELECT token_address, 0 AS unknown,
    sum(toUInt64(value_base) * (${weight(sql`to_address`)} - ${weight(sql`from_address`)})) AS total
    FROM ${engineTable(name, "erc20")} WHERE block_number <= ${integer(commit.blockNumber)} AND ${isChecked}
    GROUP BY token_address`;
  const newest = visibleRows(tableOf("token_balances"), {
    from: engineTable(name, "token_balances"),
    as: sql`balances`,
    upTo: commit.blockNumber,
    where: [isChecked],
  });
  const balances = sql`SELECT token_address, countIf(balance_base IS NULL) AS unknown,
    sum(toUInt64(ifNull(balance_base, 0)) * sipHash64(wallet_address)) AS total
    FROM ${newest} GROUP BY token_address`;
  const damage = await engine.query<Damage>(
    sql`SELECT ${integer(commit.firstBlock)} AS first, ${integer(commit.blockNumber)} AS last, 1 AS rows,
      concat('balances of ', ${hexText(sql`token_address`)}) AS example
      FROM (SELECT token_address, sum(toUInt64(if(side = 1, total, 0 - total))) AS difference, sum(unknown) AS unknowns
        FROM (SELECT 1 AS side, * FROM (${transferred}) UNION ALL SELECT 2 AS side, * FROM (${balances}))
        GROUP BY token_address)
      WHERE difference != 0 AND unknowns = 0 AND ${isFullyIndexed(name, commit)} LIMIT ${integer(MAX_TOKENS)}`,
    QUERY_LIMITS,
  );
  return damage;
}

function isFullyIndexed(chain: string, { firstBlock }: Commit): Sql {
  if (isWholeFrom(firstBlock)) return sql`1`;
  return sql`token_address IN (SELECT token_address FROM ${engineTable(chain, "token_metadata")} WHERE is_born = 1)`;
}
