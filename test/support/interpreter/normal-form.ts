import type { Expression } from "./syntax.ts";

/** How strongly what an expression is written as holds together. */
function strength(expression: Expression): number {
  switch (expression.kind) {
    case "binary":
      return STRENGTHS[expression.operator] ?? COMPARISON;
    case "not":
      return 3;
    case "is-null":
    case "in":
    case "between":
    case "like":
    case "rlike":
      return COMPARISON;
    case "minus":
      return 7;
    default:
      return 9;
  }
}

const COMPARISON = 4;
const STRENGTHS: Record<string, number> = { OR: 1, AND: 2, "+": 5, "-": 5, "*": 6, "/": 6, "%": 6 };

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** The text of an expression in normal form: the name of a column without an alias. */
export function normalForm(expression: Expression): string {
  const { kind } = expression;
  switch (kind) {
    case "number":
      return expression.text;
    case "text":
      return quoted(expression.text);
    case "null":
      return "NULL";
    case "condition":
      return expression.value ? "TRUE" : "FALSE";
    case "interval":
      return `INTERVAL ${expression.text}`;
    case "name":
      return expression.name;
    case "star":
      return "*";
    case "cast":
      return `CAST(${normalForm(expression.of)} AS ${expression.type})`;
    case "call":
      return `${expression.name}(${expression.distinct ? "DISTINCT " : ""}${listed(expression.list)})`;
    case "case":
      return caseForm(expression);
    default:
      return operationForm(expression);
  }
}

const listed = (list: readonly Expression[]) => list.map(normalForm).join(", ");

/** A part of an operation, in brackets where it would fall apart without. */
function part(of: Expression, least: number): string {
  return strength(of) < least ? `(${normalForm(of)})` : normalForm(of);
}

function caseForm({ subject, branches, otherwise }: Extract<Expression, { kind: "case" }>): string {
  const head = subject === undefined ? "CASE" : `CASE ${normalForm(subject)}`;
  const middle = branches.map((branch) => `WHEN ${normalForm(branch.when)} THEN ${normalForm(branch.value)}`);
  const tail = otherwise === undefined ? [] : [`ELSE ${normalForm(otherwise)}`];
  return [head, ...middle, ...tail, "END"].join(" ");
}

function operationForm(expression: Expression): string {
  const own = strength(expression);
  switch (expression.kind) {
    case "binary": {
      const { operator, left, right } = expression;
      return `${part(left, own)} ${operator} ${part(right, own + 1)}`;
    }
    case "minus":
      return `-${part(expression.of, own)}`;
    case "not":
      return `NOT ${part(expression.of, own)}`;
    case "is-null":
      return `${part(expression.of, COMPARISON + 1)} IS NULL`;
    case "in":
      return `${part(expression.of, COMPARISON + 1)} IN (${listed(expression.list)})`;
    case "between": {
      const [of, low, high] = [expression.of, expression.low, expression.high].map((x) =>
        part(x, COMPARISON + 1),
      );
      return `${of} BETWEEN ${low} AND ${high}`;
    }
    case "like":
    case "rlike":
      return `${part(expression.of, COMPARISON + 1)} ${expression.kind.toUpperCase()} ${quoted(expression.pattern)}`;
    default:
      return "";
  }
}
