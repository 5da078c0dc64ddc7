import { hexText, integer, type Sql, sql, text } from "../../../engine-sql/sql-text.ts";
import { TRADE_PRICES } from "../../../schema/trade-price.ts";
import {
  EXTREME_COLUMNS,
  extremePrices,
  HIGHEST_RANK,
  PRICE_EXTREMES,
} from "../../../storage/summaries/price-extremes.ts";
import { firstTrades, monthCloses, newestCheckpoint } from "../../../storage/summaries/price-summary.ts";
import { firstTradesTable, monthsTable, summaryTable } from "../../../storage/tables/summary-tables.ts";
import { type Damage, QUERY_LIMITS, type StoredChain } from "../../invariant.ts";

/**
 * Two queries that must return the same rows, with `token_address` and `value`. A token may have several
 * rows, in any order.
 */
interface Comparison {
  subject: string;
  summarized: Sql;
  traded: Sql;
}

/** The blocks of a summary: complete blocks, and the blocks of an interrupted checkpoint. */
interface SummarizedBlocks {
  all: Sql;
  /** Blocks whose trades may be only partly summarized; null if there are none. */
  partial: Sql | null;
}

/**
 * Finds the rows of the summary that differ from the trades of its blocks. An interrupted checkpoint may have
 * summarized any part of the trades above the complete blocks, and replaced older rows with its own. So all
 * trades of that checkpoint are added to both sides, as readers and the next checkpoint do.
 */
export async function wrongSummaries({
  engine,
  chain: { name: chain },
  commit,
}: StoredChain): Promise<Damage[]> {
  const { complete, started } = await newestCheckpoint(engine, chain);
  const last = started ?? complete;
  // Readers do not use a summary that extends beyond the newest commit, and the next start empties it.
  if (complete === null || last === null || last > commit.blockNumber) return [];
  const upTo = sql`block_number <= ${integer(last)}`;
  const partial = last === complete ? null : sql`block_number > ${integer(complete)} AND ${upTo}`;
  const blocks = { all: upTo, partial };
  const comparisons = [
    ...TRADE_PRICES.flatMap((type) => [extremes(chain, type, blocks), months(chain, type, blocks)]),
    firsts(chain, blocks),
  ];
  const found: Damage[] = [];
  for (const comparison of comparisons) {
    const [damage] = await engine.query<Damage>(differences(comparison), QUERY_LIMITS);
    if (damage !== undefined) found.push({ ...damage, first: commit.firstBlock, last });
  }
  return found;
}

function differences({ subject, summarized, traded }: Comparison): Sql {
  return sql`SELECT uniqExact(token_address) AS rows, concat(${text(`${subject} for `)}, ${hexText(sql`min(token_address)`)}) AS example
    FROM (SELECT token_address FROM (${summarized} UNION ALL ${traded})
      GROUP BY token_address, value HAVING count() != 2) HAVING rows > 0`;
}

function extremes(chain: string, priceType: string, blocks: SummarizedBlocks): Comparison {
  const value = sql`tuple(extreme, price, price_eth, traded_at, block_number, transaction_hash, rank) AS value`;
  const rows = (from: Sql) =>
    sql`SELECT token_address, ${value} FROM (SELECT ${EXTREME_COLUMNS} FROM (${from}) ${HIGHEST_RANK})`;
  const stored = sql`SELECT ${EXTREME_COLUMNS} FROM ${summaryTable(chain)} WHERE price_type = ${text(priceType)}`;
  const traded = (condition: Sql) =>
    sql`SELECT ${EXTREME_COLUMNS} FROM (${extremePrices({ chain, priceType, extremes: PRICE_EXTREMES, condition })})`;
  return {
    subject: priceType,
    summarized: rows(completed(stored, traded, blocks)),
    traded: rows(traded(blocks.all)),
  };
}

function months(chain: string, priceType: string, blocks: SummarizedBlocks): Comparison {
  const stored = sql`SELECT token_address, month, price, record_index
    FROM ${monthsTable(chain)} WHERE price_type = ${text(priceType)}`;
  const traded = (condition: Sql) => monthCloses(chain, priceType, condition);
  const summarized = sql`SELECT token_address, tuple(month, argMax(price, months.record_index), max(months.record_index)) AS value
    FROM (${completed(stored, traded, blocks)}) AS months GROUP BY token_address, month`;
  const closes = sql`SELECT token_address, tuple(month, price, record_index) AS value FROM (${traded(blocks.all)})`;
  return { subject: `month-end ${priceType}`, summarized, traded: closes };
}

function firsts(chain: string, blocks: SummarizedBlocks): Comparison {
  const stored = sql`SELECT token_address, pool_address, traded_at FROM ${firstTradesTable(chain)}`;
  const traded = (condition: Sql) => firstTrades(chain, condition);
  const rows = (from: Sql) => sql`SELECT token_address, tuple(pool_address, min(traded_at)) AS value
    FROM (${from}) GROUP BY token_address, pool_address`;
  return {
    subject: "first trade",
    summarized: rows(completed(stored, traded, blocks)),
    traded: rows(traded(blocks.all)),
  };
}

/** Selects the stored rows, and the rows that an interrupted checkpoint would have added. */
function completed(stored: Sql, traded: (condition: Sql) => Sql, { partial }: SummarizedBlocks): Sql {
  return partial === null ? stored : sql`${stored} UNION ALL ${traded(partial)}`;
}
