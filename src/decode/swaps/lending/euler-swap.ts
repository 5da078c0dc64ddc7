import type { Hex } from "../../../lib/hex.ts";
import type { Log } from "../../../schema/block.ts";
import type { PoolFamily } from "../../../schema/pool-families.ts";
import type { Pool, Swap } from "../../../schema/swap.ts";
import { addressesIn, uintAt } from "../../abi/abi.ts";
import { announcedPair } from "../../families/announced-pair.ts";
import type { Evidence, PoolEvent, SwapFamily } from "../../families/swap-family.ts";
import { withoutAmounts } from "../../families/swap-of.ts";
import { registryPools } from "../../proofs/registry-pools.ts";
import { readPairSwap } from "../pairs/uniswap-v2.ts";

/** getAssets() of a pool, which returns both tokens in ascending order */
const TOKENS: Hex = "0x67e4ac2c";
/** poolsByPair(address,address) of version 1's factory and version 2's registry */
const POOLS_BY_PAIR: Hex = "0x4b4409cb";
/** Maximum length of the list of a pair's pools. It needs a limit because anyone can create pools. */
const POOL_LIMIT = 1000;
/**
 * Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out,
 *   uint112 reserve0, uint112 reserve1, address indexed to)
 */
const SWAP_V1: Hex = "0x4813b0ad1586a6c47f088a07b488c1eadc58e7e7a9c3f1a71b3f33c5379133aa";
/** Word indexes of the fees in the event of version 2. */
const FEES_AT = [4, 5] as const;

/**
 * EulerSwap. A pool deposits its tokens in two vaults of Euler, and withdraws or borrows tokens from them. On
 * chains with Uniswap V4, a pool is also the hook of one V4 pool and fills all of its swaps. V4 then reports
 * a swap with zero amounts. Both ways of swapping emit the event that is read here, which reports the trade.
 *
 * The event's input amounts do not include the fees, which the pool sends on with the deposit. The event of
 * version 2 reports the fees. The event of version 1 does not. But a pool keeps no tokens, so its input
 * amount including the fees equals the amount that it has sent since its last swap in the transaction.
 *
 * The factory of version 1 accepts only Euler's vaults. The factory of version 2 accepts any vaults, even
 * ones that move no tokens. The registry of version 2 checks the vaults, so it must announce or list the
 * pool, and `factory` in the deployment is the registry.
 *
 * Sources: euler-xyz/euler-swap, branches eulerswap1 and master (EulerSwap.sol, UniswapHook.sol, SwapLib.sol,
 * EulerSwapFactory.sol, EulerSwapRegistry.sol); euler-xyz/euler-interfaces (addresses and deployed ABIs);
 * duneanalytics/spellbook, eulerswap_compatible_trades.sql (which also pairs the V4 events).
 */
export const eulerSwapV1: SwapFamily = eulerSwap({
  family: "euler-swap-v1",
  swap: { topic: SWAP_V1, words: 6, read: readSwapV1 },
  creation: {
    // PoolDeployed(address indexed asset0, address indexed asset1, address indexed eulerAccount, address pool)
    topic: "0x5f7560a5797edc6f72421362defa094d690eb9f7ced3cc5a5c13383502e4fcc5",
    words: 1,
  },
});

export const eulerSwapV2: SwapFamily = eulerSwap({
  family: "euler-swap-v2",
  swap: {
    // Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out,
    //   uint256 amount1Out, uint256 fee0, uint256 fee1, uint112 reserve0, uint112 reserve1, address indexed to)
    topic: "0x8337ab1cd063c6a0121e4b67ad00ec5640783101bb89ad879ffb0fe28b503e95",
    words: 8,
    read: (log, pool) => {
      const [fee0, fee1] = FEES_AT;
      return withFees(readPairSwap(log, pool), uintAt(log.data, fee0), uintAt(log.data, fee1));
    },
  },
  creation: {
    // PoolRegistered(address indexed asset0, address indexed asset1, address indexed eulerAccount, address pool,
    //   (address supplyVault0, address supplyVault1, address borrowVault0, address borrowVault1,
    //   address eulerAccount, address feeRecipient) sParams, uint256 validityBond)
    topic: "0x119fbab0d994e1e8e8de13032b258cc20a84d8da97757668fe40686cebb47ac4",
    words: 8,
  },
});

/** Differences between the versions. Their events have the same number of topics. */
interface Version {
  family: PoolFamily;
  swap: Pick<PoolEvent, "topic" | "words" | "read">;
  creation: Pick<PoolEvent, "topic" | "words">;
}

function eulerSwap({ family, swap, creation }: Version): SwapFamily {
  return {
    family,
    events: [{ ...swap, topics: 3 }],
    creations: [{ ...creation, topics: 4, read: (log) => announcedPair(log, 0, null) }],
    proof: registryPools({
      family,
      tokens: [TOKENS],
      registry: POOLS_BY_PAIR,
      announces: true,
      lists: (result, address) => addressesIn(result, POOL_LIMIT)?.includes(address) ?? false,
    }),
  };
}

/** Adds the fees to the amounts that entered the pool. */
function withFees(swap: Swap, fee0: bigint, fee1: bigint): Swap {
  return { ...swap, amount0: swap.amount0 + fee0, amount1: swap.amount1 + fee1 };
}

function readSwapV1(log: Log, pool: Pool, evidence: Evidence): Swap {
  const feeOf = (token: Hex, amountIn: bigint) =>
    amountIn === 0n ? 0n : sentBy(pool, token, log, evidence) - amountIn;
  const fee0 = feeOf(pool.token0, uintAt(log.data, 0));
  const fee1 = feeOf(pool.token1, uintAt(log.data, 1));
  const swap = readPairSwap(log, pool);
  return fee0 < 0n || fee1 < 0n ? withoutAmounts(swap, "event_is_inexact") : withFees(swap, fee0, fee1);
}

/**
 * Returns the amount of a token that the pool has sent since its last swap in the transaction. It consists of
 * the fees and the deposit.
 */
function sentBy({ address }: Pool, token: Hex, log: Log, { transaction, transfers }: Evidence): bigint {
  const earlier = transaction.logs.filter(
    (each) => each.address === address && each.topics[0] === SWAP_V1 && each.logIndex < log.logIndex,
  );
  const last = Math.max(-1, ...earlier.map(({ logIndex }) => logIndex));
  return transfers
    .filter(({ logIndex }) => logIndex > last && logIndex < log.logIndex)
    .filter((transfer) => transfer.token === token && transfer.from === address)
    .reduce((sum, { value }) => sum + value, 0n);
}
