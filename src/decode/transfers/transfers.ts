import type { Hex } from "../../lib/hex.ts";
import type { Log } from "../../schema/block.ts";
import type { Erc20Transfer, Erc721Transfer } from "../../schema/swap.ts";
import { addressOf, isWords, uintAt } from "../abi.ts";

/**
 * Transfer(address,address,uint256): ERC-20 indexes two arguments, ERC-721 all three.
 *
 * Wrapped native coins that mint and burn by Deposit and Withdrawal alone (WETH9) send no Transfer then, so
 * wrapping and unwrapping are no transfers here: an ERC-20 transfer is what the standard's event says it is.
 */
export const TRANSFER_TOPIC: Hex = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

/** Data of an ERC-20 Transfer begins with the value; what some tokens append is not looked at. */
const VALUE_DIGITS = 2 + 64;

/** Reads a Transfer of either standard; null when the log's form is of neither. */
export function decodeTransfer(log: Log): Erc20Transfer | Erc721Transfer | null {
  if (log.topics[0] !== TRANSFER_TOPIC) return null;
  const from = addressOf(log.topics[1]);
  const to = addressOf(log.topics[2]);
  if (from === null || to === null) return null;
  const place = { logIndex: log.logIndex, token: log.address, from, to };
  const tokenId = log.topics[3];
  if (tokenId !== undefined) return isTokenId(log, tokenId) ? erc721(place, tokenId) : null;
  if (log.data.length < VALUE_DIGITS) return null;
  return { kind: "erc20", ...place, value: uintAt(log.data, 0) };
}

function isTokenId(log: Log, word: Hex): boolean {
  return log.topics.length === 4 && isWords(word, 1);
}

function erc721(place: Omit<Erc721Transfer, "kind" | "tokenId">, tokenId: Hex): Erc721Transfer {
  return { kind: "erc721", ...place, tokenId: BigInt(tokenId) };
}
