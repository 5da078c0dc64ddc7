import type { DecodedBlock } from "../../decode/blocks/decode-block.ts";
import type { Hex } from "../../lib/hex.ts";
import { toUnits } from "../../lib/units.ts";
import type { PricedBlock } from "../../pricing/price-book.ts";
import type { Block, Transaction } from "../../schema/block.ts";
import { recordIndexOf } from "../../schema/record-index.ts";
import type { Erc20Transfer, Erc721Transfer, Token } from "../../schema/swap.ts";
import type { RowOf } from "../../schema/tables.ts";

/** The block's rows of `erc20` and `erc721`, in log order. */
export function transferRows(
  { block, transactions }: DecodedBlock,
  transferUsd: PricedBlock["transferUsd"],
  tokenAt: (address: Hex) => Token,
) {
  const erc20: RowOf<"erc20">[] = [];
  const erc721: RowOf<"erc721">[] = [];
  for (const { transaction, events } of transactions) {
    for (const event of events) {
      if (event.kind === "erc20") {
        const token = tokenAt(event.token);
        erc20.push({
          record_index: recordIndexOf(block.number, erc20.length),
          ...transferFields(block, transaction, event, token),
          value_base: event.value,
          value_token: token.decimals === null ? null : toUnits(event.value, token.decimals),
          value_usd: transferUsd.get(event.logIndex) ?? null,
        });
      } else if (event.kind === "erc721") {
        erc721.push({
          record_index: recordIndexOf(block.number, erc721.length),
          ...transferFields(block, transaction, event, tokenAt(event.token)),
          token_id: event.tokenId,
        });
      }
    }
  }
  return { erc20, erc721 };
}

function transferFields(
  block: Block,
  transaction: Transaction,
  event: Erc20Transfer | Erc721Transfer,
  token: Token,
) {
  return {
    transaction_hash: transaction.hash,
    transaction_index: transaction.transactionIndex,
    block_number: block.number,
    timestamp: block.timestamp,
    from_address: event.from,
    to_address: event.to,
    token_address: event.token,
    token_symbol: token.symbol,
    token_name: token.name,
    log_index: event.logIndex,
  };
}
