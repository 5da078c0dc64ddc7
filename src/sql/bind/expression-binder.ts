import { type Alternative, choose, unifyAlternatives } from "../expressions/alternatives.ts";
import { arithmetic } from "../expressions/arithmetic.ts";
import { type CheckedExpression, literal, sizeOf } from "../expressions/checked-expression.ts";
import { compare, compareIn } from "../expressions/comparison.ts";
import { and, isNull, like, likePattern, matches, negateIf, not, or } from "../expressions/conditions.ts";
import { isStoredText, toHexText } from "../expressions/conversions.ts";
import { fitsInteger, integerLiteral } from "../expressions/integers.ts";
import type { Operand } from "../expressions/literal-coercion.ts";
import { shiftTime } from "../expressions/time-arithmetic.ts";
import { expressionText } from "../syntax/source-text.ts";
import { type Position, SqlError } from "../syntax/sql-error.ts";
import type { Expression, ExpressionOf } from "../syntax/syntax-tree.ts";
import { BOOLEAN, DOUBLE, isNumber, TEXT, typeName } from "../types/value-type.ts";
import { cast } from "./casts.ts";
import { bindCall, extract } from "./function-binder.ts";
import {
  likeChoices,
  likeSteps,
  PatternError,
  type TranslatedPattern,
  translatePattern,
} from "./regular-expression.ts";
import { resolve, type Scope } from "./scope.ts";
import { tooLarge } from "./size-budget.ts";

/** Resolves the names of an expression, and checks its types and size. Throws SqlError. */
export function bindExpression(expression: Expression, scope: Scope): CheckedExpression {
  const bound = bindNode(expression, scope);
  if (sizeOf(bound) <= scope.nodes) return bound;
  throw new SqlError(expression.at, `this expression ${tooLarge(scope.nodes)}`);
}

function bindNode(expression: Expression, scope: Scope): CheckedExpression {
  switch (expression.node) {
    case "column":
      return resolve(expression, scope);
    case "number":
      return bindNumber(expression);
    case "text":
      return literal(expression.text, TEXT);
    case "boolean":
      return literal(expression.value, BOOLEAN);
    case "null":
      throw new SqlError(expression.at, UNTYPED_NULL);
    case "interval":
      return literal(expression.text, { kind: "interval", interval: expression.interval });
    case "call":
      return bindCall(expression, scope, bindExpression, bindAlternative);
    case "case":
      return bindCase(expression, scope);
    case "cast":
      return cast(operand(expression.operand, scope), expression.target);
    case "extract":
      return extract(expression.part, operand(expression.operand, scope));
    case "negation":
      return bindNegation(expression, scope);
    case "arithmetic":
      return bindArithmetic(expression, scope);
    default:
      return bindPredicate(expression, scope);
  }
}

/** NULL takes its type from the values that it is used with. */
const UNTYPED_NULL =
  "NULL has no type here: use it with other values, as in COALESCE, IIF, CASE or NULLIF, or test for it with IS NULL";

/** Binds a condition: an expression that is true, false or null. */
export function bindCondition(expression: Expression, scope: Scope, clause: string): CheckedExpression {
  const bound = bindExpression(expression, scope);
  if (bound.type.kind === "boolean") return bound;
  throw new SqlError(
    expression.at,
    `${clause} takes a condition, found ${expressionText(expression)} (${typeName(bound.type)})`,
  );
}

type Predicate = ExpressionOf<
  "comparison" | "and" | "or" | "not" | "in" | "between" | "is-null" | "like" | "rlike"
>;

function bindPredicate(predicate: Predicate, scope: Scope): CheckedExpression {
  switch (predicate.node) {
    case "comparison":
      return compare(predicate.sign, compared(predicate.left, scope), compared(predicate.right, scope));
    case "and":
    case "or": {
      const terms = predicate.terms.map((term) => bindCondition(term, scope, predicate.node.toUpperCase()));
      return predicate.node === "and" ? and(...terms) : or(...terms);
    }
    case "not":
      return not(bindCondition(predicate.operand, scope, "NOT"));
    case "in": {
      const items = predicate.items.map((item) => compared(item, scope));
      return negateIf(predicate.negated, compareIn(compared(predicate.operand, scope), items));
    }
    case "between":
      return bindBetween(predicate, scope);
    case "is-null":
      return negateIf(predicate.negated, isNull(bindExpression(predicate.operand, scope)));
    case "like":
      return negateIf(predicate.negated, bindLike(predicate, scope));
    case "rlike":
      return negateIf(predicate.negated, bindRlike(predicate, scope));
  }
}

function operand(expression: Expression, scope: Scope): Operand {
  const value = bindExpression(expression, scope);
  // Only errors use the text. Writing it eagerly at every nesting level would take quadratic time.
  return {
    value,
    at: expression.at,
    get text() {
      return expressionText(expression);
    },
  };
}

/** Binds an operand of a comparison, which must not be NULL. */
function compared(expression: Expression, scope: Scope): Operand {
  if (expression.node !== "null") return operand(expression, scope);
  throw new SqlError(expression.at, "NULL equals nothing: use IS NULL or IS NOT NULL");
}

function bindBetween(between: ExpressionOf<"between">, scope: Scope): CheckedExpression {
  const value = compared(between.operand, scope);
  const low = compare(">=", value, compared(between.low, scope));
  const high = compare("<=", value, compared(between.high, scope));
  return negateIf(between.negated, and(low, high));
}

