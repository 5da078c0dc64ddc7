import type { Hex } from "../../../lib/hex.ts";
import type { Log } from "../../../schema/block.ts";
import type { PoolFamily } from "../../../schema/pool-families.ts";
import type { Pool, Swap } from "../../../schema/swap.ts";
import { addressOf, uintAt, wordAt } from "../../abi/abi.ts";
import type { PoolEvent, SwapFamily } from "../../families/swap-family.ts";
import { exchangeOf } from "../../families/swap-of.ts";
import { listedContracts } from "../../proofs/listed-contract.ts";

/** Tessera V: one contract, and a separate treasury that holds the tokens. */
export const tessera = marketMaker({
  family: "tessera",
  // TesseraTrade(address tokenIn, address tokenOut, uint256 amountIn, uint256 amountOut, address recipient)
  topic: "0x97ba0cd8ff13f074b3b1aeace7fa3bf7fe54bdf2d728b6a097e901073b2bad6a",
  topics: 1,
  words: 5,
  tokensAt: { data: 0 },
  amountsAt: 2,
});

/** ElfomoFi: one contract, and a separate vault that holds the tokens. */
export const elfomofi = marketMaker({
  family: "elfomofi",
  // ElfomoTrade(uint256 indexed quoteId, uint256 indexed partnerId, address executor, address receiver,
  //   address fromToken, address toToken, uint256 fromAmount, uint256 toAmount)
  topic: "0xbe65a3f1f381da16732df786f571604a72b7c122cff3ae2b355566ddf01e2528",
  topics: 3,
  words: 6,
  tokensAt: { data: 2 },
  amountsAt: 4,
});

/**
 * WOOFi: the WooPPV2 contract, which holds its tokens. A swap through WooRouter also emits an event of the
 * router (WooRouterSwap), which is ignored.
 */
export const woofi = marketMaker({
  family: "woofi",
  // WooSwap(address indexed fromToken, address indexed toToken, uint256 fromAmount, uint256 toAmount,
  //   address from, address indexed to, address rebateTo, uint256 swapVol, uint256 swapFee)
  topic: "0x0e8e403c2d36126272b08c75823e988381d9dc47f2f0a9a080d95f891d95c469",
  topics: 4,
  words: 6,
  tokensAt: { topics: 1 },
  amountsAt: 0,
});

/** A swap event that names its tokens. The token that the trader pays comes first. */
interface MakerEvent extends Pick<PoolEvent, "topic" | "topics" | "words"> {
  family: PoolFamily;
  /** Index of the first token's word in the data, or of the first token's topic. */
  tokensAt: { data: number } | { topics: number };
  /** Word index of the amount paid. The amount received is the next word. */
  amountsAt: number;
}

/**
 * Returns the family of a market maker: a contract that exchanges any of its tokens at prices that it sets,
 * without a curve.
 */
function marketMaker({ family, tokensAt, amountsAt, ...form }: MakerEvent): SwapFamily {
  const tokensOf = ({ topics, data }: Log): [Hex, Hex] | null => {
    const words = [0, 1].map((i) =>
      "data" in tokensAt ? wordAt(data, tokensAt.data + i) : topics[tokensAt.topics + i],
    );
    const [paid, received] = words.map(addressOf);
    return paid && received ? [paid, received] : null;
  };
  const read = (log: Log, pool: Pool): Swap | null => {
    const [tokenIn, tokenOut] = tokensOf(log) ?? [];
    if (tokenIn === undefined || tokenOut === undefined) return null;
    const amounts = { amountIn: uintAt(log.data, amountsAt), amountOut: uintAt(log.data, amountsAt + 1) };
    return exchangeOf(log, pool, { tokenIn, tokenOut, ...amounts });
  };
  return {
    family,
    events: [{ ...form, read }],
    creations: [],
    proof: listedContracts(family, tokensOf),
  };
}
