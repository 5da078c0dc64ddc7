import { markedSingletonsOf, scopeOf, singletonsOf } from "../../../chains/chain.ts";
import {
  hexBytes,
  hexBytesArray,
  identifier,
  integer,
  join,
  type Sql,
  sql,
  text,
} from "../../../engine-sql/sql-text.ts";
import type { Hex } from "../../../lib/hex.ts";
import { namesSingleton } from "../../../reads/pools/whole-singletons.ts";
import { completeFrom } from "../../../schema/scope.ts";
import { SINGLETON_EVENTS } from "../../../schema/singleton-events.ts";
import {
  type CountedTable,
  ROW_COUNTS,
  TABLE_NAMES,
  type TableName,
  tableOf,
} from "../../../schema/tables.ts";
import type { Commit, Engine } from "../../../storage/store.ts";
import { amendedTableName } from "../../../storage/tables/amended-table.ts";
import { commitsTable, engineTable, engineTableName } from "../../../storage/tables/ddl.ts";
import { replacementTableNames } from "../../../storage/tables/replacement-tables.ts";
import type { Damage, NeededRows, StoredChain } from "../../invariant.ts";
import { unbalancedTokens, uncountedBalances } from "./balances.ts";
import { unequalCopies } from "./copied-rows.ts";
import { unequalOpenings } from "./openings.ts";
import { wrongSummaries } from "./summaries.ts";

/** A condition that holds in every undamaged store and does not concern a single block. */
export interface StoreInvariant {
  name: string;
  doc: string;
  impact: string;
  /** `blocks` if the damage is in specific blocks, which must be replaced. */
  remedy?: "blocks";
  /** See `Invariant`. */
  needs?: NeededRows;
  /** True if it cannot be checked at all once rows of some blocks are missing. */
  needsWholeChain?: true;
  find(store: StoredChain): Promise<Damage[]>;
}

export const STORE_INVARIANTS: readonly StoreInvariant[] = [
  {
    name: "nothing uncommitted",
    doc: "no row belongs to a block before the first indexed one or after the newest commit",
    impact: "none: readers do not see these rows, which an interrupted commit or rollback left behind",
    find: orphanRows,
  },
  {
    name: "no copies left",
    doc: "no table of an interrupted rollback or repair remains",
    impact:
      "rows may be duplicated until the next start of the indexer finishes the interrupted work; otherwise only disk space is lost",
    find: leftTables,
  },
  {
    name: "commits in order",
    doc: "commits are numbered without gaps or duplicates, and all have the same first block",
    impact: "readers cannot detect a rollback during their reads",
    find: brokenCommits,
  },
  {
    name: "prices summarized",
    doc: "the price summary agrees with the trades of its blocks",
    impact: "latest and all-time prices, candles and price changes are wrong for these tokens",
    find: wrongSummaries,
  },
  {
    name: "trades by wallet",
    doc: "wallet_trades holds exactly the rows of dex_trades",
    impact: "the performance of wallets is wrong, because trades are missing, duplicated or wrong",
    remedy: "blocks",
    find: ({ engine, chain: { name } }) =>
      unequalCopies(engine, { chain: name, copy: "wallet_trades", of: "dex_trades" }),
  },
  {
    name: "logs of singletons",
    doc: "singleton_logs holds exactly the rows of logs that change the state of a listed singleton's pools",
    impact: "the reserves of these pools are wrong, because logs are missing, duplicated or wrong",
    remedy: "blocks",
    needs: { complete: ["logs"] },
    find: uncopiedLogs,
  },
  {
    name: "rows of token_balances",
    doc: "token_balances has as many rows for each block as blocks.balance_count states, each with its own record_index and time",
    impact: "balances are missing or duplicated, and balances as of earlier blocks are wrong",
    remedy: "blocks",
    find: uncountedBalances,
  },
  {
    name: "balances as transferred",
    doc: "if all transfers of a token are indexed, the newest balance of each wallet is the sum of its transfers, except for the wrapped native coin and tokens with unknown balances",
    impact: "balances and the reserves of pools are wrong for these tokens",
    needs: { complete: ["erc20"] },
    needsWholeChain: true,
    find: unbalancedTokens,
  },
  {
    name: "balances before the first block",
    doc: "if --opening-balances confirmed the balance before the first block, the newest balance is unknown or is that balance plus the transfers since; if it rejected that balance, the newest one is unknown",
    impact: "balances and the reserves of pools are wrong for these holders",
    needs: { complete: ["erc20", "logs"] },
    needsWholeChain: true,
    find: unequalOpenings,
  },
];

