import type { Expression } from "./syntax.ts";

type Of<K extends Expression["kind"]> = Extract<Expression, { kind: K }>;

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
const listed = (list: readonly Expression[]) => list.map(normalForm).join(", ");

/** Returns the normal form of an expression, which is the name of its column if it has no alias. */
export function normalForm(expression: Expression): string {
  switch (expression.kind) {
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
      return /^[a-z_]\w*$/i.test(expression.name) ? expression.name : `"${expression.name}"`;
    case "star":
      return "*";
    case "cast":
      return `CAST(${normalForm(expression.of)} AS ${expression.type})`;
    case "call":
      return callForm(expression);
    case "case":
      return caseForm(expression);
    default:
      return operationForm(expression);
  }
}

function callForm({ name, distinct, list }: Of<"call">): string {
  const [part, from] = list;
  if (name === "EXTRACT" && part?.kind === "text" && from !== undefined) {
    return `EXTRACT(${part.text} FROM ${normalForm(from)})`;
  }
  return `${name}(${distinct ? "DISTINCT " : ""}${listed(list)})`;
}

function caseForm({ subject, branches, otherwise }: Of<"case">): string {
  const head = subject === undefined ? "CASE" : `CASE ${normalForm(subject)}`;
  const middle = branches.map((branch) => `WHEN ${normalForm(branch.when)} THEN ${normalForm(branch.value)}`);
  const tail = otherwise === undefined ? [] : [`ELSE ${normalForm(otherwise)}`];
  return [head, ...middle, ...tail, "END"].join(" ");
}

const OPERATIONS = new Set<Expression["kind"]>([
  "minus",
  "not",
  "binary",
  "is-null",
  "in",
  "between",
  "like",
  "rlike",
]);

/** Returns the normal form of an operand. Operations are in parentheses. */
const part = (of: Expression) => (OPERATIONS.has(of.kind) ? `(${normalForm(of)})` : normalForm(of));

function operationForm(expression: Expression): string {
  switch (expression.kind) {
    case "binary":
      return binaryForm(expression);
    case "minus":
      return `-${part(expression.of)}`;
    case "not":
      return expression.inside ? predicateForm(expression.of, "NOT ") : `NOT ${part(expression.of)}`;
    default:
      return predicateForm(expression, "");
  }
}

function predicateForm(of: Expression, not: string): string {
  switch (of.kind) {
    case "is-null":
      return `${part(of.of)} IS ${not}NULL`;
    case "in":
      return `${part(of.of)} ${not}IN (${listed(of.list)})`;
    case "between":
      return `${part(of.of)} ${not}BETWEEN ${part(of.low)} AND ${part(of.high)}`;
    case "like":
      return `${part(of.of)} ${not}LIKE ${quoted(of.pattern)}${of.escape === undefined ? "" : ` ESCAPE ${quoted(of.escape)}`}`;
    case "rlike":
      return `${part(of.of)} ${not}RLIKE ${quoted(of.pattern)}`;
    default:
      return "";
  }
}

const PRODUCTS = "*/%";
const ARITHMETIC = `+-${PRODUCTS}`;

/**
 * Returns the normal form of a binary operation. Operators that are evaluated from left to right need no
 * parentheses.
 */
function binaryForm({ operator, left, right }: Of<"binary">): string {
  const alike =
    left.kind === "binary" &&
    ARITHMETIC.includes(operator) &&
    ARITHMETIC.includes(left.operator) &&
    (PRODUCTS.includes(left.operator) || !PRODUCTS.includes(operator));
  const chained = left.kind === "binary" && left.operator === operator && /AND|OR/.test(operator);
  return `${alike || chained ? normalForm(left) : part(left)} ${operator === "!=" ? "<>" : operator} ${part(right)}`;
}
