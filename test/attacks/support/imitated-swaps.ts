import { type AbiEvent, concatHex, numberToHex, padHex, parseAbiItem } from "viem";
import { logOf } from "../../../src/decode/support/published-logs.ts";
import type { Hex } from "../../../src/lib/hex.ts";
import type { Log } from "../../../src/schema/block.ts";
import type { PoolFamily } from "../../../src/schema/pool-families.ts";

/** Two tokens in ascending order, like the tokens of most pools. */
export const [TOKEN_IN, TOKEN_OUT]: [Hex, Hex] = [`0x${"a1".repeat(20)}`, `0x${"b2".repeat(20)}`];
/** Amounts that a swap takes in and pays out, in base units. */
export const [IN, OUT] = [1_000n, 900n];
export const USER: Hex = `0x${"66".repeat(20)}`;
/** Index of the swap's log, which comes after the transfers. */
const LOG_INDEX = 4;
const PRICE = 1n << 96n;

/**
 * A contract that emits a family's events, and the pool that the events are about. If pools emit their own
 * events, both are the same.
 */
interface Emission {
  emitter: Hex;
  /** Address of the pool, or its id in a singleton. */
  pool: Hex;
}

/** Returns every event with which a pool of the family can report that it took `IN` and paid `OUT`. */
type SwapLogs = (emission: Emission) => Log[];

function log(emitter: Hex, signature: string, ...args: unknown[]): Log {
  return logOf(emitter, parseAbiItem(signature) as AbiEvent, args, LOG_INDEX);
}

const PAIR_SWAP =
  "event Swap(address indexed sender, uint256 in0, uint256 in1, uint256 out0, uint256 out1, address indexed to)";
const EULER_ARGUMENTS = "address indexed sender, uint256 in0, uint256 in1, uint256 out0, uint256 out1";
const EULER_RESERVES = "uint112 reserve0, uint112 reserve1, address indexed to";
const NAMED = "address indexed tokenIn, address indexed tokenOut, uint256 amountIn, uint256 amountOut";

