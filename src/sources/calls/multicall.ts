import type { Hex } from "../../lib/hex.ts";
import type { ContractCall } from "../../schema/contract-call.ts";

/** Address of Multicall3, the same on every chain: https://github.com/mds1/multicall */
export const MULTICALL3: Hex = "0xca11bde05977b3631167028862be2a173976ca11";

/**
 * Selector of aggregate3((address target, bool allowFailure, bytes callData)[]), which returns ((bool
 * success, bytes returnData)[]).
 */
const AGGREGATE3 = "0x82ad56cb";

/**
 * Gas of a multicall: a fixed part, and a part for each call. A call to a getter takes about 17,000 gas. The
 * fixed part lets one of the calls use a million, which is enough to read a text of 10 kB. The total for the
 * most calls is below 2^24, the maximum for a transaction (EIP-7825), which some nodes apply to calls too.
 */
const BASE_GAS = 1_000_000;
const GAS_PER_CALL = 40_000;

/**
 * Returns the gas that a multicall may use. Without a limit, it could use all that the endpoint allows
 * (usually 50 million): a transaction can create a thousand contracts that burn whatever gas they get, and
 * every multicall with one of them would then take the node a tenth of a second.
 */
export function multicallGas(calls: number): number {
  return BASE_GAS + calls * GAS_PER_CALL;
}

/** Number of hex digits in an ABI word. */
const WORD = 64;

/**
 * Encodes the input of one aggregate3 call that makes all the calls. If one of them fails, the others still
 * have results.
 */
export function encodeAggregate(calls: readonly ContractCall[]): Hex {
  const items = calls.map((call) => {
    const target = call.to.slice(2).padStart(WORD, "0");
    return target + word(1) + word(3 * 32) + bytes(call.data);
  });
  let offset = items.length * 32;
  const offsets = items.map((item) => {
    const own = word(offset);
    offset += item.length / 2;
    return own;
  });
  return `${AGGREGATE3}${word(32)}${word(items.length)}${offsets.join("")}${items.join("")}`;
}

/**
 * Decodes the output of aggregate3 into the result of each call, which is null if the call failed. Returns
 * null if the data has another format, for example because another contract is at this address.
 */
export function decodeAggregate(data: Hex, count: number): (Hex | null)[] | null {
  const digits = data.slice(2);
  const list = 2 * numberAt(digits, 0);
  if (numberAt(digits, list) !== count) return null;
  const heads = list + WORD;
  const results: (Hex | null)[] = [];
  for (let i = 0; i < count; i++) {
    const item = heads + 2 * numberAt(digits, heads + i * WORD);
    const payload = item + 2 * numberAt(digits, item + WORD);
    const length = 2 * numberAt(digits, payload);
    const returned = digits.slice(payload + WORD, payload + WORD + length);
    if (Number.isNaN(length) || returned.length !== length) return null;
    results.push(numberAt(digits, item) === 1 ? `0x${returned}` : null);
  }
  return results;
}

/** Returns the number in the word at a position; NaN if the data is too short. */
function numberAt(digits: string, at: number): number {
  const text = digits.slice(at, at + WORD);
  return text.length === WORD ? Number(`0x${text}`) : Number.NaN;
}

function word(value: number): string {
  return value.toString(16).padStart(WORD, "0");
}

function bytes(data: Hex): string {
  const digits = data.slice(2);
  return word(digits.length / 2) + digits.padEnd(Math.ceil(digits.length / WORD) * WORD, "0");
}
