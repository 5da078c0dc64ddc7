import { integer, sql } from "../../../src/engine-sql/sql-text.ts";
import type { Hex } from "../../../src/lib/hex.ts";
import { readTopRecords, type TopRecordsQuery } from "../../../src/reads/records/top-records.ts";
import type { Engine } from "../../../src/storage/store.ts";
import { engineTable } from "../../../src/storage/tables/ddl.ts";
import { tokensByRank } from "../generated-market.ts";
import type { PriceQuestion } from "./price-questions.ts";

const GROUPS = 100;
const SIZE = 10;
const BAR_MS = 100;

type Asked = Pick<TopRecordsQuery, "table" | "groupBy" | "sortBy">;

/**
 * Returns questions about the first ten records of a hundred groups: busy groups, quiet groups, and a mix of
 * both.
 */
export async function recordQuestions(engine: Engine): Promise<PriceQuestion[]> {
  const tokens = await tokensByRank(engine);
  const busiest = tokens.slice(0, GROUPS);
  const every500th = tokens.filter((_, rank) => rank % (tokens.length / GROUPS) === 0);
  const rows = await engine.query<{ wallet: Hex }>(
    sql`SELECT concat('0x', lower(hex(trader_address))) AS wallet FROM (SELECT DISTINCT trader_address
      FROM ${engineTable("eth", "wallet_trades")} ORDER BY sipHash64(trader_address) LIMIT ${integer(GROUPS)})`,
  );
  const wallets = rows.map(({ wallet }) => wallet);
  const trades = { table: "dex_trades", sortBy: "timestamp" } as const;
  const transfers = { table: "erc20", sortBy: "timestamp" } as const;
  return [
    topOf("trades of 100 tokens, every 500th", { ...trades, groupBy: "token_address" }, every500th),
    topOf("trades of 100 tokens, the busiest", { ...trades, groupBy: "token_address" }, busiest),
    topOf(
      "largest trades of 100 tokens, every 500th",
      { table: "dex_trades", sortBy: "amount_usd", groupBy: "token_address" },
      every500th,
    ),
    topOf("trades of 100 wallets", { ...trades, groupBy: "trader_address" }, wallets),
    topOf("transfers of 100 tokens, every 500th", { ...transfers, groupBy: "token_address" }, every500th),
    topOf("transfers to 100 wallets", { ...transfers, groupBy: "to_address" }, wallets),
  ];
}

function topOf(name: string, { table, groupBy, sortBy }: Asked, values: readonly Hex[]): PriceQuestion {
  const path = table === "dex_trades" ? "dex-trades" : table;
  const groups = values.map((value) => ({ key: value, value }));
  const question = { table, groupBy, groups, sortBy, order: "desc", size: SIZE } as const;
  const items = values.map((value) => `"\\\\x${value.slice(2)}"`).join(",");
  // Times are never null. With NULLS LAST, PostgreSQL would not use their index.
  const nulls = sortBy === "timestamp" ? "" : " NULLS LAST";
  const order = `${POSTGRES_COLUMNS[sortBy]} DESC${nulls}, record_index DESC`;
  return {
    name: `${SIZE} ${sortBy === "timestamp" ? "newest " : ""}${name}`,
    barMs: BAR_MS,
    path: `/v1/topk-api/${path}`,
    body: { groupby: groupBy, eq: values, sortby: sortBy, size: SIZE },
    read: async (snapshot) => {
      for await (const _ of readTopRecords(snapshot, question));
    },
    postgres: `SELECT records.*, record_index::float AS checked FROM unnest('{${items}}'::bytea[]) AS asked(value) CROSS JOIN LATERAL (SELECT * FROM ${table}_records WHERE ${POSTGRES_COLUMNS[groupBy]} = value ORDER BY ${order} LIMIT ${SIZE}) AS records`,
    checked: (answer) =>
      Object.values(answer as Record<string, { record_index: number }[]>).flatMap((records) =>
        records.map(({ record_index }) => record_index),
      ),
  };
}

/** Column names in postgres/records.ts. */
const POSTGRES_COLUMNS: Record<string, string> = {
  token_address: "token",
  trader_address: "trader",
  to_address: "receiver",
  timestamp: "traded_at",
  amount_usd: "usd",
};