function uncopiedLogs({ engine, chain }: StoredChain): Promise<Damage[]> {
  const topics = hexBytesArray(Object.values(SINGLETON_EVENTS), 32);
  const named = markedSingletonsOf(chain).map((singleton) => isNamed(chain.name, singleton));
  const where = sql`has(${hexBytesArray(singletonsOf(chain), 20)}, address) AND topic_1 IS NOT NULL
    AND has(${topics}, topic_0) AND ${join([sql`1`, ...named], " AND ")}`;
  const first = completeFrom(scopeOf(chain), "logs") ?? 0;
  return unequalCopies(engine, { chain: chain.name, copy: "singleton_logs", of: "logs", where, first });
}

/**
 * Returns the condition that selects the logs of other contracts, and the singleton's logs in blocks that
 * name the singleton.
 */
function isNamed(chain: string, singleton: Hex): Sql {
  const named = sql`SELECT groupBitmapState(block_number) FROM ${engineTable(chain, "blocks")}
    WHERE ${namesSingleton(singleton)}`;
  return sql`(address != ${hexBytes(singleton)} OR bitmapContains((${named}), block_number))`;
}

/** Returns the names of the temporary tables that an interrupted change of rows leaves behind. */
export function workTables(chain: string): string[] {
  const copies = TABLE_NAMES.flatMap((table) =>
    ["copy", "exchange"].map((end) => `${engineTableName(chain, table)}_${end}`),
  );
  return [...copies, amendedTableName(chain), ...replacementTableNames(chain)];
}

async function orphanRows({ engine, chain: { name }, commit }: StoredChain): Promise<Damage[]> {
  const found: Damage[] = [];
  for (const table of TABLE_NAMES) {
    const block = identifier(tableOf(table).blockColumn);
    const rows =
      await engine.query<Damage>(sql`SELECT min(${block}) AS first, max(${block}) AS last, count() AS rows,
      ${text(`in ${table}`)} AS example FROM ${engineTable(name, table)} WHERE ${outside(table, commit)} HAVING rows > 0`);
    found.push(...rows);
  }
  return found;
}

function outside(table: TableName, { firstBlock, blockNumber }: Commit): Sql {
  const block = identifier(tableOf(table).blockColumn);
  return sql`(${block} > ${integer(blockNumber)} OR ${block} < ${integer(firstBlock)})`;
}

async function leftTables({ engine, chain, commit }: StoredChain): Promise<Damage[]> {
  const names = await engine.query<{
    name: string;
    rows: number;
  }>(sql`SELECT name, ifNull(total_rows, 0) AS rows
    FROM system.tables WHERE database = currentDatabase() AND name IN (${join(workTables(chain.name).map(text))})`);
  const { firstBlock: first, blockNumber: last } = commit;
  return names.map(({ name, rows }) => ({ first, last, rows, example: `table ${name}` }));
}

/**
 * Finds commits that do not follow from the previous one. An extension to earlier blocks commits the same
 * block twice, which is not damage: see `isExchanging()` in `storage/commits`.
 */
function brokenCommits({ engine, chain }: StoredChain): Promise<Damage[]> {
  const isExtension = sql`b = pb AND (f = b + 2 OR pf = pb + 2)`;
  return engine.query<Damage>(sql`SELECT least(b, pb) AS first, greatest(b, pb) AS last, 1 AS rows,
    concat('commit ', toString(s), ' after ', toString(ps)) AS example
    FROM (SELECT sequence AS s, block_number AS b, first_block AS f, row_number() OVER w AS nth,
      lagInFrame(s) OVER w AS ps, lagInFrame(b) OVER w AS pb, lagInFrame(f) OVER w AS pf FROM ${commitsTable(chain.name)}
      WINDOW w AS (ORDER BY sequence ROWS BETWEEN 1 PRECEDING AND CURRENT ROW))
    WHERE nth > 1 AND (s != ps + 1 OR (f != pf AND NOT (${isExtension}))) ORDER BY s LIMIT 100`);
}

interface TableTotalsOptions {
  chain: string;
  commit: Commit;
  table: CountedTable;
  /** First block whose rows are counted. */
  first: number;
}

/**
 * Returns the number of a table's rows of committed blocks, according to `blocks` and as stored. Ignores
 * blocks before `first`.
 */
export async function tableTotals(
  engine: Engine,
  { chain, table, first, ...options }: TableTotalsOptions,
): Promise<{ stated: number; stored: number }> {
  const commit = { ...options.commit, firstBlock: Math.max(options.commit.firstBlock, first) };
  const stated = sql`SELECT sum(${identifier(ROW_COUNTS[table])}) FROM ${engineTable(chain, "blocks")}
    WHERE NOT ${outside("blocks", commit)}`;
  const from = engineTable(chain, table);
  const [totals] = await engine.query<{ stated: number; stored: number }>(sql`SELECT (${stated}) AS stated,
    (SELECT count() FROM ${from}) - (SELECT count() FROM ${from} WHERE ${outside(table, commit)}) AS stored`);
  return totals ?? { stated: 0, stored: 0 };
}
