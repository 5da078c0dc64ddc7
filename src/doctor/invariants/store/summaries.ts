import { hexText, integer, type Sql, sql, text } from "../../../engine-sql/sql-text.ts";
import type { Commit, Engine } from "../../../storage/store.ts";
import {
  EXTREME_COLUMNS,
  extremePrices,
  HIGHEST_RANK,
  PRICE_EXTREMES,
} from "../../../storage/summaries/price-extremes.ts";
import {
  firstTrades,
  monthCloses,
  newestCheckpoint,
  SUMMARY_PRICES,
} from "../../../storage/summaries/price-summary.ts";
import { firstTradesTable, monthsTable, summaryTable } from "../../../storage/tables/summary-tables.ts";
import { type Damage, QUERY_LIMITS } from "../../invariant.ts";

/**
 * Queries for the same rows, each with `token_address` and `value`. A token may have several rows, in any
 * order.
 */
interface Comparison {
  subject: string;
  summarized: Sql;
  traded: Sql;
}

/** Rows of the summary that differ from the trades of its blocks. */
export async function wrongSummaries(store: {
  engine: Engine;
  chain: string;
  commit: Commit;
}): Promise<Damage[]> {
  const { engine, chain, commit } = store;
  const { complete } = await newestCheckpoint(engine, chain);
  if (complete === null) return [];
  const condition = sql`block_number <= ${integer(complete)}`;
  const comparisons = [
    ...SUMMARY_PRICES.flatMap((type) => [extremes(chain, type, condition), months(chain, type, condition)]),
    firsts(chain, condition),
  ];
  const found: Damage[] = [];
  for (const comparison of comparisons) {
    const [damage] = await engine.query<Damage>(differences(comparison), QUERY_LIMITS);
    if (damage !== undefined) found.push({ ...damage, first: commit.firstBlock, last: complete });
  }
  return found;
}

function differences({ subject, summarized, traded }: Comparison): Sql {
  return sql`SELECT uniqExact(token_address) AS rows, concat(${text(`${subject} of `)}, ${hexText(sql`min(token_address)`)}) AS example
    FROM (SELECT token_address FROM (${summarized} UNION ALL ${traded})
      GROUP BY token_address, value HAVING count() != 2) HAVING rows > 0`;
}

function extremes(chain: string, priceType: string, condition: Sql): Comparison {
  const value = sql`tuple(extreme, price, price_eth, traded_at, block_number, transaction_hash, rank) AS value`;
  const rows = (from: Sql) =>
    sql`SELECT token_address, ${value} FROM (SELECT * FROM ${from} ${HIGHEST_RANK})`;
  const stored = sql`SELECT ${EXTREME_COLUMNS} FROM ${summaryTable(chain)} WHERE price_type = ${text(priceType)}`;
  const traded = extremePrices({ chain, priceType, extremes: PRICE_EXTREMES, condition });
  return { subject: priceType, summarized: rows(sql`(${stored})`), traded: rows(sql`(${traded})`) };
}

function months(chain: string, priceType: string, condition: Sql): Comparison {
  const summarized = sql`SELECT token_address, tuple(month, argMax(price, record_index), max(record_index)) AS value
    FROM ${monthsTable(chain)} AS months WHERE price_type = ${text(priceType)} GROUP BY token_address, month`;
  const traded = sql`SELECT token_address, tuple(month, price, record_index) AS value
    FROM (${monthCloses(chain, priceType, condition)})`;
  return { subject: `${priceType} at a month's end`, summarized, traded };
}

function firsts(chain: string, condition: Sql): Comparison {
  const summarized = sql`SELECT token_address, tuple(pool_address, min(traded_at)) AS value
    FROM ${firstTradesTable(chain)} GROUP BY token_address, pool_address`;
  const traded = sql`SELECT token_address, tuple(pool_address, min(traded_at)) AS value
    FROM (${firstTrades(chain, condition)}) GROUP BY token_address, pool_address`;
  return { subject: "first trade", summarized, traded };
}
