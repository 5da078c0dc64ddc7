import type { Hex } from "../../../lib/hex.ts";
import type { Log } from "../../../schema/block.ts";
import type { Pool, Swap } from "../../../schema/swap.ts";
import { addressOf, isWords, uintAt, wordAt } from "../../abi/abi.ts";
import { keccak } from "../../abi/keccak.ts";
import type { AnnouncedPool, Evidence, SwapFamily } from "../../families/swap-family.ts";
import { swapOf, withoutAmounts } from "../../families/swap-of.ts";
import { suggestedDexLiteKeys } from "../../keys/dex-lite-keys.ts";

/**
 * Fluid DexLite. All pools are in one contract, which holds their tokens. A pool's id is the first 8 bytes of
 * the hash of its key, padded here with zeros to 32 bytes. Another key has the same id with a probability of
 * 1 in 2^64.
 *
 * The event is packed, and its amounts have nine decimals. For a token with up to nine decimals the amounts
 * are exact, and the decoder rounds them as the contract rounds its transfers. For a token with more decimals
 * the event rounds down, so the decoder takes the exact amount from the transfer that rounds to it. The
 * native coin, and tokens between two pools of a route, move without transfers, so their amounts are unknown
 * if they have more than nine decimals.
 *
 * Sources: Instadapp/fluid-contracts-public (contracts/protocols/dexLite, libraries/dexLiteSlotsLink.sol,
 * deployments/deployments.md); DefiLlama/dimension-adapters (dexs/fluid-dex-lite).
 */
export const fluidDexLite: SwapFamily = {
  family: "fluid-dex-lite",
  events: [
    {
      // LogSwap(uint256 swapData, uint256 dexVariables)
      topic: "0xfbce846c23a724e6e61161894819ec46c90a8d3dd96e90e7342c6ef49ffb539c",
      topics: 1,
      words: 2,
      read: readSwap,
    },
  ],
  creations: [
    {
      // LogInitialize((address token0, address token1, bytes32 salt) dexKey, bytes8 dexId, uint256 dexVariables,
      //   uint256 centerPriceShift, InitializeParams i), where `i` has 17 words
      topic: "0x0f3c8652ed6961216fd2437ded3dd9abbdf4661d9c3e37fad5e62e335d99f682",
      topics: 1,
      words: 23,
      read: ({ data }) => poolOfKey(wordAt(data, KEY_WORDS), `0x${data.slice(2, 2 + KEY_WORDS * 64)}`),
    },
  ],
  poolIdOf: ({ data }) => `0x${wordAt(data, 0).slice(-ID_DIGITS).padEnd(64, "0")}`,
  keys: {
    poolOfKey,
    suggestedKeys: (swap) =>
      suggestedDexLiteKeys(
        swap,
        sidesOf(swap.log).map(({ least }) => least),
      ),
    view: null,
  },
};

/** Number of words in a pool's key: both tokens and a salt. */
const KEY_WORDS = 3;
const ID_DIGITS = 16;
/** Positions and widths of bits in the packed words (dexLiteSlotsLink.sol). */
const SWAP_0_TO_1 = 64n;
const AMOUNTS_AT = [65n, 125n] as const;
const AMOUNT_BITS = 60;
const DECIMALS_AT = [126n, 131n] as const;
const DECIMALS_BITS = 5;
/** Decimals of the amounts in events. */
const PRECISION = 9n;

/** One side of a swap, with the bounds that the event gives for its amount. */
interface Side {
  /** Index of the side's token in the pool. */
  token: 0 | 1;
  /** Lower bound (inclusive) and upper bound (exclusive) of the amount, in base units. */
  least: bigint;
  end: bigint;
}

function bitsAt(word: bigint, at: bigint, width: number): bigint {
  return BigInt.asUintN(width, word >> at);
}

/** Returns the side that entered the pool and the side that left it. */
function sidesOf({ data }: Log): [Side, Side] {
  const [swap, variables] = [uintAt(data, 0), uintAt(data, 1)];
  const isToken0In = bitsAt(swap, SWAP_0_TO_1, 1) === 1n;
  const side = (token: 0 | 1, at: bigint): Side => {
    const amount = bitsAt(swap, at, AMOUNT_BITS);
    const decimals = bitsAt(variables, DECIMALS_AT[token], DECIMALS_BITS);
    if (decimals <= PRECISION) {
      const least = amount / 10n ** (PRECISION - decimals);
      return { token, least, end: least + 1n };
    }
    const unit = 10n ** (decimals - PRECISION);
    return { token, least: amount * unit, end: (amount + 1n) * unit };
  };
  const [atIn, atOut] = AMOUNTS_AT;
  return isToken0In ? [side(0, atIn), side(1, atOut)] : [side(1, atIn), side(0, atOut)];
}

function readSwap(log: Log, pool: Pool, { transfers }: Evidence): Swap {
  const [entered, left] = sidesOf(log);
  const tokens = [pool.token0, pool.token1];
  const moved = (side: Side, end: "from" | "to") =>
    transfers
      .filter((each) => each.token === tokens[side.token] && each[end] === log.address)
      .map(({ value }) => value);
  const paid = exactOf(entered, moved(entered, "to"));
  const received = exactOf(left, moved(left, "from"));
  const swap = (amountIn: bigint, amountOut: bigint) =>
    entered.token === 0 ? swapOf(log, pool, amountIn, -amountOut) : swapOf(log, pool, -amountOut, amountIn);
  return paid === null || received === null
    ? withoutAmounts(swap(entered.least, left.least), "event_is_inexact")
    : swap(paid, received);
}

/**
 * Returns the amount of a side if its bounds allow only one value, or if exactly one moved amount is within
 * the bounds. Returns null otherwise.
 */
function exactOf({ least, end }: Side, moved: readonly bigint[]): bigint | null {
  if (end === least + 1n) return least;
  const [exact, ...others] = new Set(moved.filter((value) => value >= least && value < end));
  return exact === undefined || others.length > 0 ? null : exact;
}

/**
 * Returns null unless the key's hash begins with the id. Reports no fee, because governance can change fees.
 */
function poolOfKey(id: Hex, key: Hex): AnnouncedPool | null {
  if (!isWords(key, KEY_WORDS) || idOf(keccak(key)) !== idOf(id)) return null;
  const token0 = addressOf(wordAt(key, 0));
  const token1 = addressOf(wordAt(key, 1));
  return token0 && token1 && { address: id, token0, token1, fee: null };
}

/** Returns the first 8 bytes of a word. */
function idOf(word: Hex): string {
  return word.slice(2, 2 + ID_DIGITS);
}
