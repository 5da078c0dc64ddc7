import { type Sql, sql, text } from "../../engine-sql/sql-text.ts";

/**
 * Sums of amounts easily exceed 2^256, because any contract can claim any amount. The digits above and below
 * 10^38 are therefore added separately, and each part has room for 2^64 rows. Tuples compare from the left,
 * like numbers.
 */
const SUM_SPLIT = 10n ** 38n;
const SPLIT = wide(SUM_SPLIT);

function wide(value: bigint): Sql {
  return sql`toUInt256(${text(String(value))})`;
}

const high = (sum: Sql) => sql`tupleElement(${sum}, 1)`;
const low = (sum: Sql) => sql`tupleElement(${sum}, 2)`;

/** Prints a sum whose value is known. */
export function printSumLiteral(value: bigint): Sql {
  return sql`tuple(${wide(value / SUM_SPLIT)}, ${wide(value % SUM_SPLIT)})`;
}

/** Prints an amount in the form of a sum. */
export function printAmountAsSum(amount: Sql): Sql {
  return sql`tuple(intDiv(${amount}, ${SPLIT}), ${amount} % ${SPLIT})`;
}

/** Prints the sum of a group's amounts. */
export function printSumOfAmounts(amount: Sql): Sql {
  const lowSum = sql`sumOrNull(${amount} % ${SPLIT})`;
  const highSum = sql`(sumOrNull(intDiv(${amount}, ${SPLIT})) + intDiv(${lowSum}, ${SPLIT}))`;
  return sql`tuple(${highSum}, ${lowSum} % ${SPLIT})`;
}

/** Prints the decimal digits of a sum. */
export function printSumDigits(sum: Sql): Sql {
  return sql`if(${high(sum)} > 0, concat(toString(${high(sum)}), leftPad(toString(${low(sum)}), 38, '0')), toString(${low(sum)}))`;
}

export function printSumAsDouble(sum: Sql): Sql {
  return sql`(toFloat64(${high(sum)}) * 1e38 + toFloat64(${low(sum)}))`;
}