function bindLike(
  { operand, pattern, escapeChar, at }: ExpressionOf<"like">,
  scope: Scope,
): CheckedExpression {
  const value = bindExpression(operand, scope);
  const isBytes = value.type.kind === "bytes";
  if (!isBytes && value.type.kind !== "text") {
    throw new SqlError(at, `LIKE takes text, found ${expressionText(operand)} (${typeName(value.type)})`);
  }
  if (pattern.node !== "text") throw new SqlError(pattern.at, "LIKE takes a pattern in single quotes");
  const translated = likePattern(isBytes ? pattern.text.toLowerCase() : pattern.text, escapeChar);
  if (translated === null) {
    throw new SqlError(pattern.at, `in this pattern ${escapeChar} must be followed by %, _ or ${escapeChar}`);
  }
  const text = isBytes ? toHexText(value) : value;
  const steps = likeSteps(translated);
  scope.patterns.add(steps, pattern.at);
  const choices = likeChoices(translated, isStoredText(text));
  return like(text, literal(translated, TEXT), { steps, choices });
}

/**
 * Binds RLIKE: the whole text must match, a dot matches any character, and hex bytes match as `0x…` text in
 * upper or lower case.
 */
function bindRlike({ operand, pattern, at }: ExpressionOf<"rlike">, scope: Scope): CheckedExpression {
  const value = bindExpression(operand, scope);
  const isBytes = value.type.kind === "bytes";
  if (!isBytes && value.type.kind !== "text") {
    throw new SqlError(at, `RLIKE takes text, found ${expressionText(operand)} (${typeName(value.type)})`);
  }
  if (pattern.node !== "text") throw new SqlError(pattern.at, "RLIKE takes a pattern in single quotes");
  const text = isBytes ? toHexText(value) : value;
  const translated = translate(pattern, isStoredText(text));
  scope.patterns.add(translated.size, pattern.at);
  const whole = `^(?${isBytes ? "is" : "s"}:${translated.text})$`;
  return matches(text, literal(whole, TEXT), translated.work);
}

function translate({ text, at }: ExpressionOf<"text">, isStored: boolean): TranslatedPattern {
  try {
    return translatePattern(text, isStored);
  } catch (error) {
    if (error instanceof PatternError)
      throw new SqlError(at, `this pattern cannot be used: ${error.message}`);
    throw error;
  }
}

function bindCase(expression: ExpressionOf<"case">, scope: Scope): CheckedExpression {
  const { operand: subject, branches, otherwise } = expression;
  const tested = subject === null ? null : operand(subject, scope);
  const conditions = branches.map(({ condition }) =>
    tested === null
      ? bindCondition(condition, scope, "WHEN")
      : compare("=", tested, operand(condition, scope)),
  );
  const values = branches.map(({ value }) => bindAlternative(value, scope));
  values.push(otherwise === null ? null : bindAlternative(otherwise, scope));
  return choose(conditions, unifyAlternatives(values, expression));
}

/** Binds a value that may be NULL. The other values determine the type of NULL. */
function bindAlternative(expression: Expression, scope: Scope): Alternative {
  return expression.node === "null" ? null : operand(expression, scope);
}

function bindNumber({ text, at }: ExpressionOf<"number">): CheckedExpression {
  const whole = wholeNumber(text);
  if (whole !== null && fitsInteger(whole)) return integerLiteral(whole);
  const value = Number(text);
  // Plain digits must be exact; a number with an exponent may be a double.
  if (/^\d+$/.test(text) || !Number.isFinite(value)) throw new SqlError(at, "this number is too large");
  return literal(value, DOUBLE);
}

/**
 * Reads a number such as `12` or `1e18` as a whole number. Accepts up to 78 digits, the length of 2^256,
 * before the exponent. Returns null for any other number.
 */
function wholeNumber(text: string): bigint | null {
  const match = /^(\d{1,78})(?:[eE]\+?(\d{1,2}))?$/.exec(text);
  if (match === null) return null;
  return BigInt(match[1] ?? 0) * 10n ** BigInt(match[2] ?? 0);
}

function bindNegation({ operand, at }: ExpressionOf<"negation">, scope: Scope): CheckedExpression {
  const value = bindExpression(operand, scope);
  if (value.type.kind === "interval") throw new SqlError(at, "write the sign inside: INTERVAL -1 DAY");
  if (!isNumber(value.type))
    throw new SqlError(at, `a minus sign takes a number, found ${typeName(value.type)}`);
  if (value.node === "literal" && typeof value.value === "number") return literal(-value.value, DOUBLE);
  return arithmetic("-", integerLiteral(0n), value);
}

function bindArithmetic(expression: ExpressionOf<"arithmetic">, scope: Scope): CheckedExpression {
  const { sign, at } = expression;
  const left = bindExpression(expression.left, scope);
  const right = bindExpression(expression.right, scope);
  if (isNumber(left.type) && isNumber(right.type)) return arithmetic(sign, left, right);
  const moved = moveTime(expression, left, right);
  if (moved !== null) return moved;
  const [first, second] = [expression.left, expression.right].map(expressionText);
  throw new SqlError(
    at,
    `"${sign}" takes numbers, found ${first} (${typeName(left.type)}) and ${second} (${typeName(right.type)})`,
  );
}

/** Binds time ± interval. Returns null for operands of other kinds. */
function moveTime(
  { sign, at }: ExpressionOf<"arithmetic">,
  left: CheckedExpression,
  right: CheckedExpression,
): CheckedExpression | null {
  const [time, interval] = left.type.kind === "interval" && sign === "+" ? [right, left] : [left, right];
  if (time.type.kind !== "time" || interval.type.kind !== "interval") return null;
  if (sign !== "+" && sign !== "-") return null;
  return shiftTime(time, interval.type.interval, sign === "+" ? 1 : -1) ?? outOfTime(at);
}

function outOfTime(at: Position): never {
  throw new SqlError(at, "this time is outside the years 1970 to 2106, the range of times");
}