/** The swap events of every family, written from the protocols' interfaces, not from the decoders. */
export const SWAP_LOGS: Record<PoolFamily, SwapLogs> = {
  "uniswap-v2": ({ emitter }) => [log(emitter, PAIR_SWAP, USER, IN, 0n, 0n, OUT, USER)],
  "uniswap-v3": ({ emitter }) =>
    ["", ", uint128 protocolFees0, uint128 protocolFees1"].map((more) =>
      log(
        emitter,
        `event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 price, uint128 liquidity, int24 tick${more})`,
        ...[USER, USER, IN, -OUT, PRICE, 1n, 0, 0n, 0n],
      ),
    ),
  "uniswap-v4": ({ emitter, pool }) => [
    log(
      emitter,
      "event Swap(bytes32 indexed id, address indexed sender, int128 amount0, int128 amount1, uint160 price, uint128 liquidity, int24 tick, uint24 fee)",
      ...[pool, USER, -IN, OUT, PRICE, 1n, 0, 500],
    ),
  ],
  "balancer-v1": ({ emitter }) => [
    log(emitter, `event LOG_SWAP(address indexed caller, ${NAMED})`, USER, TOKEN_IN, TOKEN_OUT, IN, OUT),
  ],
  "balancer-v2": ({ emitter, pool }) => [
    log(
      emitter,
      `event Swap(bytes32 indexed poolId, ${NAMED})`,
      ...[padHex(pool, { dir: "right", size: 32 }), TOKEN_IN, TOKEN_OUT, IN, OUT],
    ),
  ],
  "balancer-v3": ({ emitter, pool }) => [
    log(
      emitter,
      `event Swap(address indexed pool, ${NAMED}, uint256 swapFeePercentage, uint256 swapFeeAmount)`,
      ...[pool, TOKEN_IN, TOKEN_OUT, IN, OUT, 1n, 1n],
    ),
  ],
  "maverick-v1": ({ emitter }) => [
    log(
      emitter,
      "event Swap(address sender, address recipient, bool tokenAIn, bool exactOutput, uint256 amountIn, uint256 amountOut, int32 activeTick)",
      ...[USER, USER, true, false, IN, OUT, 0],
    ),
  ],
  "maverick-v2": ({ emitter }) => [
    log(
      emitter,
      "event PoolSwap(address sender, address recipient, (uint256 amount, bool tokenAIn, bool exactOutput, int32 tickLimit) params, uint256 amountIn, uint256 amountOut)",
      ...[USER, USER, { amount: IN, tokenAIn: true, exactOutput: false, tickLimit: 0 }, IN, OUT],
    ),
  ],
  // The pool's base token is the lower one. A sale pays base and receives quote.
  "dodo-v1": ({ emitter }) => [
    log(
      emitter,
      "event SellBaseToken(address indexed seller, uint256 payBase, uint256 receiveQuote)",
      ...[USER, IN, OUT],
    ),
    log(
      emitter,
      "event BuyBaseToken(address indexed buyer, uint256 receiveBase, uint256 payQuote)",
      ...[USER, IN, OUT],
    ),
  ],
  "dodo-v2": ({ emitter }) => [
    log(
      emitter,
      "event DODOSwap(address fromToken, address toToken, uint256 fromAmount, uint256 toAmount, address trader, address receiver)",
      ...[TOKEN_IN, TOKEN_OUT, IN, OUT, USER, USER],
    ),
  ],
  ekubo: ({ emitter, pool }) => [
    {
      address: emitter,
      topics: [],
      data: concatHex([USER, pool, int128(IN), int128(-OUT), numberToHex(PRICE, { size: 32 })]),
      logIndex: LOG_INDEX,
    },
  ],
  "pancake-infinity-cl": ({ emitter, pool }) => [
    log(
      emitter,
      "event Swap(bytes32 indexed id, address indexed sender, int128 amount0, int128 amount1, uint160 price, uint128 liquidity, int24 tick, uint24 fee, uint16 protocolFee)",
      ...[pool, USER, -IN, OUT, PRICE, 1n, 0, 500, 0],
    ),
  ],
  "pancake-infinity-bin": ({ emitter, pool }) => [
    log(
      emitter,
      "event Swap(bytes32 indexed id, address indexed sender, int128 amount0, int128 amount1, uint24 activeId, uint24 fee, uint16 protocolFee)",
      ...[pool, USER, -IN, OUT, 1, 500, 0],
    ),
  ],
  tessera: ({ emitter }) => [
    log(
      emitter,
      "event TesseraTrade(address tokenIn, address tokenOut, uint256 amountIn, uint256 amountOut, address recipient)",
      ...[TOKEN_IN, TOKEN_OUT, IN, OUT, USER],
    ),
  ],
  elfomofi: ({ emitter }) => [
    log(
      emitter,
      "event ElfomoTrade(uint256 indexed quoteId, uint256 indexed partnerId, address executor, address receiver, address fromToken, address toToken, uint256 fromAmount, uint256 toAmount)",
      ...[1n, 1n, USER, USER, TOKEN_IN, TOKEN_OUT, IN, OUT],
    ),
  ],
  trident: ({ emitter }) => [
    log(emitter, `event Swap(address indexed recipient, ${NAMED})`, USER, TOKEN_IN, TOKEN_OUT, IN, OUT),
  ],
  woofi: ({ emitter }) => [
    log(
      emitter,
      "event WooSwap(address indexed fromToken, address indexed toToken, uint256 fromAmount, uint256 toAmount, address from, address indexed to, address rebateTo, uint256 swapVol, uint256 swapFee)",
      ...[TOKEN_IN, TOKEN_OUT, IN, OUT, USER, USER, USER, IN, 1n],
    ),
  ],
  solidly: ({ emitter }) => [
    log(
      emitter,
      "event Swap(address indexed sender, address indexed to, uint256 in0, uint256 in1, uint256 out0, uint256 out1)",
      ...[USER, USER, IN, 0n, 0n, OUT],
    ),
    log(emitter, PAIR_SWAP, USER, IN, 0n, 0n, OUT, USER),
  ],
  "curve-stable": ({ emitter }) =>
    ["TokenExchange", "TokenExchangeUnderlying"].map((name) =>
      log(
        emitter,
        `event ${name}(address indexed buyer, int128 sold_id, uint256 tokens_sold, int128 bought_id, uint256 tokens_bought)`,
        ...[USER, 0n, IN, 1n, OUT],
      ),
    ),
  "curve-crypto": ({ emitter }) =>
    ["", ", uint256 fee, uint256 packed_price_scale"].map((more) =>
      log(
        emitter,
        `event TokenExchange(address indexed buyer, uint256 sold_id, uint256 tokens_sold, uint256 bought_id, uint256 tokens_bought${more})`,
        ...[USER, 0n, IN, 1n, OUT, 1n, 1n],
      ),
    ),
  fluid: ({ emitter }) => [
    log(
      emitter,
      "event Swap(bool swap0to1, uint256 amountIn, uint256 amountOut, address to)",
      ...[true, IN, OUT, USER],
    ),
  ],
  "fluid-dex-lite": ({ emitter, pool }) => [
    log(
      emitter,
      "event LogSwap(uint256 swapData, uint256 dexVariables)",
      BigInt(pool.slice(0, 18)) | (1n << 64n) | (IN << 65n) | (OUT << 125n),
      // Both tokens have nine decimals, so the event contains the exact amounts.
      (9n << 126n) | (9n << 131n),
    ),
  ],
  "euler-swap-v1": ({ emitter }) => [
    log(
      emitter,
      `event Swap(${EULER_ARGUMENTS}, ${EULER_RESERVES})`,
      ...[USER, IN, 0n, 0n, OUT, 1n, 1n, USER],
    ),
  ],
  "euler-swap-v2": ({ emitter }) => [
    log(
      emitter,
      `event Swap(${EULER_ARGUMENTS}, uint256 fee0, uint256 fee1, ${EULER_RESERVES})`,
      ...[USER, IN, 0n, 0n, OUT, 0n, 0n, 1n, 1n, USER],
    ),
  ],
  "algebra-integral": ({ emitter }) => [
    log(
      emitter,
      "event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 price, uint128 liquidity, int24 tick, uint24 overrideFee, uint24 pluginFee)",
      ...[USER, USER, IN, -OUT, PRICE, 1n, 0, 0, 0],
    ),
  ],
  smardex: ({ emitter }) => [
    log(
      emitter,
      "event Swap(address indexed sender, address indexed to, int256 amount0, int256 amount1)",
      ...[USER, USER, IN, -OUT],
    ),
  ],
  metric: ({ emitter }) => [
    log(
      emitter,
      "event Swap(address indexed sender, address indexed recipient, bool exactInput, int256 amount0Delta, int256 amount1Delta, int8 newTick, uint104 newPositionInBin, uint256 protocolFeeAmount)",
      ...[USER, USER, true, IN, -OUT, 0, 0n, 0n],
    ),
    log(
      emitter,
      "event Swap(address indexed sender, address indexed recipient, uint256 details, uint256 amountDeltas, uint256 platformFees)",
      ...[USER, USER, 0n, BigInt(concatHex([int128(IN), int128(-OUT)])), 0n],
    ),
  ],
  "metric-v0": ({ emitter }) => [
    log(
      emitter,
      "event Swap(address sender, address recipient, bool exactInput, int128 amount0Delta, int128 amount1Delta, int16 newTick, uint104 newPositionInBin)",
      ...[USER, USER, true, IN, -OUT, 0, 0n],
    ),
  ],
  saddle: ({ emitter }) => [
    log(
      emitter,
      "event TokenSwap(address indexed buyer, uint256 tokensSold, uint256 tokensBought, uint128 soldId, uint128 boughtId)",
      ...[USER, IN, OUT, 0n, 1n],
    ),
  ],
  smoothy: ({ emitter }) => [
    log(
      emitter,
      "event Swap(address indexed buyer, uint256 bTokenIdIn, uint256 bTokenIdOut, uint256 inAmount, uint256 outAmount)",
      ...[USER, 0n, 1n, IN, OUT],
    ),
  ],
};

function int128(value: bigint): Hex {
  return numberToHex(BigInt.asUintN(128, value), { size: 16 });
}
