import { quarry } from "../service/client.ts";
import { liveQuery } from "../service/live-query.ts";
import { listOf, sqlText, table } from "../service/sql.ts";

/** A wallet's balance of a token and its value. */
export interface Balance {
  token: string;
  symbol: string | null;
  /** In the token's smallest unit; null if it cannot be derived from transfers. */
  base: string | null;
  decimals: number | null;
  /** US dollars per token; null if the token never had a robust price. */
  price: number | null;
  value: number | null;
}

export interface Balances {
  /** Sorted by value, highest first; unknown values last. */
  balances: Balance[];
  /** Whether the wallet holds more tokens than these. */
  isCut: boolean;
}

/** Maximum number of balances read. Wallets with more tokens mostly hold spam. */
export const MAX_BALANCES = 500;

interface BalanceRow {
  token_address: string;
  token_symbol: string | null;
  balance_base: string | null;
  balance_token: number | null;
}

/** Reads the tokens that a wallet holds, with the latest robust price of each. */
export function walletBalancesQuery(chain: string, wallet: string) {
  return liveQuery(["wallet-balances", chain, wallet], async (signal): Promise<Balances> => {
    const { rows, isCut } = await readBalances(chain, wallet, signal);
    if (rows.length === 0) return { balances: [], isCut };
    const tokens = rows.map(({ token_address }) => token_address);
    const [decimals, prices] = await Promise.all([
      readDecimals(chain, tokens, signal),
      quarry.latestPrices({ chain, token_address: tokens }, { signal }),
    ]);
    const priceOf = new Map(prices.prices.map((price) => [price.token_address, price.price_usd]));
    const balances = rows.map((row): Balance => {
      const price = priceOf.get(row.token_address) ?? null;
      const value = row.balance_token === null || price === null ? null : row.balance_token * price;
      return {
        token: row.token_address,
        symbol: row.token_symbol,
        base: row.balance_base,
        decimals: decimals.get(row.token_address) ?? null,
        price,
        value,
      };
    });
    return { balances: balances.toSorted(byValue), isCut };
  });
}

function byValue(a: Balance, b: Balance): number {
  return (b.value ?? Number.NEGATIVE_INFINITY) - (a.value ?? Number.NEGATIVE_INFINITY) || 0;
}

async function readBalances(chain: string, wallet: string, signal: AbortSignal) {
  const { sql } = sqlText`SELECT token_address, token_symbol, balance_base, balance_token
FROM ${table(chain, "token_balances")}
WHERE wallet_address = ${wallet} AND (balance_base > 0 OR balance_base IS NULL)
ORDER BY record_index DESC LIMIT ${MAX_BALANCES + 1}`;
  const { rows } = await quarry.sql<BalanceRow>(sql, { signal });
  return { rows: rows.slice(0, MAX_BALANCES), isCut: rows.length > MAX_BALANCES };
}

async function readDecimals(
  chain: string,
  tokens: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, number | null>> {
  const { sql } = sqlText`SELECT token_address, decimals FROM ${table(chain, "token_metadata")}
WHERE token_address IN (${listOf(tokens)}) LIMIT ${MAX_BALANCES}`;
  const { rows } = await quarry.sql<{ token_address: string; decimals: number | null }>(sql, { signal });
  return new Map(rows.map((row) => [row.token_address, row.decimals]));
}
