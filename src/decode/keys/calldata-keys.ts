import type { Hex } from "../../lib/hex.ts";
import { ADDRESS, currencyAt, digitsOf, PADDING, STEP, WORD } from "./calldata-words.ts";

/** Fee, tick spacing and hooks of a pool's key, as they occur together in a transaction's calldata. */
export interface KeyHint {
  fee: number;
  tickSpacing: number;
  hooks: Hex;
  /** Addresses next to these fields. They are the currencies if the hint is right. */
  currencies: readonly Hex[];
}

/** Possible pool keys, or parts of them, in a transaction's calldata. None of them are proven. */
export interface CalldataKeys {
  /** Each is five consecutive words with the form of a PoolKey, as hex digits without `0x`. */
  keys: readonly string[];
  hints: readonly KeyHint[];
}

/** Maximum number of keys and of hints to collect. A transaction with real swaps has fewer. */
const MAX_KEYS = 32;
const MAX_HINTS = 8;
/** Number of hex digits of an unsigned or positive 24-bit number. */
const NUMBER = 6;
const NUMBER_PADDING = "0".repeat(WORD - NUMBER);
/** TickMath.MAX_TICK_SPACING of Uniswap V4. */
const MAX_TICK_SPACING = 32_767;

/**
 * Finds pool keys in the calldata of a transaction. Finds whole keys, and the last three fields of keys with
 * one of the given fees. These three fields may be ABI words (PathKey), or packed without padding in three,
 * three and twenty bytes.
 *
 * @param fees in millionths. The search for packed fields skips a fee of zero.
 */
export function calldataKeys(input: Hex, fees: readonly number[]): CalldataKeys {
  const digits = digitsOf(input);
  const found = { keys: [] as string[], hints: [] as KeyHint[] };
  for (let at = STEP; at + WORD <= digits.length; at += STEP) {
    if (!digits.startsWith(PADDING, at)) continue;
    if (found.keys.length < MAX_KEYS && isKey(digits, at)) found.keys.push(digits.slice(at, at + 5 * WORD));
    const hint = found.hints.length < MAX_HINTS ? wordsHint(digits, at, fees) : null;
    if (hint !== null) found.hints.push(hint);
  }
  for (const fee of fees) addPackedHints(digits, fee, found.hints);
  return found;
}

function numberAt(digits: string, at: number): number | null {
  return digits.startsWith(NUMBER_PADDING, at) ? parsed(digits, at + WORD - NUMBER) : null;
}

function parsed(digits: string, at: number): number {
  return Number.parseInt(digits.slice(at, at + NUMBER), 16);
}

function isTickSpacing(value: number | null): value is number {
  return value !== null && value >= 1 && value <= MAX_TICK_SPACING;
}

function isKey(digits: string, at: number): boolean {
  const [currency1, fee, spacing, hooks] = [1, 2, 3, 4].map((words) => at + words * WORD);
  if (hooks === undefined || hooks + WORD > digits.length) return false;
  return (
    digits.startsWith(NUMBER_PADDING, fee) &&
    isTickSpacing(numberAt(digits, spacing ?? 0)) &&
    digits.startsWith(PADDING, currency1) &&
    digits.startsWith(PADDING, hooks) &&
    digits.slice(at, currency1) < digits.slice(currency1, fee)
  );
}

function wordsHint(digits: string, at: number, fees: readonly number[]): KeyHint | null {
  const fee = numberAt(digits, at);
  const tickSpacing = numberAt(digits, at + WORD);
  const end = at + 3 * WORD;
  if (fee === null || !fees.includes(fee) || !isTickSpacing(tickSpacing)) return null;
  if (end > digits.length || !digits.startsWith(PADDING, at + 2 * WORD)) return null;
  const currencies = [at - WORD, at - 2 * WORD].flatMap((before) => currencyAt(digits, before) ?? []);
  return { fee, tickSpacing, hooks: `0x${digits.slice(end - ADDRESS, end)}`, currencies };
}

function addPackedHints(digits: string, fee: number, hints: KeyHint[]): void {
  if (fee === 0) return;
  const text = fee.toString(16).padStart(NUMBER, "0");
  for (
    let at = digits.indexOf(text);
    at >= 0 && hints.length < MAX_HINTS;
    at = digits.indexOf(text, at + 1)
  ) {
    const hooksAt = at + 2 * NUMBER;
    if (at % 2 !== 0 || hooksAt + ADDRESS > digits.length) continue;
    const tickSpacing = parsed(digits, at + NUMBER);
    if (!isTickSpacing(tickSpacing)) continue;
    const currencies = [at - ADDRESS, at - 2 * ADDRESS]
      .filter((before) => before >= 0)
      .map((before): Hex => `0x${digits.slice(before, before + ADDRESS)}`);
    hints.push({ fee, tickSpacing, hooks: `0x${digits.slice(hooksAt, hooksAt + ADDRESS)}`, currencies });
  }
}
