import { unknown } from "../unknown.ts";
import { shifted } from "../values/calendar.ts";
import {
  AMOUNT,
  type Compiled,
  DOUBLE,
  derived,
  isExact,
  NULL,
  TIME,
  type Type,
  wholeOf,
} from "../values/types.ts";
import { bitsOf, MOST_BITS } from "../values/whole-numbers.ts";
import { numberLiteral, read, readNumber, toDouble } from "./literals.ts";

type Operator = "+" | "-" | "*" | "%";

const WHOLE: Record<Operator, (a: bigint, b: bigint) => bigint | null> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "%": (a, b) => (b === 0n ? null : a % b),
};

const DOUBLES: Record<Operator | "/", (a: number, b: number) => number | null> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => (b === 0 ? null : a / b),
  "%": (a, b) => (Math.abs(a / b) < 2 ** 53 ? a % b : null),
};

/** Bits of the largest result, from the bits of the operands. */
const BITS: Record<Operator, (a: number, b: number) => number> = {
  "+": (a, b) => Math.max(a, b) + 1,
  "-": (a, b) => Math.max(a, b) + 1,
  "*": (a, b) => a + b,
  "%": (a) => a,
};

export const isArithmetic = (operator: string): operator is Operator | "/" => operator in DOUBLES;

export function arithmetic(operator: Operator | "/", left: Compiled, right: Compiled): Compiled {
  const shift = shiftOf(operator, left, right);
  if (shift !== undefined) return shift;
  const [a, b] = [readNumber(left), readNumber(right)];
  if (a.type.kind === "null" || b.type.kind === "null") return { type: NULL, value: () => null };
  return operator === "/" ? inDoubles(operator, a, b) : (folded(operator, a, b) ?? computed(operator, a, b));
}

function inDoubles(operator: Operator | "/", a: Compiled, b: Compiled): Compiled {
  const compute = DOUBLES[operator];
  return derived(DOUBLE, [toDouble(a), toDouble(b)], (x, y) => compute(Number(x), Number(y)));
}

function computed(operator: Operator, a: Compiled, b: Compiled): Compiled {
  const exact = exactType(operator, a.type, b.type);
  if (exact === undefined) return inDoubles(operator, a, b);
  const compute = WHOLE[operator];
  return derived(exact, [a, b], (x, y) => compute(x as bigint, y as bigint));
}

/** Computes an operation on two literals. The result is also a literal, with the bits of its own value. */
function folded(operator: Operator, a: Compiled, b: Compiled): Compiled | undefined {
  if (a.literal?.kind !== "number" || b.literal?.kind !== "number") return undefined;
  if (a.type.kind !== "whole" || b.type.kind !== "whole") return undefined;
  const [x, y] = [a, b].map((literal) => literal.value({ row: {}, group: [] }) as bigint);
  const value = x === undefined || y === undefined ? null : WHOLE[operator](x, y);
  return value === null || bitsOf(value) > MOST_BITS ? undefined : numberLiteral(String(value));
}

/**
 * Returns the exact type of a result, if it has one. Remainders of amounts by whole numbers are exact. Other
 * arithmetic on amounts uses double precision.
 */
function exactType(operator: Operator, a: Type, b: Type): Type | undefined {
  if (!isExact(a) || !isExact(b)) return undefined;
  if (operator === "%" && a.kind === "amount" && b.bits <= AMOUNT.bits)
    return a.bits > AMOUNT.bits ? undefined : a;
  if (a.kind === "amount" || b.kind === "amount") return undefined;
  const bits = BITS[operator](a.bits, b.bits);
  return Math.max(bits, a.bits, b.bits) > MOST_BITS ? undefined : wholeOf(bits);
}

/**
 * Compiles the addition of an interval to a time, or its subtraction. Returns undefined for any other
 * operation.
 */
function shiftOf(operator: string, left: Compiled, right: Compiled): Compiled | undefined {
  const [interval, time] = right.type.kind === "interval" ? [right, left] : [left, right];
  if (interval.literal?.kind !== "interval" || (operator !== "+" && operator !== "-")) return undefined;
  if (operator === "-" && interval === left) throw unknown("interval less a time");
  const { months, seconds } = interval.literal;
  const factor = operator === "-" ? -1 : 1;
  const span = { months: factor * months, seconds: factor * seconds };
  return derived(TIME, [read(time, "time")], (before) => shifted(Number(before), span));
}

export function negative(of: Compiled): Compiled {
  if (of.literal?.kind === "number") {
    const { text } = of.literal;
    return numberLiteral(text.startsWith("-") ? text.slice(1) : `-${text}`);
  }
  const number = readNumber(of);
  if (number.type.kind === "whole" && number.type.bits < MOST_BITS) {
    return derived(wholeOf(number.type.bits + 1), [number], (value) => -(value as bigint));
  }
  return number.type.kind === "null"
    ? number
    : derived(DOUBLE, [toDouble(number)], (value) => -Number(value));
}
