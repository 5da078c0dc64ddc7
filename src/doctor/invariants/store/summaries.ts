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
  firstTradesTable,
  monthCloses,
  monthsTable,
  newestSeal,
  SUMMARY_PRICES,
  summaryTable,
} from "../../../storage/summaries/price-summary.ts";
import { type Damage, QUESTION_LIMITS } from "../../invariant.ts";

/** Two ways to the same rows, each `token_address` and a `value`; of one token there may be several, in any order. */
interface Comparison {
  what: string;
  told: Sql;
  traded: Sql;
}

/** What the tables of the summary hold that its blocks' trades do not say, or the other way round. */
export async function wrongSummaries(store: {
  engine: Engine;
  chain: string;
  commit: Commit;
}): Promise<Damage[]> {
  const { engine, chain, commit } = store;
  const { done } = await newestSeal(engine, chain);
  if (done === null) return [];
  const sealed = sql`block_number <= ${integer(done)}`;
  const comparisons = [
    ...SUMMARY_PRICES.flatMap((type) => [summary(chain, type, sealed), months(chain, type, sealed)]),
    firsts(chain, sealed),
  ];
  const found: Damage[] = [];
  for (const comparison of comparisons) {
    const [damage] = await engine.query<Damage>(differences(comparison), QUESTION_LIMITS);
    if (damage !== undefined) found.push({ ...damage, first: commit.firstBlock, last: done });
  }
  return found;
}

function differences({ what, told, traded }: Comparison): Sql {
  return sql`SELECT uniqExact(token_address) AS rows, concat(${text(`${what} of `)}, ${hexText(sql`min(token_address)`)}) AS example
    FROM (SELECT token_address FROM (${told} UNION ALL ${traded})
      GROUP BY token_address, value HAVING count() != 2) HAVING rows > 0`;
}

function summary(chain: string, priceType: string, condition: Sql): Comparison {
  const value = sql`tuple(extreme, price, price_eth, traded_at, block_number, transaction_hash, rank) AS value`;
  const rows = (from: Sql) =>
    sql`SELECT token_address, ${value} FROM (SELECT * FROM ${from} ${HIGHEST_RANK})`;
  const kept = sql`SELECT ${EXTREME_COLUMNS} FROM ${summaryTable(chain)} WHERE price_type = ${text(priceType)}`;
  const traded = extremePrices({ chain, priceType, extremes: PRICE_EXTREMES, condition });
  return { what: priceType, told: rows(sql`(${kept})`), traded: rows(sql`(${traded})`) };
}

function months(chain: string, priceType: string, sealed: Sql): Comparison {
  const told = sql`SELECT token_address, tuple(month, argMax(price, record_index), max(record_index)) AS value
    FROM ${monthsTable(chain)} AS months WHERE price_type = ${text(priceType)} GROUP BY token_address, month`;
  const traded = sql`SELECT token_address, tuple(month, price, record_index) AS value
    FROM (${monthCloses(chain, priceType, sealed)})`;
  return { what: `${priceType} at a month's end`, told, traded };
}

function firsts(chain: string, sealed: Sql): Comparison {
  const told = sql`SELECT token_address, tuple(pool_address, min(traded_at)) AS value
    FROM ${firstTradesTable(chain)} GROUP BY token_address, pool_address`;
  const traded = sql`SELECT token_address, tuple(pool_address, min(traded_at)) AS value
    FROM (${firstTrades(chain, sealed)}) GROUP BY token_address, pool_address`;
  return { what: "first trade", told, traded };
}
