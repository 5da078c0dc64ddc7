import { AGGREGATES } from "../functions/aggregates.ts";
import { callFunction } from "../functions/functions.ts";
import { arithmetic, isArithmetic, negative } from "../operators/arithmetic.ts";
import { cast } from "../operators/casts.ts";
import { and, choose, compare, fits, isNull, NOTHING, not, or } from "../operators/conditions.ts";
import { numberLiteral, textLiteral } from "../operators/literals.ts";
import { likePattern, wholePattern } from "../operators/patterns.ts";
import { type Expression, partsOf } from "../parse/syntax.ts";
import { unknown } from "../unknown.ts";
import { CONDITION, type Compiled, constant } from "../values/types.ts";

/** The meaning of names in a clause. */
export interface Names {
  compile(name: string): Compiled;
  /** The meaning of names within an aggregate, where other aggregates are not allowed. */
  withinAggregate: Names;
  now: number;
}

export function compileExpression(expression: Expression, names: Names): Compiled {
  const compiled = (of: Expression) => compileExpression(of, names);
  switch (expression.kind) {
    case "number":
      return numberLiteral(expression.text);
    case "text":
      return textLiteral(expression.text);
    case "null":
      return NOTHING;
    case "condition":
      return constant(CONDITION, expression.value);
    case "interval":
      return { ...constant({ kind: "interval", bits: 0 }, null), literal: expression };
    case "name":
      return names.compile(expression.name);
    case "minus":
      return negative(compiled(expression.of));
    case "cast":
      return cast(compiled(expression.of), expression.type);
    case "case":
      return compileCase(expression, compiled);
    case "call":
      return compileCall(expression, names);
    default:
      return compileCondition(expression, compiled);
  }
}

type Compile = (of: Expression) => Compiled;
type Of<K extends Expression["kind"]> = Extract<Expression, { kind: K }>;

function compileCondition(expression: Expression, compiled: Compile): Compiled {
  switch (expression.kind) {
    case "binary":
      return compileBinary(expression, compiled);
    case "not":
      return not(compiled(expression.of));
    case "is-null":
      return isNull(compiled(expression.of));
    case "in": {
      const of = compiled(expression.of);
      return or(expression.list.map((item) => compare("=", of, compiled(item))));
    }
    case "between": {
      const of = compiled(expression.of);
      return and([compare(">=", of, compiled(expression.low)), compare("<=", of, compiled(expression.high))]);
    }
    case "like":
      return fits(compiled(expression.of), (isBytes) =>
        likePattern(isBytes ? expression.pattern.toLowerCase() : expression.pattern, expression.escape),
      );
    case "rlike":
      return fits(compiled(expression.of), (isBytes) => wholePattern(expression.pattern, isBytes ? "i" : ""));
    default:
      throw unknown(`place for ${expression.kind}`);
  }
}

function compileBinary({ operator, left, right }: Of<"binary">, compiled: Compile): Compiled {
  const [a, b] = [compiled(left), compiled(right)];
  if (operator === "AND") return and([a, b]);
  if (operator === "OR") return or([a, b]);
  return isArithmetic(operator) ? arithmetic(operator, a, b) : compare(operator, a, b);
}

function compileCase({ subject, branches, otherwise }: Of<"case">, compiled: Compile): Compiled {
  const choices = branches.map((branch) => {
    const when = compiled(branch.when);
    const condition = subject === undefined ? when : compare("=", compiled(subject), when);
    return { condition, value: compiled(branch.value) };
  });
  return choose(choices, otherwise === undefined ? NOTHING : compiled(otherwise));
}

function compileCall({ name, list, distinct }: Of<"call">, names: Names): Compiled {
  const aggregate = AGGREGATES[name];
  const within = aggregate === undefined ? names : names.withinAggregate;
  const compiled = list.filter(({ kind }) => kind !== "star").map((part) => compileExpression(part, within));
  return aggregate === undefined ? callFunction(name, compiled, names.now) : aggregate(compiled, distinct);
}

/** Returns whether an expression contains an aggregate. */
export function hasAggregate(expression: Expression): boolean {
  const is = expression.kind === "call" && AGGREGATES[expression.name] !== undefined;
  return is || partsOf(expression).some(hasAggregate);
}
