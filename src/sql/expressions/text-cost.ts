import type { CheckedExpression, Operation } from "./checked-expression.ts";

/** Maximum length in bytes of the texts that functions return. */
export const LONGEST_TEXT = 1_000_000;

/**
 * Estimated length of a text whose type sets no maximum, such as calldata as hex, in bytes. Few are longer.
 */
const UNBOUNDED_BYTES = 4_000;
/** Estimated length of a token symbol or protocol name, in bytes. Few are longer. */
const LABEL_BYTES = 32;
/** Upper bound for a number, a time or a condition as text, in bytes. */
const VALUE_BYTES = 80;

/**
 * Time for each byte, in nanoseconds, measured on the slowest function without an `nsPerByte`, with long
 * texts of one repeated character.
 */
const NS_PER_BYTE = 5;

interface TextCost {
  /** Maximum length of the value as text, in bytes. */
  bytes: number;
  /** Maximum time in nanoseconds that patterns and searches take to read the texts of one row. */
  scanNs: number;
  /** The same for all functions of texts, including those that only copy. */
  textNs: number;
  /** Maximum time in nanoseconds for texts that are the same for every row. */
  constantNs: number;
}

const known = new WeakMap<CheckedExpression, TextCost>();

/**
 * Estimates the cost of a value for one row; few texts are longer. The estimate determines how many rows the
 * engine computes before it can be stopped.
 */
export function textCost(value: CheckedExpression): TextCost {
  const before = known.get(value);
  if (before !== undefined) return before;
  const cost =
    value.node === "apply"
      ? costOf(value)
      : { bytes: storedBytes(value), scanNs: 0, textNs: 0, constantNs: 0 };
  known.set(value, cost);
  return cost;
}

function storedBytes(value: Exclude<CheckedExpression, { node: "apply" }>): number {
  const { type } = value;
  if (value.node === "literal") return Buffer.byteLength(String(value.value));
  if (type.kind === "bytes") return type.lengths === null ? UNBOUNDED_BYTES / 2 : Math.max(...type.lengths);
  if (type.kind === "text") return type.dictionary ? LABEL_BYTES : UNBOUNDED_BYTES;
  return VALUE_BYTES;
}

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
  if (!hasTexts) return { bytes: VALUE_BYTES, ...earlier };
  const read = costs.reduce((sum, { bytes }) => sum + bytes, 0);
  const made = Math.min(LONGEST_TEXT, bytesMade(operation, costs, operands) ?? read + VALUE_BYTES);
  const bytes = type.kind === "text" ? made : VALUE_BYTES;
  const ns = (operation.nsPerByte ?? NS_PER_BYTE) * read + NS_PER_BYTE * bytes;
  if (isConstant) return { bytes, ...earlier, constantNs: earlier.constantNs + ns };
  const scanNs = earlier.scanNs + (operation.nsPerByte === undefined ? 0 : ns);
  return { bytes, ...earlier, scanNs, textNs: earlier.textNs + ns };
}

function bytesMade(
  { longest }: Operation,
  costs: readonly TextCost[],
  operands: readonly CheckedExpression[],
): number | null {
  return (
    longest?.(
      costs.map(({ bytes }) => bytes),
      operands,
    ) ?? null
  );
}

/** Conversions that leave a count unchanged if it is not negative. */
const COUNT_CONVERSIONS: ReadonlySet<string> = new Set(["to-count", "to-int64", "to-int256"]);

/**
 * Returns the value of a literal count, without its conversion. Returns the maximum length of a text for any
 * other count.
 */
export function literalCount(count: CheckedExpression | undefined): number {
  if (count?.node === "apply" && COUNT_CONVERSIONS.has(count.operation.name))
    return literalCount(count.operands[0]);
  const isKnown = count?.node === "literal" && count.type.kind === "integer";
  return isKnown ? Math.max(0, Number(count.value)) : LONGEST_TEXT;
}

/**
 * Returns the maximum length, in bytes, of a text that is cut to the number of characters in its second
 * operand. A character has up to four bytes.
 */
export function shortened(
  [bytes = 0]: readonly number[],
  operands: readonly (CheckedExpression | undefined)[],
) {
  return Math.min(bytes, 4 * literalCount(operands[1]));
}
