import { addressWord } from "../abi/abi.ts";
import type { UnknownSwap } from "../families/swap-family.ts";
import { ADDRESS, currencyAt, digitsOf, STEP, WORD } from "./calldata-words.ts";
import { likelyPairs, type Pair } from "./currency-pairs.ts";

/**
 * Number of pairs to try with every config. The pairs after them, up to `MORE_PAIRS`, are tried only with the
 * most likely configs.
 */
const FIRST_PAIRS = 3;
const MORE_PAIRS = 20;
/** Number of configs to try with the first pairs, and number to try with the less likely pairs. */
const MAX_CONFIGS = 200;
const FIRST_CONFIGS = 16;
/**
 * Maximum number of calldata digits to search for packed configs, which can begin at any byte. 16 kB take at
 * most about 20 ms.
 */
const PACKED_DIGITS = 2 * 16_384;
/** Position of the type, in digits. A config has an extension (20 bytes), a fee (8) and a type (4). */
const TYPE_AT = 56;
/** MAX_TICK_SPACING of Ekubo. Type 0 means a pool without ticks. */
const MAX_TICK_SPACING = 698_605;
/** Marks the type of a pool with ticks, since version 3. */
const CONCENTRATED = 0x8000_0000;
/**
 * Unit of the amplification in a config's type. Since version 3, the amplification is the first byte of the
 * type of a pool without ticks. It is at most 26.
 */
const AMPLIFICATION_UNIT = 0x0100_0000;
const MAX_AMPLIFICATION = 26;
/** Extension digits that begin with these zeros are a number, not an address. */
const EXTENSION_START = "0".repeat(8);
const NO_EXTENSION = "0".repeat(ADDRESS);

/**
 * Yields keys of Ekubo's pools (three words: token0, token1, config) that a transaction suggests, the most
 * likely first. In the calldata of routers, the config is a word, or is packed next to a token.
 *
 * @param amounts the event's amounts
 */
export function* suggestedEkuboKeys(swap: UnknownSwap, amounts: readonly bigint[]): Iterable<string> {
  const digits = digitsOf(swap.transaction.input);
  yield* wholeKeys(digits);
  const pairs = likelyPairs(swap, amounts, []);
  const configs = configsIn(digits, pairs);
  yield* combined(pairs.slice(0, FIRST_PAIRS), configs);
  yield* combined(pairs.slice(FIRST_PAIRS, MORE_PAIRS), configs.slice(0, FIRST_CONFIGS));
}

function* wholeKeys(digits: string): Iterable<string> {
  for (let at = STEP; at + 3 * WORD <= digits.length; at += STEP) {
    const token0 = currencyAt(digits, at);
    const token1 = token0 && currencyAt(digits, at + WORD);
    if (token0 === null || token1 === null || token0 >= token1) continue;
    if (isConfig(digits, at + 2 * WORD)) yield digits.slice(at, at + 3 * WORD);
  }
}

function* combined(pairs: readonly Pair[], configs: readonly string[]): Iterable<string> {
  for (const [token0, token1] of pairs) {
    for (const config of configs) yield addressWord(token0) + addressWord(token1) + config;
  }
}

/** Lists possible configs: first those that follow a currency, then words, then any other 32 bytes. */
function configsIn(digits: string, pairs: readonly Pair[]): string[] {
  const currencies = new Set(pairs.slice(0, MORE_PAIRS).flat());
  const ranked: Set<string>[] = [new Set(), new Set(), new Set()];
  const end = Math.min(digits.length, PACKED_DIGITS);
  for (let at = STEP; at + WORD <= end; at += 2) {
    if (!isConfig(digits, at)) continue;
    const follows = at >= ADDRESS && currencies.has(`0x${digits.slice(at - ADDRESS, at)}`);
    const rank = follows ? 0 : at % STEP === 0 ? 1 : 2;
    ranked[rank]?.add(digits.slice(at, at + WORD));
  }
  return [...new Set(ranked.flatMap((found) => [...found]))].slice(0, MAX_CONFIGS);
}

function isConfig(digits: string, at: number): boolean {
  const extended = !digits.startsWith(NO_EXTENSION, at);
  if (extended && digits.startsWith(EXTENSION_START, at)) return false;
  const type = Number.parseInt(digits.slice(at + TYPE_AT, at + WORD), 16);
  const spacing = type >= CONCENTRATED ? type - CONCENTRATED : type;
  const amplification = type / AMPLIFICATION_UNIT;
  return spacing <= MAX_TICK_SPACING || (amplification >= 1 && amplification < MAX_AMPLIFICATION + 1);
}
