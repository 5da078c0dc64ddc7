import type { DecodedBlock } from "../../decode/blocks/decode-block.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Block } from "../../schema/block.ts";
import type { DecodedEvent, Pool, Token } from "../../schema/swap.ts";
import type { Holding } from "../../storage/stored-balances.ts";
import type { BalanceCache, ChangedBalance } from "./balance-cache.ts";
import type { PoolCache } from "./pool-cache.ts";
import type { TokenCache } from "./token-cache.ts";

/** A token that is first seen in a block. */
export interface NewToken {
  token: Token;
  /** True if its contract was created in this block. */
  wasCreated: boolean;
}

/** The changes that a block makes to the caches. */
export interface RecordedBlock {
  /** Pools and tokens that are first seen in the block, in order of appearance. */
  newPools: Pool[];
  newTokens: NewToken[];
  changedBalances: ChangedBalance[];
}

interface RecordingCaches {
  pools: PoolCache;
  tokens: TokenCache;
  balances: BalanceCache;
}

/**
 * Records the next block in the caches: marks its pools and tokens as recorded and applies its balance
 * changes. If the index does not begin with the chain's first block, a balance is known only if its token, or
 * the pool that holds it, was created in an indexed block, or if the balance before the first indexed block
 * is confirmed.
 *
 * @param isWholeChain true if the chain is indexed from its start, so that no transfer is missing
 */
export function recordBlock(
  decoded: DecodedBlock,
  changes: ReadonlyMap<Holding, bigint>,
  { pools, tokens, balances }: RecordingCaches,
  isWholeChain: boolean,
): RecordedBlock {
  const { number } = decoded.block;
  const { newPools, newTokens } = recordFirstSeen(decoded, pools, tokens);
  const changedBalances = balances.apply(
    changes,
    (wallet, token) => isWholeChain || tokens.wasCreated(token) || pools.wasCreatedBy(wallet, number),
  );
  return { newPools, newTokens, changedBalances };
}

function recordFirstSeen({ block, transactions }: DecodedBlock, pools: PoolCache, tokens: TokenCache) {
  const newPools: Pool[] = [];
  const newTokens: NewToken[] = [];
  const created = createdContracts(block);
  for (const event of transactions.flatMap(({ events }) => events)) {
    if ("pool" in event && pools.markRecorded(event.pool.address, block.number)) newPools.push(event.pool);
    for (const address of tokensOf(event)) {
      if (!tokens.markRecorded(address, block.number)) continue;
      const wasCreated = created.has(address) || pools.wasCreatedBy(address, block.number);
      if (wasCreated) tokens.markCreated(address, block.number);
      newTokens.push({ token: tokens.get(address), wasCreated });
    }
  }
  return { newPools, newTokens };
}

/**
 * Returns the contracts that the block's transactions created directly. Contracts that other contracts
 * created are not included, because their age is not known.
 */
function createdContracts({ transactions }: Block): Set<string | null> {
  return new Set(
    transactions.filter(({ status }) => status !== 0).map(({ contractAddress }) => contractAddress),
  );
}

/**
 * Returns the tokens that an event moves or trades. The creation of a pool does neither: anyone can create a
 * pool with the address of a token that will be deployed later, and its metadata must not be read before
 * then. A token whose amount in a pool's event is zero is not moved. Nevertheless, for a swap in a pool with
 * more than two tokens, all known tokens of the pool are returned.
 */
export function tokensOf(event: DecodedEvent): readonly Hex[] {
  switch (event.kind) {
    case "erc20":
    case "erc721":
      return [event.token];
    case "pool-creation":
      return [];
    case "sync":
      return movedOf([event.pool.token0, event.reserve0], [event.pool.token1, event.reserve1]);
    case "swap":
      return [
        ...listedTokensOf(event.pool),
        ...movedOf([event.token0, event.amount0], [event.token1, event.amount1]),
      ];
    default:
      return movedOf([event.pool.token0, event.amount0], [event.pool.token1, event.amount1]);
  }
}

function movedOf(...amounts: readonly [token: Hex, amount: bigint][]): Hex[] {
  return amounts.filter(([, amount]) => amount !== 0n).map(([token]) => token);
}

/**
 * Returns all known tokens of a pool that has more than two; none for a pool with two. The contracts of these
 * tokens exist, because creating such a pool reads their decimals.
 */
function listedTokensOf({ tokens }: Pool): readonly Hex[] {
  return tokens.length === 2 ? [] : tokens.filter((token) => token !== null);
}
