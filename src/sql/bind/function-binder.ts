import { asQuestion, nearestName } from "../../lib/names/suggestion.ts";
import type { Alternative } from "../expressions/alternatives.ts";
import { type CheckedExpression, literal } from "../expressions/checked-expression.ts";
import { plainText } from "../expressions/conversions.ts";
import type { Operand } from "../expressions/literal-coercion.ts";
import { isStorable } from "../expressions/stored-times.ts";
import { FUNCTION_NAMES, functionOf } from "../functions/functions.ts";
import type { Choice, Overload, ParameterType, SqlFunction } from "../functions/sql-function.ts";
import { findTimePart, TIME_PARTS, timePart } from "../functions/time-parts.ts";
import { expressionText } from "../syntax/source-text.ts";
import { SqlError } from "../syntax/sql-error.ts";
import type { Expression, ExpressionOf, Name } from "../syntax/syntax-tree.ts";
import { parseIsoTime } from "../types/time-text.ts";
import { isNumber, TIME, typeName } from "../types/value-type.ts";
import { insideAggregate, type Scope } from "./scope.ts";

type Call = ExpressionOf<"call">;

type Bind<T> = (expression: Expression, scope: Scope) => T;

/** Finds the function and the overload that accepts these arguments. Throws SqlError. */
export function bindCall(
  call: Call,
  scope: Scope,
  bindExpression: Bind<CheckedExpression>,
  bindAlternative: Bind<Alternative>,
): CheckedExpression {
  const declared = functionOf(call.name) ?? unknownFunction(call);
  if (declared.aggregate && scope.aggregatesRefused !== null) {
    throw new SqlError(call.at, `${declared.name} ${scope.aggregatesRefused}`);
  }
  const inner = declared.aggregate ? insideAggregate(scope) : scope;
  if (declared.choice !== undefined && formOf(call) === undefined) {
    return bindChoice(declared, declared.choice, call, (operand) => bindAlternative(operand, inner));
  }
  const operands = call.operands.map((operand) => bindExpression(operand, inner));
  if (declared.constant !== undefined && operands.length === 0 && !call.star) {
    return declared.constant(scope.now());
  }
  return overloaded(declared, call, declared.aggregate ? operands : operands.map(plainOfDictionary));
}

function overloaded(
  declared: SqlFunction,
  call: Call,
  operands: readonly CheckedExpression[],
): CheckedExpression {
  const form = formOf(call);
  const candidates = (declared.overloads ?? []).filter((overload) => overload.form === form);
  for (const convert of [exactArgument, convertedArgument]) {
    for (const overload of candidates) {
      const converted = convertArguments(overload, operands, convert);
      if (converted === null) continue;
      const problem = overload.problem?.(...converted) ?? null;
      if (problem !== null) throw new SqlError(call.at, `${declared.name}: ${problem}`);
      return overload.call(...converted);
    }
  }
  return misused(declared, call, operands);
}

function plainOfDictionary(operand: CheckedExpression): CheckedExpression {
  return operand.type.kind === "text" ? plainText(operand) : operand;
}

function bindChoice(
  declared: SqlFunction,
  { least, most, choose }: Choice,
  call: Call,
  bindAlternative: (operand: Expression) => Alternative,
): CheckedExpression {
  const { length } = call.operands;
  if (length >= least && length <= most) {
    return choose(call.operands.map(bindAlternative), call);
  }
  const found = `${length} argument${length === 1 ? "" : "s"}`;
  throw new SqlError(call.at, `expected ${declared.signature}; found ${found}`);
}

/** Binds `EXTRACT(part FROM time)`. */
export function extract(part: Name, operand: Operand): CheckedExpression {
  const found = findTimePart(part.text);
  if (found === null) {
    const names = TIME_PARTS.map(({ name }) => name);
    const suggestion = nearestName(part.text, names);
    const known =
      asQuestion(suggestion) || `; parts: ${names.join(", ")}; CAST(time AS BIGINT) gives unix seconds`;
    const shown = part.text.slice(0, 60);
    throw new SqlError(part.at, `times have no part "${shown}"${known}`, { found: shown, suggestion });
  }
  const time = convertedArgument("time", operand.value);
  if (time !== null) return timePart(found, time);
  throw new SqlError(
    operand.at,
    `EXTRACT takes a time, found ${operand.text} (${typeName(operand.value.type)})`,
  );
}

function formOf({ star, distinct }: Call): Overload["form"] {
  if (star) return "*";
  return distinct ? "DISTINCT" : undefined;
}

/** Returns the operand as an argument of the type, or null if it does not fit. */
type Convert = (type: ParameterType, operand: CheckedExpression) => CheckedExpression | null;

function convertArguments(
  { takes, rest }: Overload,
  operands: readonly CheckedExpression[],
  convert: Convert,
): CheckedExpression[] | null {
  if (operands.length < takes.length || (rest === undefined && operands.length > takes.length)) return null;
  const converted: CheckedExpression[] = [];
  for (const [i, operand] of operands.entries()) {
    const type = takes[i] ?? rest;
    const value = type === undefined ? null : convert(type, operand);
    if (value === null) return null;
    converted.push(value);
  }
  return converted;
}

function exactArgument(wanted: ParameterType, operand: CheckedExpression): CheckedExpression | null {
  const { type } = operand;
  const fits =
    wanted === type.kind ||
    (wanted === "any" && type.kind !== "interval") ||
    (wanted === "number" && isNumber(type));
  return fits ? operand : null;
}

/**
 * Like `exactArgument`, but also converts hex bytes to text, and a text literal to the time that it contains.
 */
function convertedArgument(wanted: ParameterType, operand: CheckedExpression): CheckedExpression | null {
  if (wanted === "text" && operand.type.kind === "bytes") return plainText(operand);
  if (wanted !== "time" || operand.node !== "literal" || operand.type.kind !== "text") {
    return exactArgument(wanted, operand);
  }
  const seconds = Math.floor(parseIsoTime(String(operand.value)) ?? -1);
  return isStorable(seconds) ? literal(seconds, TIME) : null;
}

function unknownFunction({ name, at }: Call): never {
  const shown = name.length > 60 ? `${name.slice(0, 60)}…` : name;
  const suggestion = nearestName(name, FUNCTION_NAMES);
  const known = asQuestion(suggestion) || "; docs/sql.md lists them";
  throw new SqlError(at, `there is no function "${shown}"${known}`, { found: shown, suggestion });
}

function misused(
  { name, signature }: SqlFunction,
  call: Call,
  operands: readonly CheckedExpression[],
): never {
  const found = operands.map(({ type }, i) => {
    const operand = call.operands[i];
    return operand === undefined ? "" : `${expressionText(operand)} (${typeName(type)})`;
  });
  const shown = call.star ? "*" : `${call.distinct ? "DISTINCT " : ""}${found.join(", ")}`;
  throw new SqlError(call.at, `expected ${signature}; found ${name}(${shown})`, {
    expected: signature,
    found: `${name}(${shown})`,
  });
}
