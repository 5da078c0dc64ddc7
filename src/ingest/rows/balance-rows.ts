import type { Hex } from "../../lib/hex.ts";
import { toUnits } from "../../lib/units.ts";
import type { Block } from "../../schema/block.ts";
import { type RecordNumbering, recordIndexOf } from "../../schema/record-index.ts";
import type { Token } from "../../schema/swap.ts";
import type { RowOf } from "../../schema/tables.ts";
import { tokenOf, walletOf } from "../../storage/stored-balances.ts";
import type { ChangedBalance } from "../caches/balance-cache.ts";

/** Makes the block's rows of `token_balances`: one for each balance that it changes. */
export function balanceRows(
  numbering: RecordNumbering,
  block: Block,
  balances: readonly ChangedBalance[],
  tokenAt: (address: Hex) => Token,
): RowOf<"token_balances">[] {
  return balances.map(({ holding, balance }, i) => {
    const { address, symbol, decimals } = tokenAt(tokenOf(holding));
    return {
      wallet_address: walletOf(holding),
      token_address: address,
      token_symbol: symbol,
      balance_base: balance,
      balance_token: balance === null || decimals === null ? null : toUnits(balance, decimals),
      block_number: block.number,
      timestamp: block.timestamp,
      record_index: recordIndexOf(numbering, block.number, i),
    };
  });
}
