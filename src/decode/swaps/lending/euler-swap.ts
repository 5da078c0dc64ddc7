import type { Hex } from "../../../lib/hex.ts";
import type { Log } from "../../../schema/block.ts";
import type { PoolFamily } from "../../../schema/pool-families.ts";
import type { Pool, Swap } from "../../../schema/swap.ts";
import { addressesIn, addressOf, uintAt, wordAt } from "../../abi/abi.ts";
import type { AnnouncedPool, Evidence, PoolEvent, SwapFamily } from "../../families/swap-family.ts";
import { swapOf, withoutAmounts } from "../../families/swap-of.ts";
import { registryPools } from "../../proofs/registry-pools.ts";

/** getAssets(), of a pool: both tokens, in ascending order */
const TOKENS: Hex = "0x67e4ac2c";
/** poolsByPair(address,address), of the factory of version 1 and the registry of version 2 */
const POOLS_BY_PAIR: Hex = "0x4b4409cb";
const POOL_LIMIT = 1000;
/**
 * Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out,
 *   uint112 reserve0, uint112 reserve1, address indexed to)
 */
const SWAP_V1: Hex = "0x4813b0ad1586a6c47f088a07b488c1eadc58e7e7a9c3f1a71b3f33c5379133aa";
/** Word indexes of the fees, which only the event of version 2 has. */
const FEES_AT = [4, 5] as const;

/**
 * EulerSwap: a pool trades what it deposits in, withdraws from and borrows from two vaults of Euler. Where
 * Uniswap V4 exists, a pool is also the hook of one V4 pool, whose swaps it fills alone: V4 then reports a swap
 * of nothing, and the event here is the trade. It is emitted by both ways of swapping.
 *
 * The events have amounts in without fees, which the pool sends on with the deposit. Version 1 leaves them
 * out: the amounts in are what the pool passed on since its last swap in the transaction, because it keeps
 * nothing. Version 2 has them in the event.
 *
 * The factory of version 1 accepts Euler's vaults only. That of version 2 accepts any, which may move nothing:
 * the registry, which checks them, must announce or list the pool. It is the deployment's factory here.
 *
 * Sources: euler-xyz/euler-swap, branches eulerswap1 and master (EulerSwap.sol, UniswapHook.sol, SwapLib.sol,
 * EulerSwapFactory.sol, EulerSwapRegistry.sol); euler-xyz/euler-interfaces (addresses, and the ABIs as they were
 * deployed); duneanalytics/spellbook, eulerswap_compatible_trades.sql (which also pairs the V4 events).
 */
export const eulerSwapV1: SwapFamily = eulerSwap(
  "euler-swap-v1",
  { topic: SWAP_V1, words: 6 },
  {
    // PoolDeployed(address indexed asset0, address indexed asset1, address indexed eulerAccount, address pool)
    topic: "0x5f7560a5797edc6f72421362defa094d690eb9f7ced3cc5a5c13383502e4fcc5",
    words: 1,
  },
  withSentFees,
);

export const eulerSwapV2: SwapFamily = eulerSwap(
  "euler-swap-v2",
  {
    // Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out,
    //   uint256 amount1Out, uint256 fee0, uint256 fee1, uint112 reserve0, uint112 reserve1, address indexed to)
    topic: "0x8337ab1cd063c6a0121e4b67ad00ec5640783101bb89ad879ffb0fe28b503e95",
    words: 8,
  },
  {
    // PoolRegistered(address indexed asset0, address indexed asset1, address indexed eulerAccount, address pool,
    //   (address supplyVault0, address supplyVault1, address borrowVault0, address borrowVault1,
    //   address eulerAccount, address feeRecipient) sParams, uint256 validityBond)
    topic: "0x119fbab0d994e1e8e8de13032b258cc20a84d8da97757668fe40686cebb47ac4",
    words: 8,
  },
  (log, pool) =>
    exchangeOf(
      log,
      pool,
      FEES_AT.map((index) => uintAt(log.data, index)),
    ),
);

/** The form of an event; the swap and the creation have as many topics in both versions. */
interface Form {
  topic: Hex;
  words: number;
}

function eulerSwap(family: PoolFamily, swap: Form, creation: Form, read: PoolEvent["read"]): SwapFamily {
  return {
    family,
    events: [{ ...swap, topics: 3, read }],
    creations: [{ ...creation, topics: 4, read: readCreation }],
    proof: registryPools({
      family,
      tokens: [TOKENS],
      registry: POOLS_BY_PAIR,
      lists: (result, address) => addressesIn(result, POOL_LIMIT)?.includes(address) ?? false,
    }),
  };
}

/** The swap of which the event has the amounts, and these are the fees of the amounts in. */
function exchangeOf(log: Log, pool: Pool, [fee0 = 0n, fee1 = 0n]: readonly bigint[]): Swap {
  const [in0 = 0n, in1 = 0n, out0 = 0n, out1 = 0n] = [0, 1, 2, 3].map((index) => uintAt(log.data, index));
  return swapOf(log, pool, in0 + fee0 - out0, in1 + fee1 - out1);
}

function withSentFees(log: Log, pool: Pool, evidence: Evidence): Swap {
  const fees = [pool.token0, pool.token1].map((token, i) => {
    const received = uintAt(log.data, i);
    return received === 0n ? 0n : sent(token, log, pool, evidence) - received;
  });
  const swap = exchangeOf(log, pool, fees);
  if (fees.every((fee) => fee >= 0n)) return swap;
  return withoutAmounts(exchangeOf(log, pool, []), "event_is_inexact");
}

/** What the pool sent of a token, since its last swap in the transaction: its fees, and the deposit. */
function sent(token: Hex, log: Log, { address }: Pool, { transaction, transfers }: Evidence): bigint {
  const earlier = transaction.logs.filter(
    (each) => each.address === address && each.topics[0] === SWAP_V1 && each.logIndex < log.logIndex,
  );
  const last = Math.max(-1, ...earlier.map(({ logIndex }) => logIndex));
  return transfers
    .filter(({ logIndex }) => logIndex > last && logIndex < log.logIndex)
    .filter((transfer) => transfer.token === token && transfer.from === address)
    .reduce((sum, { value }) => sum + value, 0n);
}

function readCreation({ topics, data }: Log): AnnouncedPool | null {
  const token0 = addressOf(topics[1]);
  const token1 = addressOf(topics[2]);
  const address = addressOf(wordAt(data, 0));
  return token0 && token1 && address && { address, token0, token1, fee: null };
}
