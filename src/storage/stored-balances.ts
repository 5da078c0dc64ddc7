import { hexBytes, hexBytesArray, hexText, integer, join, type Sql, sql } from "../engine-sql/sql-text.ts";
import type { Hex } from "../lib/hex.ts";
import { firstRecordIndex, type RecordNumbering } from "../schema/record-index.ts";
import type { Engine } from "./store.ts";
import { engineTable } from "./tables/ddl.ts";

const ADDRESS_BYTES = 20;
const TOKEN_START = 2 + 2 * ADDRESS_BYTES;

/** Identifies a wallet's balance of a token: the wallet's address, then the token's. */
export type Holding = Hex;

export function holdingOf(wallet: Hex, token: Hex): Holding {
  return `${wallet}${token.slice(2)}`;
}

export function walletOf(holding: Holding): Hex {
  return holding.slice(0, TOKEN_START) as Hex;
}

export function tokenOf(holding: Holding): Hex {
  return `0x${holding.slice(TOKEN_START)}`;
}

/** Which balances to read: those as of block `last` of a chain. */
interface BalanceQuery {
  chain: string;
  numbering: RecordNumbering;
  last: number;
}

/** Prints the condition for rows of these holdings. */
export function isWithin(holdings: readonly Holding[]): Sql {
  const requested = hexBytesArray(holdings, 2 * ADDRESS_BYTES);
  return sql`(wallet_address, token_address) IN (
    SELECT toFixedString(substring(requested, 1, 20), 20), toFixedString(substring(requested, 21, 20), 20)
    FROM (SELECT arrayJoin(${requested}) AS requested))`;
}

/**
 * Reads the balance of each holding after its last change in blocks `first` to `last`, in base units: null if
 * transfers do not determine the balance, absent if no transfer changed it in these blocks.
 */
export async function readStoredBalances(
  engine: Pick<Engine, "query">,
  holdings: readonly Holding[],
  { chain, numbering, first = 0, last }: BalanceQuery & { first?: number },
): Promise<Map<Holding, bigint | null>> {
  // A tuple, because the newest balance may be null, which argMax would ignore.
  const rows = await engine.query<StoredBalance>(
    sql`SELECT ${hexText(sql`wallet_address`, sql`token_address`)} AS holding,
      toString(tupleElement(argMax(tuple(balance_base), record_index), 1)) AS balance
      FROM ${engineTable(chain, "token_balances")} WHERE ${isWithin(holdings)}
      AND record_index >= ${integer(firstRecordIndex(numbering, first))} AND record_index < ${integer(firstRecordIndex(numbering, last + 1))}
      GROUP BY wallet_address, token_address`,
  );
  return balancesOf(rows);
}

/**
 * Like `readStoredBalances`, for a few holdings: reads only the last rows of each holding, however many rows
 * it has.
 */
export async function readFewBalances(
  engine: Pick<Engine, "query">,
  holdings: readonly Holding[],
  { chain, numbering, last }: BalanceQuery,
): Promise<Map<Holding, bigint | null>> {
  if (holdings.length === 0) return new Map();
  const end = integer(firstRecordIndex(numbering, last + 1));
  const newest = holdings.map(
    (holding) => sql`SELECT * FROM (SELECT ${hexText(sql`wallet_address`, sql`token_address`)} AS holding,
      toString(balance_base) AS balance FROM ${engineTable(chain, "token_balances")}
      WHERE wallet_address = ${hexBytes(walletOf(holding))} AND token_address = ${hexBytes(tokenOf(holding))}
      AND record_index < ${end} ORDER BY wallet_address DESC, token_address DESC, record_index DESC LIMIT 1)`,
  );
  return balancesOf(await engine.query<StoredBalance>(join(newest, " UNION ALL ")));
}

/** A balance as decimal text; null if transfers do not determine it. */
interface StoredBalance {
  holding: Holding;
  balance: string | null;
}

function balancesOf(rows: readonly StoredBalance[]): Map<Holding, bigint | null> {
  return new Map(rows.map(({ holding, balance }) => [holding, balance === null ? null : BigInt(balance)]));
}
