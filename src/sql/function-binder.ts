import type { Checked } from "./checked.ts";
import { FUNCTIONS, functionOf, type Overload, type SqlFunction } from "./functions.ts";
import { insideAggregate, type Scope } from "./scope.ts";
import { expressionText } from "./source-text.ts";
import { SqlError } from "./sql-error.ts";
import { didYouMean } from "./suggestion.ts";
import type { Expression, ExpressionOf } from "./syntax.ts";
import { typeName } from "./value-type.ts";

type Call = ExpressionOf<"call">;
type Bind = (expression: Expression, scope: Scope) => Checked;

/** Finds the function and the overload that takes these arguments. Throws SqlError. */
export function bindCall(call: Call, scope: Scope, bind: Bind): Checked {
  const declared = functionOf(call.name) ?? unknownFunction(call);
  if (declared.aggregate && scope.aggregatesRefused !== null) {
    throw new SqlError(call.at, `${declared.name} ${scope.aggregatesRefused}`);
  }
  const inner = declared.aggregate ? insideAggregate(scope) : scope;
  const operands = call.operands.map((operand) => bind(operand, inner));
  if (declared.constant !== undefined && operands.length === 0 && !call.star)
    return declared.constant(scope.now);
  const form = formOf(call);
  const overload = declared.overloads.find(
    (candidate) => candidate.form === form && takes(candidate, operands),
  );
  if (overload === undefined) return misused(declared, call, operands);
  const complaint = overload.complaint?.(...operands) ?? null;
  if (complaint !== null) throw new SqlError(call.at, `${declared.name}: ${complaint}`);
  return overload.call(...operands);
}

function formOf({ star, distinct }: Call): Overload["form"] {
  if (star) return "*";
  return distinct ? "DISTINCT" : undefined;
}

function takes({ takes }: Overload, operands: readonly Checked[]): boolean {
  if (takes.length !== operands.length) return false;
  return operands.every(({ type }, i) => {
    const taken = takes[i];
    return taken === type.kind || (taken === "any" && type.kind !== "interval");
  });
}

function unknownFunction({ name, at }: Call): never {
  const names = FUNCTIONS.map((declared) => declared.name);
  const shown = name.length > 60 ? `${name.slice(0, 60)}…` : name;
  const known = didYouMean(name, names) || `; functions: ${names.join(", ")}`;
  throw new SqlError(at, `there is no function "${shown}"${known}`);
}

function misused({ name, signature }: SqlFunction, call: Call, operands: readonly Checked[]): never {
  const found = operands.map(({ type }, i) => {
    const operand = call.operands[i];
    return operand === undefined ? "" : `${expressionText(operand)} (${typeName(type)})`;
  });
  const shown = call.star ? "*" : `${call.distinct ? "DISTINCT " : ""}${found.join(", ")}`;
  throw new SqlError(call.at, `${name} is used as ${signature}; found ${name}(${shown})`);
}
