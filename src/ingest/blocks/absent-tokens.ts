import type { DecodedBlock, DecodedTransaction } from "../../decode/blocks/decode-block.ts";
import type { Hex } from "../../lib/hex.ts";
import type { DecodedEvent } from "../../schema/swap.ts";
import { tokensOf } from "../caches/record-block.ts";

/** Tokens, each with the number of a block. */
type TokensInBlocks = ReadonlyMap<Hex, number>;

/**
 * Returns the tokens that do not exist after the given blocks. Anyone can create a pool in a singleton with
 * the address at which another account will deploy a token, and make a swap in it that moves nothing of this
 * token: a hook can fill the swap, or liquidity can be added and removed again. If such a swap counted, the
 * token would be first seen, and its decimals read, before it is deployed, and it would never have a price.
 *
 * @param silent tokens for which calls return nothing after the given block. A token that emits a log in that
 * block exists, and so does one with any other event than a swap in a pool of two tokens.
 */
export function absentTokens(blocks: readonly DecodedBlock[], silent: TokensInBlocks): Map<Hex, number> {
  const absent = new Map(silent);
  const numbers = new Set(silent.values());
  for (const decoded of blocks) {
    const { number } = decoded.block;
    if (!numbers.has(number)) continue;
    for (const token of existingIn(decoded)) if (absent.get(token) === number) absent.delete(token);
  }
  return absent;
}

function* existingIn({ transactions }: DecodedBlock): Iterable<Hex> {
  for (const { transaction, events } of transactions) {
    for (const { address } of transaction.logs) yield address;
    for (const event of events) if (!isSwapOfTwo(event)) yield* tokensOf(event);
  }
}

/** Leaves out the swaps of these tokens in these blocks. */
export function withoutSwapsOf<Decoded extends DecodedBlock>(
  absent: TokensInBlocks,
  blocks: readonly Decoded[],
): Decoded[] {
  const exists = (event: DecodedEvent, number: number) =>
    !isSwapOfTwo(event) || tokensOf(event).every((token) => absent.get(token) !== number);
  const existing = ({ events, ...more }: DecodedTransaction, number: number): DecodedTransaction => ({
    ...more,
    events: events.filter((event) => exists(event, number)),
  });
  const numbers = new Set(absent.values());
  return blocks.map((decoded) => {
    const { number } = decoded.block;
    if (!numbers.has(number)) return decoded;
    return { ...decoded, transactions: decoded.transactions.map((each) => existing(each, number)) };
  });
}

function isSwapOfTwo(event: DecodedEvent): boolean {
  return event.kind === "swap" && event.pool.tokens.length === 2;
}
