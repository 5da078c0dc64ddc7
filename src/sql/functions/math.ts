import { double, type Sql, sql } from "../../engine-sql/sql-text.ts";
import { arithmetic } from "../expressions/arithmetic.ts";
import { apply, type CheckedExpression, literal, type Operation } from "../expressions/checked-expression.ts";
import { finite, toDouble } from "../expressions/doubles.ts";
import { toInteger, WIDE_BITS } from "../expressions/integers.ts";
import { naming } from "../expressions/naming.ts";
import {
  cutOff,
  cutOffAmount,
  cutOffInteger,
  roundAmount,
  roundHalfAway,
  roundInteger,
} from "../expressions/rounding.ts";
import { DOUBLE, integerType } from "../types/value-type.ts";
import type { Overload, SqlFunction } from "./sql-function.ts";

type Example = SqlFunction["example"];
type Print = (...operands: Sql[]) => Sql;

interface NumberFunction {
  doc: string;
  print: Print;
  copies?: number;
  weight?: number;
  example: Example;
  synonyms?: readonly string[];
}

/**
 * Declares a function of one number, in double precision. Its result is null where the function is undefined.
 */
function ofDouble(
  name: string,
  { doc, print, copies = 1, example, synonyms = [] }: NumberFunction,
): SqlFunction {
  const operation = finite({ name, print, copies });
  const call = (value: CheckedExpression) => apply(operation, DOUBLE, toDouble(value));
  return {
    name,
    synonyms,
    signature: `${name}(number)`,
    doc,
    example,
    overloads: [{ takes: ["number"], call }],
  };
}

function ofTwoDoubles(
  name: string,
  signature: string,
  { doc, print, weight = 1, example, synonyms = [] }: NumberFunction,
): SqlFunction {
  const operation = finite({ name, print, weight });
  const call = (first: CheckedExpression, second: CheckedExpression) =>
    apply(operation, DOUBLE, toDouble(first), toDouble(second));
  return { name, synonyms, signature, doc, example, overloads: [{ takes: ["number", "number"], call }] };
}

const same = (value: CheckedExpression) => value;

/** Declares a function that leaves whole numbers unchanged. */
function ofFractions(name: string, { doc, print, example, synonyms = [] }: NumberFunction): SqlFunction {
  const call = (value: CheckedExpression) => apply({ name, print }, DOUBLE, value);
  const overloads: Overload[] = [
    { takes: ["double"], call },
    { takes: ["number"], call: same },
  ];
  return { name, synonyms, signature: `${name}(number)`, doc, example, overloads };
}

const ABSOLUTE: Operation = { name: "abs", print: (value) => sql`abs(${value})` };

function absolute(value: CheckedExpression): CheckedExpression {
  if (value.type.kind === "double") return apply(ABSOLUTE, DOUBLE, value);
  if (value.type.kind !== "integer") return value;
  return apply(ABSOLUTE, value.type, toInteger(value, value.type.bits));
}

const SIGN_OF: Operation = { name: "sign", print: (value) => sql`sign(${value})` };
const signOf = (value: CheckedExpression) =>
  apply(SIGN_OF, integerType(1), value.type.kind === "sum" ? toDouble(value) : value);

/**
 * Maximum number of places. Doubles have 15 exact decimal digits, and few whole numbers other than amounts
 * have more digits.
 */
const MOST_PLACES = 15;

function placesProblem(_value: CheckedExpression, places: CheckedExpression): string | null {
  const given = placesOf(places);
  if (Number.isInteger(given) && Math.abs(given) <= MOST_PLACES) return null;
  return `the places must be a whole number from -${MOST_PLACES} to ${MOST_PLACES}, not a column`;
}

const placesOf = (places: CheckedExpression) =>
  places.node === "literal" ? Number(places.value) : Number.NaN;

type ToPlaces = (value: CheckedExpression, places: number) => CheckedExpression;

