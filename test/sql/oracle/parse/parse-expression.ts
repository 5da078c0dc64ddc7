import { unknown } from "../unknown.ts";
import { parseInterval } from "./parse-interval.ts";
import type { Branch, Expression } from "./syntax.ts";
import type { Tokens } from "./tokens.ts";

/** Binding power of the operators. All comparisons have the same power. */
const POWER = { or: 1, and: 2, not: 3, compare: 4, add: 5, multiply: 6, minus: 7, cast: 8 };

const BINARY: Record<string, number> = {
  "=": POWER.compare,
  "<>": POWER.compare,
  "!=": POWER.compare,
  "<": POWER.compare,
  "<=": POWER.compare,
  ">": POWER.compare,
  ">=": POWER.compare,
  "+": POWER.add,
  "-": POWER.add,
  "*": POWER.multiply,
  "/": POWER.multiply,
  "%": POWER.multiply,
};

const WITHOUT_BRACKETS = new Set(["CURRENT_TIMESTAMP", "CURRENT_DATE"]);

export function parseExpression(tokens: Tokens, power = 0): Expression {
  let left = prefix(tokens);
  for (;;) {
    const longer = infix(tokens, left, power);
    if (longer === undefined) return left;
    left = longer;
  }
}

function prefix(tokens: Tokens): Expression {
  if (tokens.takeWord("NOT")) return { kind: "not", of: parseExpression(tokens, POWER.not), inside: false };
  if (tokens.takeSign("-")) return { kind: "minus", of: parseExpression(tokens, POWER.minus) };
  if (tokens.takeSign("+")) return parseExpression(tokens, POWER.minus);
  if (tokens.takeSign("(")) return closed(tokens, parseExpression(tokens));
  if (tokens.takeSign("*")) return { kind: "star" };
  const { kind, text } = tokens.next();
  if (kind === "number" || kind === "text") return { kind, text };
  if (kind === "name") return word(tokens, text);
  if (kind === "quoted") return name(tokens, text);
  throw unknown(`expression: ${text}`);
}

function closed(tokens: Tokens, inner: Expression): Expression {
  tokens.expectSign(")");
  return inner;
}

function word(tokens: Tokens, text: string): Expression {
  const upper = text.toUpperCase();
  if (upper === "CASE") return parseCase(tokens);
  if (upper === "NULL") return { kind: "null" };
  if (upper === "TRUE" || upper === "FALSE") return { kind: "condition", value: upper === "TRUE" };
  if (upper === "INTERVAL") return parseInterval(tokens);
  if (tokens.takeSign("(")) return closed(tokens, call(tokens, upper));
  if (WITHOUT_BRACKETS.has(upper)) return { kind: "call", name: upper, distinct: false, list: [] };
  return name(tokens, text);
}

/** Parses a column or an alias. A name before a dot is the table, and there is only one table. */
function name(tokens: Tokens, text: string): Expression {
  const column = (tokens.takeSign(".") ? tokens.next().text : text).toLowerCase();
  return { kind: "name", name: column === "@timestamp" ? "timestamp" : column };
}

function call(tokens: Tokens, name: string): Expression {
  if (name === "CAST") {
    const of = parseExpression(tokens);
    tokens.expectWord("AS");
    return { kind: "cast", of, type: tokens.next().text.toUpperCase() };
  }
  if (name === "CONVERT") {
    const of = parseExpression(tokens);
    tokens.expectSign(",");
    return { kind: "cast", of, type: tokens.next().text.toUpperCase() };
  }
  if (name === "EXTRACT") {
    const part: Expression = { kind: "text", text: tokens.next().text.toUpperCase() };
    tokens.expectWord("FROM");
    return { kind: "call", name, distinct: false, list: [part, parseExpression(tokens)] };
  }
  const distinct = tokens.takeWord("DISTINCT");
  const list = tokens.isSign(")") ? [] : tokens.list(() => parseExpression(tokens));
  return { kind: "call", name, distinct, list };
}

function parseCase(tokens: Tokens): Expression {
  const subject = tokens.isWord("WHEN") ? undefined : parseExpression(tokens);
  const branches: Branch[] = [];
  while (tokens.takeWord("WHEN")) {
    const when = parseExpression(tokens);
    tokens.expectWord("THEN");
    branches.push({ when, value: parseExpression(tokens) });
  }
  const otherwise = tokens.takeWord("ELSE") ? parseExpression(tokens) : undefined;
  tokens.expectWord("END");
  return { kind: "case", subject, branches, otherwise };
}

/** Parses the rest of an expression after `left`, if the next operator binds more strongly than `power`. */
function infix(tokens: Tokens, left: Expression, power: number): Expression | undefined {
  if (POWER.cast > power && tokens.takeSign("::")) {
    return { kind: "cast", of: left, type: tokens.next().text.toUpperCase() };
  }
  const { kind, text } = tokens.ahead();
  const binding = kind === "sign" ? BINARY[text] : undefined;
  if (binding !== undefined && binding > power) {
    tokens.next();
    return { kind: "binary", operator: text, left, right: parseExpression(tokens, binding) };
  }
  for (const operator of ["AND", "OR"] as const) {
    const wordPower = operator === "OR" ? POWER.or : POWER.and;
    if (wordPower > power && tokens.takeWord(operator)) {
      return { kind: "binary", operator, left, right: parseExpression(tokens, wordPower) };
    }
  }
  return POWER.compare > power ? predicate(tokens, left) : undefined;
}

const PREDICATES = ["IN", "BETWEEN", "LIKE", "RLIKE"];

function predicate(tokens: Tokens, of: Expression): Expression | undefined {
  if (tokens.takeWord("IS")) {
    const negated = tokens.takeWord("NOT");
    tokens.expectWord("NULL");
    return negate(negated, { kind: "is-null", of });
  }
  const negated = tokens.isWord("NOT");
  const operator = PREDICATES.find((name) => tokens.isWord(name, negated ? 1 : 0));
  if (operator === undefined) return undefined;
  if (negated) tokens.next();
  tokens.next();
  return negate(negated, restOfPredicate(operator, tokens, of));
}

const negate = (negated: boolean, of: Expression): Expression =>
  negated ? { kind: "not", of, inside: true } : of;

function restOfPredicate(operator: string, tokens: Tokens, of: Expression): Expression {
  if (operator === "IN") {
    tokens.expectSign("(");
    const list = tokens.list(() => parseExpression(tokens));
    tokens.expectSign(")");
    return { kind: "in", of, list };
  }
  if (operator === "BETWEEN") {
    const low = parseExpression(tokens, POWER.compare);
    tokens.expectWord("AND");
    return { kind: "between", of, low, high: parseExpression(tokens, POWER.compare) };
  }
  const pattern = tokens.next().text;
  if (operator === "RLIKE") return { kind: "rlike", of, pattern };
  return { kind: "like", of, pattern, escape: tokens.takeWord("ESCAPE") ? tokens.next().text : undefined };
}
