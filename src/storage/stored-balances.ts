import { hexBytesArray, hexText, integer, sql } from "../engine-sql/sql-text.ts";
import type { Hex } from "../lib/hex.ts";
import { recordIndexOf } from "../schema/record-index.ts";
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

/**
 * The last balances within some blocks, in base units: null if transfers do not reveal the balance, absent if
 * no transfer changed it.
 */
export async function readStoredBalances(
  engine: Pick<Engine, "query">,
  holdings: readonly Holding[],
  { chain, first = 0, last }: { chain: string; first?: number; last: number },
): Promise<Map<Holding, bigint | null>> {
  // In a tuple, because the newest balance may be null, which argMax would pass over.
  const rows = await engine.query<{ holding: Holding; balance: string | null }>(
    sql`SELECT ${hexText(sql`wallet_address`, sql`token_address`)} AS holding,
      toString(tupleElement(argMax(tuple(balance_base), record_index), 1)) AS balance
      FROM ${engineTable(chain, "token_balances")} WHERE (wallet_address, token_address) IN (
        SELECT toFixedString(substring(requested, 1, 20), 20), toFixedString(substring(requested, 21, 20), 20)
        FROM (SELECT arrayJoin(${hexBytesArray(holdings, 2 * ADDRESS_BYTES)}) AS requested))
      AND record_index >= ${integer(recordIndexOf(first, 0))} AND record_index < ${integer(recordIndexOf(last + 1, 0))}
      GROUP BY wallet_address, token_address`,
  );
  return new Map(rows.map(({ holding, balance }) => [holding, balance === null ? null : BigInt(balance)]));
}
