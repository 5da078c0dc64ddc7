import { hexText, integer, join, type Sql, sql, text } from "../../engine-sql/sql-text.ts";
import { partsOf } from "../../lib/collections/parts.ts";
import {
  OPENING_STATUSES,
  type OpeningRow,
  type OpeningStatus,
  openingBalances,
} from "../../schema/tables/opening-balances.ts";
import { encodeRows } from "../rows/row-binary.ts";
import type { Engine } from "../store.ts";
import { type Holding, holdingOf, isWithin } from "../stored-balances.ts";
import { openingTable, openingTableName } from "../tables/opening-table.ts";

/** Maximum number of holdings in one query, whose text must stay far below the engine's limit. */
const QUERY_SIZE = 4_000;

/** The chain of an index, and the first block of the index. */
export interface IndexedFrom {
  chain: string;
  firstBlock: number;
}

/** Prints a subquery for the rows of an index: the newest row of each holding. */
export function openingRows({ chain, firstBlock }: IndexedFrom): Sql {
  return sql`(SELECT * FROM ${openingTable(chain)} FINAL WHERE first_block = ${integer(firstBlock)})`;
}

/** Returns a version that no row has yet. */
export async function nextVersion(engine: Pick<Engine, "query">, chain: string): Promise<number> {
  const [found] = await engine.query<{ newest: number }>(
    sql`SELECT toFloat64(max(version)) AS newest FROM ${openingTable(chain)}`,
  );
  return (found?.newest ?? 0) + 1;
}

/** Stores rows. They replace earlier rows of the same holdings. */
export async function writeOpenings(
  engine: Pick<Engine, "insert">,
  chain: string,
  rows: readonly OpeningRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const columns = Object.keys(openingBalances.columns);
  await engine.insert(openingTableName(chain), columns, encodeRows(openingBalances, rows));
}

/**
 * Reads the balances of holdings before the first block, as far as `token_balances` already includes them.
 */
export async function readOpenings(
  engine: Pick<Engine, "query">,
  from: IndexedFrom,
  holdings: readonly Holding[],
): Promise<Map<Holding, bigint>> {
  const found = new Map<Holding, bigint>();
  for (const part of partsOf(holdings, QUERY_SIZE)) {
    const rows = await engine.query<{ holding: Holding; balance: string }>(
      sql`SELECT ${hexText(sql`wallet_address`, sql`token_address`)} AS holding, toString(balance_base) AS balance
        FROM ${openingTable(from.chain)} FINAL WHERE ${isWithin(part)}
        AND first_block = ${integer(from.firstBlock)} AND status = 'confirmed' AND is_applied = 1`,
    );
    for (const { holding, balance } of rows) found.set(holding, BigInt(balance));
  }
  return found;
}

/** Reads all columns of the rows of an index that meet a condition, least recently checked first. */
export async function selectOpenings(
  engine: Pick<Engine, "query">,
  from: IndexedFrom,
  { where, limit }: { where: Sql; limit: number },
): Promise<OpeningRow[]> {
  const columns = Object.keys(openingBalances.columns).map((name) => COLUMNS[name] ?? (name as Sql));
  const rows = await engine.query<StoredOpening>(
    sql`SELECT ${join(columns)} FROM (SELECT * FROM ${openingRows(from)} WHERE ${where}) AS openings
      ORDER BY openings.checked_at, openings.wallet_address, openings.token_address LIMIT ${integer(limit)}`,
  );
  return rows.map(({ balance_base, observed_base, ...row }) => ({
    ...row,
    balance_base: balance_base === null ? null : BigInt(balance_base),
    observed_base: observed_base === null ? null : BigInt(observed_base),
  }));
}

const COLUMNS: Record<string, Sql> = {
  wallet_address: sql`${hexText(sql`openings.wallet_address`)} AS wallet_address`,
  token_address: sql`${hexText(sql`openings.token_address`)} AS token_address`,
  balance_base: sql`toString(openings.balance_base) AS balance_base`,
  observed_base: sql`toString(openings.observed_base) AS observed_base`,
};

type StoredOpening = Omit<OpeningRow, "balance_base" | "observed_base"> & {
  balance_base: string | null;
  observed_base: string | null;
};

export function holdingIn({
  wallet_address,
  token_address,
}: Pick<OpeningRow, "wallet_address" | "token_address">) {
  return holdingOf(wallet_address, token_address);
}

/**
 * Number of holdings by status. `unapplied` is the number of holdings whose result is not included in
 * `token_balances` yet.
 */
export type OpeningCounts = Record<OpeningStatus | "unapplied", number>;

export async function countOpenings(
  engine: Pick<Engine, "query">,
  from: IndexedFrom,
): Promise<OpeningCounts> {
  const counts = OPENING_STATUSES.map((status) => sql`countIf(status = ${text(status)}) AS ${status as Sql}`);
  const [found] = await engine.query<OpeningCounts>(
    sql`SELECT ${join(counts)}, countIf(is_applied = 0) AS unapplied FROM ${openingRows(from)}`,
  );
  return found ?? { waiting: 0, confirmed: 0, rejected: 0, unapplied: 0 };
}
