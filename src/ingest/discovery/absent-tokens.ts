import type { DecodedBlock, DecodedTransaction } from "../../decode/blocks/decode-block.ts";
import type { Hex } from "../../lib/hex.ts";
import type { DecodedEvent } from "../../schema/swap.ts";

/**
 * Leaves out the swaps of tokens that do not exist. Anyone can create a pool in a singleton with the address
 * at which another account will deploy a token, and make a swap in it that moves nothing of this token: a
 * hook can fill the swap, or liquidity can be added and removed again. If such a swap counted, the token
 * would be first seen, and its decimals read, before it is deployed, and it would never have a price.
 *
 * @param silent tokens for which calls return nothing. If one of them emits a log in these blocks, it exists.
 */
export function withoutAbsentTokens<Decoded extends DecodedBlock>(
  blocks: readonly Decoded[],
  silent: ReadonlySet<Hex>,
): readonly Decoded[] {
  if (silent.size === 0) return blocks;
  const absent = new Set(silent);
  for (const { block } of blocks)
    for (const { logs } of block.transactions) for (const { address } of logs) absent.delete(address);
  const exists = (event: DecodedEvent) =>
    event.kind !== "swap" || !(absent.has(event.token0) || absent.has(event.token1));
  const existing = ({ events, ...transaction }: DecodedTransaction): DecodedTransaction => ({
    ...transaction,
    events: events.filter(exists),
  });
  return blocks.map((decoded) => ({ ...decoded, transactions: decoded.transactions.map(existing) }));
}