function toPlaces(toDoublePlaces: ToPlaces, toZeros: ToPlaces, toAmountZeros: ToPlaces): Overload["call"] {
  return (value, places) => {
    const digits = places === undefined ? 0 : placesOf(places);
    const { kind } = value.type;
    if (kind === "double") return toDoublePlaces(value, digits);
    if (digits >= 0) return value;
    if (kind === "integer") return toZeros(value, -digits);
    return kind === "amount" ? toAmountZeros(value, -digits) : toDoublePlaces(toDouble(value), digits);
  };
}

function roundWhole(value: CheckedExpression, zeros: number): CheckedExpression {
  const fits = value.type.kind === "integer" && value.type.bits < WIDE_BITS;
  return fits ? roundInteger(value, zeros) : roundHalfAway(toDouble(value), -zeros);
}

function rounding(name: string, row: Omit<NumberFunction, "print">, call: Overload["call"]): SqlFunction {
  return {
    ...row,
    name,
    signature: `${name}(number), ${name}(number, places)`,
    overloads: [
      { takes: ["number"], call },
      { takes: ["number", "integer"], problem: placesProblem, call },
    ],
  };
}

function constant(name: string, value: number, doc: string): SqlFunction {
  return {
    name,
    signature: `${name}()`,
    doc,
    example: [`ROUND(${name}(), 6)`, Math.round(value * 1e6) / 1e6],
    constant: () => literal(value, DOUBLE),
  };
}

/**
 * Doubles other than 0 are between 2^-1074 and 2^1024 in size. Results far outside that range are handled
 * separately, because the engine's power is wrong there.
 */
const POWER = naming(
  [[sql`e`, sql`y * log2(abs(x))`]],
  sql`multiIf(x < 0 AND trunc(y) != y, NULL, e > 1100, NULL, e < -1200, 0., pow(x, y))`,
);
const power = (base: Sql, exponent: Sql) => {
  const operands = [[sql`x`, base] as const, [sql`y`, exponent] as const];
  return naming(operands, POWER);
};

const GENERIC: readonly SqlFunction[] = [
  {
    name: "ABS",
    signature: "ABS(number)",
    doc: "absolute value, exact",
    example: ["ABS(-7)", 7],
    overloads: [{ takes: ["number"], call: absolute }],
  },
  ofDouble("CBRT", { doc: "cube root", print: (x) => sql`cbrt(${x})`, example: ["CBRT(27)", 3] }),
  ofFractions("CEIL", {
    synonyms: ["CEILING"],
    doc: "the smallest integer not below the number",
    // The engine rounds -0.5 to -0, which it would group separately from 0.
    print: (x) => sql`(ceil(${x}) + 0.)`,
    example: ["CEIL(2.1)", 3],
  }),
  constant("E", Math.E, "the base of natural logarithms"),
  ofDouble("EXP", {
    doc: "e to the power of the number",
    print: (x) => sql`exp(${x})`,
    example: ["EXP(0)", 1],
  }),
  ofDouble("EXPM1", {
    doc: "e to the power of the number, minus 1; accurate near 0",
    // 2 e^(x/2) sinh(x/2) is the same, and keeps the digits near 0. It fails far below 0, where sinh is
    // infinite and e^x is 0.
    print: (x) => sql`if(abs(${x}) < 1, 2 * exp(${x} / 2) * sinh(${x} / 2), exp(${x}) - 1)`,
    copies: 4,
    example: ["EXPM1(0)", 0],
  }),
  ofFractions("FLOOR", {
    doc: "the largest integer not above the number",
    print: (x) => sql`floor(${x})`,
    example: ["FLOOR(-2.1)", -3],
  }),
  ofDouble("LN", {
    synonyms: ["LOG"],
    doc: "natural logarithm; null for 0 and negative numbers",
    print: (x) => sql`log(${x})`,
    example: ["LN(1)", 0],
  }),
  ofDouble("LOG10", {
    doc: "base-10 logarithm; null for 0 and negative numbers",
    print: (x) => sql`log10(${x})`,
    example: ["LOG10(1000)", 3],
  }),
  {
    name: "MOD",
    signature: "MOD(number, number)",
    doc: "remainder with the sign of the first number, like a % b; null for MOD(a, 0)",
    example: ["MOD(-7, 3)", -1],
    overloads: [{ takes: ["number", "number"], call: (a, b) => arithmetic("%", a, b) }],
  },
  constant("PI", Math.PI, "the ratio of a circle's circumference to its diameter"),
  ofTwoDoubles("POWER", "POWER(number, exponent)", {
    synonyms: ["POW"],
    doc: "the number to the power of the exponent, in double precision; null if the result is not finite",
    print: power,
    weight: 24,
    example: ["POWER(2, 10)", 1024],
  }),
  rounding(
    "ROUND",
    {
      doc: "the number rounded to the given number of decimal places (default 0; negative: left of the decimal point); halves, judged by the number's decimal digits, are rounded away from zero; integers stay exact; null if a rounded amount would be 2^256 or more",
      example: ["ROUND(-2.345, 2)", -2.35],
    },
    toPlaces(roundHalfAway, roundWhole, roundAmount),
  ),
  {
    name: "SIGN",
    synonyms: ["SIGNUM"],
    signature: "SIGN(number)",
    doc: "-1, 0 or 1",
    example: ["SIGN(-2.5)", -1],
    overloads: [{ takes: ["number"], call: signOf }],
  },
  ofDouble("SQRT", {
    doc: "square root; null for negative numbers",
    print: (x) => sql`sqrt(${x})`,
    example: ["SQRT(16)", 4],
  }),
  rounding(
    "TRUNCATE",
    {
      synonyms: ["TRUNC"],
      doc: "the number truncated to the given number of decimal places (default 0; negative: left of the decimal point); integers stay exact",
      example: ["TRUNCATE(-2.349, 2)", -2.34],
    },
    toPlaces(cutOff, cutOffInteger, cutOffAmount),
  ),
];

