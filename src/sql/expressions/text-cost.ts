import type { CheckedExpression, Operation } from "./checked-expression.ts";

/** Maximum length in bytes of the strings that functions return. */
export const LONGEST_TEXT = 1_000_000;

/**
 * Estimated length of a string whose type sets no maximum, such as calldata as hex, in bytes. Few are longer.
 */
const UNBOUNDED_BYTES = 4_000;
/** Maximum length of stored text, such as a token's name, in bytes: 256 characters. */
const STORED_TEXT_BYTES = 1_024;
/** Estimated length of a token symbol or protocol name, in bytes. Few are longer. */
const LABEL_BYTES = 32;
/** Upper bound for a number, a time or a condition as text, in bytes. */
const VALUE_BYTES = 80;

/**
 * Time for each byte, in nanoseconds, measured on the slowest function without an `nsPerByte`, with long
 * strings of one repeated character.
 */
const NS_PER_BYTE = 5;

interface TextCost {
  /** Length of the value as text, in bytes. Few values are longer. */
  bytes: number;
  /** Like `bytes`, but also long enough for rare long labels. */
  longest: number;
  /** Maximum time in nanoseconds that patterns and searches take to read the strings of one row. */
  scanNs: number;
  /**
   * Maximum time in nanoseconds that all string functions take for one row, including functions that only
   * copy.
   */
  textNs: number;
  /** Maximum time in nanoseconds for strings that are the same for every row. */
  constantNs: number;
}

const known = new WeakMap<CheckedExpression, TextCost>();

/**
 * Returns the estimated cost of a value for one row. Few strings are longer than the estimate assumes. The
 * estimate determines how many rows the engine computes before it can be stopped.
 */
export function textCost(value: CheckedExpression): TextCost {
  const before = known.get(value);
  if (before !== undefined) return before;
  const cost =
    value.node === "apply" ? costOf(value) : { ...storedBytes(value), scanNs: 0, textNs: 0, constantNs: 0 };
  known.set(value, cost);
  return cost;
}

type TextLength = Pick<TextCost, "bytes" | "longest">;

function storedBytes(value: Exclude<CheckedExpression, { node: "apply" }>): TextLength {
  const { type } = value;
  if (value.node === "literal") return ofLength(Buffer.byteLength(String(value.value)));
  if (type.kind === "bytes") return ofLength(Math.max(...(type.lengths ?? [UNBOUNDED_BYTES / 2])));
  if (type.kind !== "text") return ofLength(VALUE_BYTES);
  return { bytes: type.dictionary ? LABEL_BYTES : STORED_TEXT_BYTES, longest: STORED_TEXT_BYTES };
}

const ofLength = (bytes: number): TextLength => ({ bytes, longest: bytes });

function costOf(value: Extract<CheckedExpression, { node: "apply" }>): TextCost {
  const { operation, operands, type, isConstant } = value;
  const costs = operands.map(textCost);
  const { copies = 1 } = operation;
  const earlier = {
    scanNs: costs.reduce((sum, { scanNs }) => sum + copies * scanNs, 0),
    textNs: costs.reduce((sum, { textNs }) => sum + copies * textNs, 0),
    constantNs: costs.reduce((sum, { constantNs }) => sum + copies * constantNs, 0),
  };
  const hasTexts = type.kind === "text" || operands.some((operand) => operand.type.kind === "text");
  if (!hasTexts) return { ...ofLength(VALUE_BYTES), ...earlier };
  const made = (lengths: readonly number[]) =>
    type.kind === "text" ? bytesMade(operation, lengths, operands) : VALUE_BYTES;
  const bytes = made(costs.map((cost) => cost.bytes));
  const longest = made(costs.map((cost) => cost.longest));
  const read = costs.reduce((sum, cost) => sum + (operation.countsRareTexts ? cost.longest : cost.bytes), 0);
  const ns = (operation.nsPerByte ?? NS_PER_BYTE) * read + NS_PER_BYTE * bytes;
  if (isConstant) return { bytes, longest, ...earlier, constantNs: earlier.constantNs + ns };
  const scanNs = earlier.scanNs + (operation.nsPerByte === undefined ? 0 : ns);
  return { bytes, longest, ...earlier, scanNs, textNs: earlier.textNs + ns };
}

/** @param lengths of the operands */
function bytesMade(
  { longest }: Operation,
  lengths: readonly number[],
  operands: readonly CheckedExpression[],
): number {
  const read = lengths.reduce((sum, length) => sum + length, 0);
  return Math.min(LONGEST_TEXT, longest?.(lengths, operands) ?? read + VALUE_BYTES);
}

/** Conversions that leave a count unchanged if it is not negative. */
const COUNT_CONVERSIONS: ReadonlySet<string> = new Set(["to-count", "to-int64", "to-int256"]);

/**
 * Returns the value of a literal count, without its conversion. Returns the maximum length of a string for
 * any other count.
 */
export function literalCount(count: CheckedExpression | undefined): number {
  if (count?.node === "apply" && COUNT_CONVERSIONS.has(count.operation.name))
    return literalCount(count.operands[0]);
  const isKnown = count?.node === "literal" && count.type.kind === "integer";
  return isKnown ? Math.max(0, Number(count.value)) : LONGEST_TEXT;
}

/**
 * Returns the maximum length, in bytes, of a string that is cut to the number of characters in its second
 * operand. A character has up to four bytes.
 */
export function shortened(
  [bytes = 0]: readonly number[],
  operands: readonly (CheckedExpression | undefined)[],
) {
  return Math.min(bytes, 4 * literalCount(operands[1]));
}
