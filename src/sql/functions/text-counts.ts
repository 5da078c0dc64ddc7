import { integer, type Sql, sql } from "../../engine-sql/sql-text.ts";
import { apply, type CheckedExpression, type Operation } from "../expressions/checked-expression.ts";
import { toInteger } from "../expressions/integers.ts";
import { SAFE_BITS } from "../types/value-type.ts";

/** No text has more characters than this, so larger counts can be clamped to it. */
const MOST_CHARACTERS = 2 ** 31 - 1;
const TO_COUNT: Operation = {
  name: "to-count",
  weight: 3,
  print: (count) => sql`toInt64(clamp(${count}, 0, ${integer(MOST_CHARACTERS)}))`,
};

export function countOrText(value: CheckedExpression): CheckedExpression {
  return value.type.kind === "integer" ? apply(TO_COUNT, value.type, signed(value)) : value;
}

/** Converts a whole number to a signed type, which the engine compares correctly with any other number. */
export function signed(value: CheckedExpression): CheckedExpression {
  const bits = value.type.kind === "integer" ? value.type.bits : 0;
  return toInteger(value, Math.max(bits, SAFE_BITS));
}

/** Clamps a position. Positions start at 1. */
export const position = (start: Sql) => sql`clamp(${start}, 1, ${integer(MOST_CHARACTERS)})`;
