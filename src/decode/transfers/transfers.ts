import type { Hex } from "../../lib/hex.ts";
import type { Log } from "../../schema/block.ts";
import type { Erc20Transfer, Erc721Transfer } from "../../schema/swap.ts";
import { addressOf, isWords, uintAt } from "../abi/abi.ts";

/**
 * Transfer(address,address,uint256). ERC-20 indexes two arguments, ERC-721 all three.
 *
 * Some wrapped native coins (WETH9) emit Deposit and Withdrawal when they mint and burn, but no Transfer. The
 * decoder does not count wrapping and unwrapping as transfers. Only the standard's event counts as an ERC-20
 * transfer.
 */
export const TRANSFER_TOPIC: Hex = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

/**
 * Minimum length of the data of an ERC-20 Transfer. The data begins with the value, and anything after it is
 * ignored.
 */
const VALUE_DIGITS = 2 + 64;

/** Reads a Transfer of either standard. Returns null if the log has the form of neither. */
export function decodeTransfer(log: Log): Erc20Transfer | Erc721Transfer | null {
  if (log.topics[0] !== TRANSFER_TOPIC) return null;
  const from = addressOf(log.topics[1]);
  const to = addressOf(log.topics[2]);
  if (from === null || to === null) return null;
  const shared = { logIndex: log.logIndex, token: log.address, from, to };
  const tokenId = log.topics[3];
  if (tokenId !== undefined) return isTokenId(log, tokenId) ? erc721(shared, tokenId) : null;
  if (log.data.length < VALUE_DIGITS) return null;
  return { kind: "erc20", ...shared, value: uintAt(log.data, 0) };
}

function isTokenId(log: Log, word: Hex): boolean {
  return log.topics.length === 4 && isWords(word, 1);
}

function erc721(shared: Omit<Erc721Transfer, "kind" | "tokenId">, tokenId: Hex): Erc721Transfer {
  return { kind: "erc721", ...shared, tokenId: BigInt(tokenId) };
}
