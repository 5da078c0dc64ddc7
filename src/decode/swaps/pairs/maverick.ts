import type { Hex } from "../../../lib/hex.ts";
import type { Log } from "../../../schema/block.ts";
import type { PoolFamily } from "../../../schema/pool-families.ts";
import { addressOf, addressResult, addressWord, uintAt, wordAt } from "../../abi/abi.ts";
import { onlyToken } from "../../families/only-token.ts";
import type { AnnouncedPool, CallResults, Evidence, SwapFamily } from "../../families/swap-family.ts";
import { swapOf } from "../../families/swap-of.ts";
import { factoryPools, type PoolTerms } from "../../proofs/factory-pools.ts";

/** tokenA() and tokenB() of a pool */
const TOKENS: readonly Hex[] = ["0x0fc63d10", "0x5f64b55b"];
/** isFactoryPool(address) of a factory */
const IS_POOL: Hex = "0x578eaca4";
/** Excess in base units that some routers pay to a V1 pool. */
const OVERPAID = 1n;

/** Events of a version. Their arguments are all in the data, and the versions differ in the word indexes. */
interface Version {
  family: PoolFamily;
  swap: { topic: Hex; words: number; tokenAIn: number; amountIn: number; amountOut: number };
  creation: { topic: Hex; words: number; tokenA: number };
}

interface Amounts {
  isTokenAIn: boolean;
  amountIn: bigint;
  amountOut: bigint;
}

/** Maverick V1. The factory creates pools by CREATE. Amounts are in base units of the tokens. */
export const maverickV1: SwapFamily = maverick({
  family: "maverick-v1",
  swap: {
    // Swap(address sender, address recipient, bool tokenAIn, bool exactOutput, uint256 amountIn,
    //   uint256 amountOut, int32 activeTick)
    topic: "0x3b841dc9ab51e3104bda4f61b41e4271192d22cd19da5ee6e292dc8e2744f713",
    words: 7,
    tokenAIn: 2,
    amountIn: 4,
    amountOut: 5,
  },
  creation: {
    // PoolCreated(address poolAddress, uint256 fee, uint256 tickSpacing, int32 activeTick, int256 lookback,
    //   uint64 protocolFeeRatio, address tokenA, address tokenB)
    topic: "0x9b3fb3a17b4e94eb4d1217257372dcc712218fcd4bc1c28482bd8a6804a7c775",
    words: 8,
    tokenA: 6,
  },
});

/**
 * Maverick V2. The factory creates pools by CREATE2. The salt is derived from eight parameters that swaps and
 * transfers do not reveal, so the factory must announce or confirm each pool.
 */
export const maverickV2: SwapFamily = maverick({
  family: "maverick-v2",
  swap: {
    // PoolSwap(address sender, address recipient,
    //   (uint256 amount, bool tokenAIn, bool exactOutput, int32 tickLimit) params,
    //   uint256 amountIn, uint256 amountOut)
    topic: "0x103ed084e94a44c8f5f6ba8e3011507c41063177e29949083c439777d8d63f60",
    words: 8,
    tokenAIn: 3,
    amountIn: 6,
    amountOut: 7,
  },
  creation: {
    // PoolCreated(address poolAddress, uint8 protocolFeeRatio, uint256 feeAIn, uint256 feeBIn,
    //   uint256 tickSpacing, uint256 lookback, int32 activeTick, address tokenA, address tokenB, uint8 kinds,
    //   address accessor)
    topic: "0x848331e408557f4b7eb6561ca1c18a3ac43004fbe64b8b5bce613855cfdf22d2",
    words: 11,
    tokenA: 7,
  },
});

function maverick({ family, swap, creation }: Version): SwapFamily {
  const amountsOf = ({ data }: Log): Amounts => ({
    isTokenAIn: uintAt(data, swap.tokenAIn) !== 0n,
    amountIn: uintAt(data, swap.amountIn),
    amountOut: uintAt(data, swap.amountOut),
  });
  return {
    family,
    events: [
      {
        topic: swap.topic,
        topics: 1,
        words: swap.words,
        read(log, pool) {
          const { isTokenAIn, amountIn, amountOut } = amountsOf(log);
          return isTokenAIn
            ? swapOf(log, pool, amountIn, -amountOut)
            : swapOf(log, pool, -amountOut, amountIn);
        },
      },
    ],
    creations: [
      {
        topic: creation.topic,
        topics: 1,
        words: creation.words,
        read: (log) => readCreation(log, creation.tokenA),
      },
    ],
    proof: factoryPools({
      family,
      termsCalls: (to) => TOKENS.map((data) => ({ to, data })),
      readTerms: ([tokenA, tokenB]: CallResults) => termsOf(addressResult(tokenA), addressResult(tokenB)),
      termsOf: (address, log, evidence) => movedTerms(address, amountsOf(log), evidence),
      confirmation: (address, to) => ({ to, data: `${IS_POOL}${addressWord(address)}` }),
    }),
  };
}

function readCreation({ data }: Log, tokenA: number): AnnouncedPool | null {
  const address = addressOf(wordAt(data, 0));
  const terms = termsOf(addressOf(wordAt(data, tokenA)), addressOf(wordAt(data, tokenA + 1)));
  return address && terms && { address, ...terms };
}

/**
 * Returns the tokens that the pool received and paid. Returns null unless, for each amount of the event, the
 * transfers that match it are all of one token, and the two tokens differ.
 */
function movedTerms(pool: Hex, amounts: Amounts, { transfers }: Evidence): PoolTerms | null {
  const { isTokenAIn, amountIn, amountOut } = amounts;
  const tokenOut = onlyToken(transfers, ({ from, value }) => from === pool && value === amountOut);
  const tokenIn = onlyToken(
    transfers,
    ({ to, value }) => to === pool && (value === amountIn || value === amountIn + OVERPAID),
  );
  if (tokenIn === tokenOut) return null;
  return isTokenAIn ? termsOf(tokenIn, tokenOut) : termsOf(tokenOut, tokenIn);
}

/**
 * Returns the terms without a fee. Fees are in units of 10^-18, and in V2 they depend on the direction of the
 * swap.
 */
function termsOf(token0: Hex | null, token1: Hex | null): PoolTerms | null {
  return token0 && token1 && { token0, token1, fee: null };
}
