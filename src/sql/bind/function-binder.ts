import { asQuestion, nearestName } from "../../lib/suggestion.ts";
import type { Alternative } from "../expressions/alternatives.ts";
import { type CheckedExpression, literal } from "../expressions/checked-expression.ts";
import { plainText } from "../expressions/conversions.ts";
import type { Operand } from "../expressions/literal-coercion.ts";
import { isStorable } from "../expressions/stored-times.ts";
import { FUNCTION_NAMES, functionOf } from "../functions/functions.ts";
import type { Choice, Overload, SqlFunction, Taken } from "../functions/sql-function.ts";
import { findTimePart, TIME_PARTS, timePart } from "../functions/time-parts.ts";
import { expressionText } from "../syntax/source-text.ts";
import { SqlError } from "../syntax/sql-error.ts";
import type { Expression, ExpressionOf, Name } from "../syntax/syntax-tree.ts";
import { parseIsoTime } from "../types/time-text.ts";
import { isNumber, TIME, typeName } from "../types/value-type.ts";
import { insideAggregate, type Scope } from "./scope.ts";

type Call = ExpressionOf<"call">;

/** How the arguments of a call are bound. */
interface Binding {
  bindExpression(expression: Expression, scope: Scope): CheckedExpression;
  alternative(expression: Expression, scope: Scope): Alternative;
}

/** Finds the function and the overload that takes these arguments. Throws SqlError. */
export function bindCall(call: Call, scope: Scope, binding: Binding): CheckedExpression {
  const declared = functionOf(call.name) ?? unknownFunction(call);
  if (declared.aggregate && scope.aggregatesRefused !== null) {
    throw new SqlError(call.at, `${declared.name} ${scope.aggregatesRefused}`);
  }
  const inner = declared.aggregate ? insideAggregate(scope) : scope;
  if (declared.choice !== undefined && formOf(call) === undefined) {
    return bindChoice(declared, declared.choice, { call, scope: inner, binding });
  }
  const operands = call.operands.map((operand) => binding.bindExpression(operand, inner));
  if (declared.constant !== undefined && operands.length === 0 && !call.star) {
    return declared.constant(scope.now);
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
  for (const read of [exactly, liberally]) {
    for (const overload of candidates) {
      const taken = take(overload, operands, read);
      if (taken === null) continue;
      const complaint = overload.complaint?.(...taken) ?? null;
      if (complaint !== null) throw new SqlError(call.at, `${declared.name}: ${complaint}`);
      return overload.call(...taken);
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
  { call, scope, binding }: { call: Call; scope: Scope; binding: Binding },
): CheckedExpression {
  const { length } = call.operands;
  if (length >= least && length <= most) {
    return choose(
      call.operands.map((operand) => binding.alternative(operand, scope)),
      call,
    );
  }
  const found = `${length} argument${length === 1 ? "" : "s"}`;
  throw new SqlError(call.at, `${declared.name} is used as ${declared.signature}; found ${found}`);
}

/** `EXTRACT(part FROM time)`. */
export function extract(part: Name, operand: Operand): CheckedExpression {
  const found = findTimePart(part.text);
  if (found === null) {
    const names = TIME_PARTS.map(({ name }) => name);
    const suggestion = nearestName(part.text, names);
    const known =
      asQuestion(suggestion) || `; parts: ${names.join(", ")}; CAST(time AS BIGINT) is unix seconds`;
    const shown = part.text.slice(0, 60);
    throw new SqlError(part.at, `times have no part "${shown}"${known}`, { found: shown, suggestion });
  }
  const time = liberally("time", operand.value);
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

type Read = (taken: Taken, operand: CheckedExpression) => CheckedExpression | null;

function take(
  { takes, rest }: Overload,
  operands: readonly CheckedExpression[],
  read: Read,
): CheckedExpression[] | null {
  if (operands.length < takes.length || (rest === undefined && operands.length > takes.length)) return null;
  const taken: CheckedExpression[] = [];
  for (const [i, operand] of operands.entries()) {
    const wanted = takes[i] ?? rest;
    const value = wanted === undefined ? null : read(wanted, operand);
    if (value === null) return null;
    taken.push(value);
  }
  return taken;
}

function exactly(taken: Taken, operand: CheckedExpression): CheckedExpression | null {
  const { type } = operand;
  const fits =
    taken === type.kind ||
    (taken === "any" && type.kind !== "interval") ||
    (taken === "number" && isNumber(type));
  return fits ? operand : null;
}

/** Hex bytes as their text, and a text in quotes as the time that it is. */
function liberally(taken: Taken, operand: CheckedExpression): CheckedExpression | null {
  if (taken === "text" && operand.type.kind === "bytes") return plainText(operand);
  if (taken !== "time" || operand.node !== "literal" || operand.type.kind !== "text") {
    return exactly(taken, operand);
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
  throw new SqlError(call.at, `${name} is used as ${signature}; found ${name}(${shown})`, {
    expected: signature,
    found: `${name}(${shown})`,
  });
}
