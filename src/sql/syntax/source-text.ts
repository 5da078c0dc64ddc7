import type { Expression, ExpressionOf } from "./syntax-tree.ts";

/**
 * Writes an expression as text of the dialect in a normal form: upper-case words, lower-case columns, single
 * spaces. The text is the name of a column without an alias, and parses back to the same expression.
 */
export function expressionText(expression: Expression): string {
  switch (expression.node) {
    case "column":
      return nameText(expression.name.toLowerCase());
    case "number":
      return expression.text;
    case "text":
      return quotedText(expression.text);
    case "boolean":
      return expression.value ? "TRUE" : "FALSE";
    case "null":
      return "NULL";
    case "interval":
      return expression.text;
    case "call":
      return callText(expression);
    case "case":
      return caseText(expression);
    case "cast":
      return `CAST(${expressionText(expression.operand)} AS ${expression.target.text.toUpperCase()})`;
    case "extract":
      return `EXTRACT(${expression.part.text.toUpperCase()} FROM ${expressionText(expression.operand)})`;
    case "negation":
      return `-${operandText(expression.operand)}`;
    case "arithmetic":
      return arithmeticText(expression);
    case "comparison":
      return `${operandText(expression.left)} ${expression.sign} ${operandText(expression.right)}`;
    case "and":
    case "or":
      return expression.terms.map(operandText).join(` ${expression.node.toUpperCase()} `);
    case "not":
      return `NOT ${operandText(expression.operand)}`;
    default:
      return predicateText(expression);
  }
}

/** Returns the text of arithmetic, without parentheses that the order of evaluation makes redundant. */
function arithmeticText({ sign, left, right }: ExpressionOf<"arithmetic">): string {
  const isProduct = (text: string) => "*/%".includes(text);
  const bare = left.node === "arithmetic" && (isProduct(left.sign) || !isProduct(sign));
  return `${bare ? arithmeticText(left) : operandText(left)} ${sign} ${operandText(right)}`;
}

type Predicate = Extract<Expression, { node: "in" | "between" | "is-null" | "like" | "rlike" }>;

function predicateText(predicate: Predicate): string {
  const operand = operandText(predicate.operand);
  const not = predicate.negated ? "NOT " : "";
  switch (predicate.node) {
    case "in":
      return `${operand} ${not}IN (${predicate.items.map(expressionText).join(", ")})`;
    case "between":
      return `${operand} ${not}BETWEEN ${operandText(predicate.low)} AND ${operandText(predicate.high)}`;
    case "is-null":
      return `${operand} IS ${not}NULL`;
    case "like": {
      const escapeChar = predicate.escapeChar === "" ? "" : ` ESCAPE ${quotedText(predicate.escapeChar)}`;
      return `${operand} ${not}LIKE ${operandText(predicate.pattern)}${escapeChar}`;
    }
    case "rlike":
      return `${operand} ${not}RLIKE ${operandText(predicate.pattern)}`;
  }
}

function caseText({ operand, branches, otherwise }: ExpressionOf<"case">): string {
  const tests = branches.map(
    ({ condition, value }) => `WHEN ${expressionText(condition)} THEN ${expressionText(value)}`,
  );
  const first = operand === null ? [] : [expressionText(operand)];
  const last = otherwise === null ? [] : [`ELSE ${expressionText(otherwise)}`];
  return ["CASE", ...first, ...tests, ...last, "END"].join(" ");
}

function callText(call: Extract<Expression, { node: "call" }>): string {
  const operands = call.star ? "*" : call.operands.map(expressionText).join(", ");
  return `${call.name.toUpperCase()}(${call.distinct ? "DISTINCT " : ""}${operands})`;
}

const ATOMS = new Set<Expression["node"]>([
  "column",
  "number",
  "text",
  "boolean",
  "null",
  "interval",
  "call",
  "case",
  "cast",
  "extract",
]);

function operandText(operand: Expression): string {
  const text = expressionText(operand);
  return ATOMS.has(operand.node) ? text : `(${text})`;
}

/** Writes a name as in a query, in double quotes if it needs them. */
export function nameText(name: string): string {
  return /^[a-z_][a-z0-9_]*$/i.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

export function quotedText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
