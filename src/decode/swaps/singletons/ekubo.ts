import type { Hex } from "../../../lib/hex.ts";
import type { Log } from "../../../schema/block.ts";
import { EKUBO_EVENTS, EKUBO_SWAP_BYTES } from "../../../schema/events/ekubo-events.ts";
import { changingHookFlags } from "../../../schema/hooks.ts";
import type { Pool, Swap } from "../../../schema/swap.ts";
import { addressOf, byteLength, isWords, wordAt } from "../../abi/abi.ts";
import { keccak } from "../../abi/keccak.ts";
import type { AnnouncedPool, Evidence, SwapFamily } from "../../families/swap-family.ts";
import { swapOf } from "../../families/swap-of.ts";
import { withUnreportedFee } from "../../hooks/swapper-amounts.ts";
import { suggestedEkuboKeys } from "../../keys/ekubo-keys.ts";

/**
 * Ekubo. All pools are in the Core, which is also their factory and holds their tokens. A swap emits a packed
 * anonymous event: locker (20 bytes), pool id (32), the changes of the pool's two balances (16 each) and the
 * pool's new state (32). Versions 2 and 3 differ only in the state.
 *
 * A pool may have an extension, to which a trader may forward a swap. The extension then takes a fee from
 * what the trader receives, or adds one to what the trader pays, without a log (MEVCapture.sol of
 * EkuboProtocol/evm-contracts). The event has the pool's amounts, and the extension as the locker.
 */
export const ekubo: SwapFamily = {
  family: "ekubo",
  events: [],
  anonymousEvents: [{ bytes: EKUBO_SWAP_BYTES, read: readSwap }],
  creations: [
    {
      topic: EKUBO_EVENTS.initialized,
      topics: 1,
      words: 6,
      read: ({ data }) => poolOfKey(wordAt(data, 0), `0x${data.slice(2 + 64, 2 + 4 * 64)}`),
    },
  ],
  poolIdOf: ({ data }) => `0x${digitsOf(data, 20, 32)}`,
  keys: {
    poolOfKey,
    suggestedKeys: (swap) => suggestedEkuboKeys(swap, amountsOf(swap.log)),
    view: null,
  },
};

/** Number of words in a pool's key: both tokens and the config, which has the fee at bytes 20 to 27. */
const KEY_WORDS = 3;
/** A fee is a fraction of 2^64. */
const FEE_BITS = 64n;
const MILLION = 1_000_000n;

function readSwap(log: Log, pool: Pool, evidence: Evidence): Swap {
  const [amount0, amount1] = amountsOf(log);
  const swap = swapOf(log, pool, amount0, amount1);
  const { hooks } = pool;
  if (hooks === null || `0x${digitsOf(log.data, 0, 20)}` !== hooks) return swap;
  const isSwap = ({ topics, data }: Log) => topics.length === 0 && byteLength(data) === EKUBO_SWAP_BYTES;
  return withUnreportedFee(swap, { ...evidence, manager: log.address, hooks, isSwap });
}

/** Returns the amounts of a swap. Positive amounts entered the pool. */
function amountsOf({ data }: Log): [bigint, bigint] {
  return [signed128(data, 52), signed128(data, 68)];
}

function signed128(data: Hex, byte: number): bigint {
  return BigInt.asIntN(128, BigInt(`0x${digitsOf(data, byte, 16)}`));
}

function digitsOf(data: Hex, byte: number, bytes: number): string {
  return data.slice(2 + 2 * byte, 2 + 2 * (byte + bytes));
}

/**
 * Returns null unless the id is the key's hash. Rounds the fee to millionths. The pool's extension may charge
 * more fees.
 */
function poolOfKey(id: Hex, key: Hex): AnnouncedPool | null {
  if (!isWords(key, KEY_WORDS) || keccak(key) !== id) return null;
  const token0 = addressOf(wordAt(key, 0));
  const token1 = addressOf(wordAt(key, 1));
  if (token0 === null || token1 === null) return null;
  const config = wordAt(key, 2);
  const hooks: Hex = `0x${digitsOf(config, 0, 20)}`;
  const fee = BigInt(`0x${digitsOf(config, 20, 8)}`);
  const millionths = (fee * MILLION + (1n << (FEE_BITS - 1n))) >> FEE_BITS;
  return { address: id, token0, token1, fee: Number(millionths), hooks, hookFlags: changingHookFlags(hooks) };
}