const angle = (name: string, doc: string, print: Print, example: Example) =>
  ofDouble(name, { doc, print, example });

const RADIANS_PER_DEGREE = double(Math.PI / 180);

const TRIGONOMETRIC: readonly SqlFunction[] = [
  angle("ACOS", "arc cosine in radians; null outside -1 to 1", (x) => sql`acos(${x})`, ["ACOS(1)", 0]),
  angle("ASIN", "arc sine in radians; null outside -1 to 1", (x) => sql`asin(${x})`, ["ASIN(0)", 0]),
  angle("ATAN", "arc tangent in radians", (x) => sql`atan(${x})`, ["ATAN(0)", 0]),
  ofTwoDoubles("ATAN2", "ATAN2(y, x)", {
    doc: "angle of the point (x, y) in radians",
    print: (y, x) => sql`atan2(${y}, ${x})`,
    example: ["ATAN2(0, 1)", 0],
  }),
  angle("COS", "cosine of an angle in radians", (x) => sql`cos(${x})`, ["COS(0)", 1]),
  angle("COSH", "hyperbolic cosine", (x) => sql`cosh(${x})`, ["COSH(0)", 1]),
  angle("COT", "cotangent of an angle in radians; null for 0", (x) => sql`(1 / tan(${x}))`, ["COT(0)", null]),
  angle("DEGREES", "degrees, from an angle in radians", (x) => sql`(${x} / ${RADIANS_PER_DEGREE})`, [
    "DEGREES(PI())",
    180,
  ]),
  angle("RADIANS", "radians, from an angle in degrees", (x) => sql`(${x} * ${RADIANS_PER_DEGREE})`, [
    "RADIANS(0)",
    0,
  ]),
  angle("SIN", "sine of an angle in radians", (x) => sql`sin(${x})`, ["SIN(0)", 0]),
  angle("SINH", "hyperbolic sine", (x) => sql`sinh(${x})`, ["SINH(0)", 0]),
  angle("TAN", "tangent of an angle in radians", (x) => sql`tan(${x})`, ["TAN(0)", 0]),
];

/** Functions of numbers. */
export const MATH: readonly SqlFunction[] = [...GENERIC, ...TRIGONOMETRIC];
