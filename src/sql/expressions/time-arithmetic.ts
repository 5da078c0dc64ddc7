import { integer, type Sql, sql } from "../../engine-sql/sql-text.ts";
import { addInterval, type Interval } from "../syntax/interval.ts";
import { integerType, TIME, type ValueType } from "../types/value-type.ts";
import { apply, type CheckedExpression, literal, type Operation } from "./checked-expression.ts";
import { toTime } from "./conversions.ts";
import { toInteger } from "./integers.ts";
import { isStorable } from "./stored-times.ts";

/**
 * Returns time ± interval. If the result cannot be stored, a computed time is NULL in SQL, and for a literal
 * time this function returns null.
 */
export function shiftTime(
  time: CheckedExpression,
  interval: Interval,
  sign: 1 | -1,
): CheckedExpression | null {
  if (time.node === "literal") {
    const moved = addInterval(Number(time.value), interval, sign);
    return isStorable(moved) ? literal(moved, TIME) : null;
  }
  const { months, seconds } = interval;
  const moved = months === 0 ? time : addMonths(time, integerLiteral(sign * months), 1);
  return seconds === 0 && months !== 0 ? moved : addSeconds(moved, integerLiteral(sign * seconds), 1);
}

const integerLiteral = (value: number) => literal(BigInt(value), NARROW);
const NARROW: ValueType = integerType(63);

/**
 * Numbers of months and of seconds that are longer than the range of stored times. Larger counts can be
 * clamped to them.
 */
const MOST_MONTHS = 1_644;
const MOST_SECONDS = 2 ** 33;

function clamp(value: Sql, most: number): Sql {
  return sql`toInt64(clamp(${value}, ${integer(-most)}, ${integer(most)}))`;
}

/**
 * Adds `count` times `unit` calendar months to a time. If the month does not have the day, the result is its
 * last day.
 */
export function addMonths(
  time: CheckedExpression,
  count: CheckedExpression,
  unit: number,
): CheckedExpression {
  const operation: Operation = {
    name: `add-months-${unit}`,
    weight: 8,
    print: (start, months) => {
      const moved = clamp(months, MOST_MONTHS);
      const start64 = sql`toDateTime64(${start}, 0, 'UTC')`;
      return sql`toInt64(addMonths(${start64}, ${moved} * ${integer(unit)}))`;
    },
  };
  return toTime(apply(operation, NARROW, time, wide(count)));
}

/** Adds `count` times `unit` seconds to a time. */
export function addSeconds(
  time: CheckedExpression,
  count: CheckedExpression,
  unit: number,
): CheckedExpression {
  const operation: Operation = {
    name: `add-seconds-${unit}`,
    weight: 6,
    print: (start, seconds) =>
      sql`(toUnixTimestamp(${start}) + ${clamp(seconds, MOST_SECONDS)} * ${integer(unit)})`,
  };
  return toTime(apply(operation, NARROW, time, wide(count)));
}

/**
 * Converts a count to a signed number, because the engine clamps unsigned numbers to signed bounds
 * incorrectly.
 */
function wide(count: CheckedExpression): CheckedExpression {
  return toInteger(count, count.type.kind === "integer" ? Math.max(count.type.bits, 63) : 63);
}
