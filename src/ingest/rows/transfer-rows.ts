import type { DecodedBlock } from "../../decode/blocks/decode-block.ts";
import type { Hex } from "../../lib/hex.ts";
import { toUnits } from "../../lib/units.ts";
import type { PricedBlock } from "../../pricing/price-book.ts";
import type { Transaction } from "../../schema/block.ts";
import { type RecordNumbering, recordIndexOf } from "../../schema/record-index.ts";
import type { Erc20Transfer, Erc721Transfer, Token } from "../../schema/swap.ts";
import type { RowOf } from "../../schema/tables.ts";

/** Makes the block's rows of `erc20` and `erc721`, in log order. */
export function transferRows(
  numbering: RecordNumbering,
  { block, transactions }: DecodedBlock,
  transferUsd: PricedBlock["transferUsd"],
  tokenAt: (address: Hex) => Token,
) {
  const sharedColumns = (event: Erc20Transfer | Erc721Transfer, by: Transaction, ordinal: number) => {
    const token = tokenAt(event.token);
    return {
      record_index: recordIndexOf(numbering, block.number, ordinal),
      transaction_hash: by.hash,
      transaction_index: by.transactionIndex,
      block_number: block.number,
      timestamp: block.timestamp,
      from_address: event.from,
      to_address: event.to,
      token_address: event.token,
      token_symbol: token.symbol,
      token_name: token.name,
      log_index: event.logIndex,
    };
  };
  const erc20: RowOf<"erc20">[] = [];
  const erc721: RowOf<"erc721">[] = [];
  for (const { transaction, events } of transactions) {
    for (const event of events) {
      if (event.kind === "erc20") {
        const shared = sharedColumns(event, transaction, erc20.length);
        const { decimals } = tokenAt(event.token);
        const value_token = decimals === null ? null : toUnits(event.value, decimals);
        const value_usd = transferUsd.get(event.logIndex) ?? null;
        erc20.push({ ...shared, value_base: event.value, value_token, value_usd });
      } else if (event.kind === "erc721") {
        const shared = sharedColumns(event, transaction, erc721.length);
        erc721.push({ ...shared, token_id: event.tokenId });
      }
    }
  }
  return { erc20, erc721 };
}
