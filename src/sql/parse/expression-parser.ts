import { SqlError, span } from "../syntax/sql-error.ts";
import type { ArithmeticSign, ComparisonSign, Expression } from "../syntax/syntax-tree.ts";
import { parseInterval } from "./interval-parser.ts";
import { describeToken, type Token } from "./lexer.ts";
import { REFUSED_WORDS, RESERVED_WORDS } from "./reserved-words.ts";
import {
  parseCase,
  parseCast,
  parseConvert,
  parseExtract,
  parseWord as parseTypeName,
} from "./special-forms.ts";
import type { TokenCursor } from "./token-cursor.ts";

/**
 * Parses an expression. From the weakest binding to the strongest: OR, AND, NOT, comparisons, + -, * / %,
 * unary minus.
 */
export function parseExpression(cursor: TokenCursor): Expression {
  return cursor.nested((inner) => parseTerms(inner, "OR"));
}

function parseTerms(cursor: TokenCursor, word: "OR" | "AND"): Expression {
  const parseTerm = word === "OR" ? parseConjunction : parseNot;
  const first = parseTerm(cursor);
  if (!cursor.atKeyword(word)) return first;
  const at = cursor.peek().at;
  const terms = [first];
  while (cursor.acceptKeyword(word)) terms.push(parseTerm(cursor));
  return { node: word === "OR" ? "or" : "and", terms, ...cursor.newNode(at, ...terms) };
}

function parseConjunction(cursor: TokenCursor): Expression {
  return parseTerms(cursor, "AND");
}

function parseNot(cursor: TokenCursor): Expression {
  const not = cursor.acceptKeyword("NOT");
  if (not === null) return parsePredicate(cursor);
  const operand = cursor.nested(parseNot);
  return { node: "not", operand, ...cursor.newNode(not.at, operand) };
}

const COMPARISONS: Record<string, ComparisonSign> = {
  "=": "=",
  "<>": "<>",
  "!=": "<>",
  "<": "<",
  "<=": "<=",
  ">": ">",
  ">=": ">=",
};

function parsePredicate(cursor: TokenCursor): Expression {
  const left = parseSum(cursor);
  const token = cursor.peek();
  const sign = token.kind === "symbol" ? COMPARISONS[token.text] : undefined;
  if (sign !== undefined) {
    cursor.next();
    const right = parseSum(cursor);
    return { node: "comparison", sign, left, right, ...cursor.newNode(token.at, left, right) };
  }
  if (cursor.acceptKeyword("IS")) return parseIsNull(cursor, left, token);
  const negated = cursor.acceptKeyword("NOT") !== null;
  if (cursor.atKeyword("IN")) return parseIn(cursor, left, negated);
  if (cursor.atKeyword("BETWEEN")) return parseBetween(cursor, left, negated);
  if (cursor.atKeyword("LIKE")) return parseLike(cursor, left, negated);
  if (cursor.atKeyword("RLIKE")) return parseRlike(cursor, left, negated);
  return negated ? cursor.fail("IN, BETWEEN, LIKE or RLIKE after NOT") : left;
}

function parseIsNull(cursor: TokenCursor, operand: Expression, { at }: Token): Expression {
  const negated = cursor.acceptKeyword("NOT") !== null;
  cursor.expectKeyword("NULL");
  return { node: "is-null", operand, negated, ...cursor.newNode(at, operand) };
}

function parseIn(cursor: TokenCursor, operand: Expression, negated: boolean): Expression {
  const { at } = cursor.expectKeyword("IN");
  cursor.expectSymbol("(", "a list in parentheses after IN");
  const items = parseList(cursor, "a value");
  return { node: "in", operand, items, negated, ...cursor.newNode(at, operand, ...items) };
}

/** Parses comma-separated expressions, at least one, and the closing parenthesis. */
function parseList(cursor: TokenCursor, expected: string): Expression[] {
  refuseSubquery(cursor);
  if (cursor.atSymbol(")")) return cursor.fail(expected);
  const items = [parseExpression(cursor)];
  while (cursor.acceptSymbol(",")) items.push(parseExpression(cursor));
  cursor.expectSymbol(")", `"," or ")"`);
  return items;
}

function parseBetween(cursor: TokenCursor, operand: Expression, negated: boolean): Expression {
  const { at } = cursor.expectKeyword("BETWEEN");
  const low = parseSum(cursor);
  cursor.expectKeyword("AND");
  const high = parseSum(cursor);
  return { node: "between", operand, low, high, negated, ...cursor.newNode(at, operand, low, high) };
}

function parseLike(cursor: TokenCursor, operand: Expression, negated: boolean): Expression {
  const { at } = cursor.expectKeyword("LIKE");
  const pattern = parseSum(cursor);
  const escapeChar = cursor.acceptKeyword("ESCAPE") === null ? "" : parseEscape(cursor.next());
  return { node: "like", operand, pattern, escapeChar, negated, ...cursor.newNode(at, operand, pattern) };
}

function parseRlike(cursor: TokenCursor, operand: Expression, negated: boolean): Expression {
  const { at } = cursor.expectKeyword("RLIKE");
  const pattern = parseSum(cursor);
  return { node: "rlike", operand, pattern, negated, ...cursor.newNode(at, operand, pattern) };
}

function parseEscape(token: Token): string {
  if (token.kind === "text" && [...token.text].length === 1 && !"%_".includes(token.text)) return token.text;
  throw new SqlError(
    token.at,
    `ESCAPE takes one character other than % and _, found ${describeToken(token)}`,
  );
}

function parseSum(cursor: TokenCursor): Expression {
  return parseChain(cursor, parseProduct, ["+", "-"]);
}

function parseProduct(cursor: TokenCursor): Expression {
  return parseChain(cursor, parseUnary, ["*", "/", "%"]);
}

function parseChain(
  cursor: TokenCursor,
  parseOperand: (cursor: TokenCursor) => Expression,
  signs: readonly ArithmeticSign[],
): Expression {
  let left = parseOperand(cursor);
  for (let token = cursor.acceptSymbol(...signs); token; token = cursor.acceptSymbol(...signs)) {
    const right = parseOperand(cursor);
    const sign = token.text as ArithmeticSign;
    left = { node: "arithmetic", sign, left, right, ...cursor.newNode(token.at, left, right) };
  }
  return left;
}

function parseUnary(cursor: TokenCursor): Expression {
  const sign = cursor.acceptSymbol("-", "+");
  if (sign === null) return parseCasts(cursor);
  const operand = cursor.nested(parseUnary);
  if (sign.text === "+") return operand;
  return { node: "negation", operand, ...cursor.newNode(sign.at, operand) };
}

/** Parses `value::type`, any number of times. It binds more strongly than a minus sign. */
function parseCasts(cursor: TokenCursor): Expression {
  let operand = parsePrimary(cursor);
  for (let token = cursor.acceptSymbol("::"); token; token = cursor.acceptSymbol("::")) {
    const target = parseTypeName(cursor, "a type after ::");
    operand = { node: "cast", operand, target, ...cursor.newNode(token.at, operand) };
  }
  return operand;
}

function parsePrimary(cursor: TokenCursor): Expression {
  const token = cursor.peek();
  switch (token.kind) {
    case "number":
    case "text":
      cursor.next();
      return { node: token.kind, text: token.text, ...cursor.newNode(token.at) };
    case "word":
    case "quoted":
      return parseWord(cursor, token);
    default:
      return cursor.atSymbol("(") ? parseParenthesis(cursor) : cursor.fail("a column, value or expression");
  }
}

function parseParenthesis(cursor: TokenCursor): Expression {
  cursor.expectSymbol("(");
  refuseSubquery(cursor);
  const inner = parseExpression(cursor);
  cursor.expectSymbol(")");
  return inner;
}

export function refuseSubquery(cursor: TokenCursor): void {
  if (!cursor.atKeyword("SELECT", "WITH")) return;
  throw new SqlError(
    cursor.peek().at,
    "sub-queries are not supported: the result of one query cannot be used in another; send two queries",
  );
}

function parseWord(cursor: TokenCursor, token: Token): Expression {
  switch (token.keyword) {
    case "INTERVAL":
      return parseInterval(cursor);
    case "TRUE":
    case "FALSE":
      cursor.next();
      return { node: "boolean", value: token.keyword === "TRUE", ...cursor.newNode(token.at) };
    case "NULL":
      cursor.next();
      return { node: "null", ...cursor.newNode(token.at) };
    case "CASE":
      return cursor.nested((inner) => parseCase(inner, parseExpression));
    case "CAST":
      return parseCast(cursor, parseExpression);
  }
  const opens = cursor.peek(1).kind === "symbol" && cursor.peek(1).text === "(";
  if (opens && token.keyword === "EXTRACT") return parseExtract(cursor, parseExpression);
  if (opens && token.keyword === "CONVERT") return parseConvert(cursor, parseExpression);
  if (opens && token.kind === "word" && !isKeyword(token)) return parseCall(cursor);
  if (!opens && BARE_CALLS.has(token.keyword)) return parseBareCall(cursor);
  return parseColumn(cursor);
}

/** Functions of the SQL standard that are written without parentheses. */
const BARE_CALLS: ReadonlySet<string> = new Set(["CURRENT_DATE", "CURRENT_TIMESTAMP"]);

function parseBareCall(cursor: TokenCursor): Expression {
  const { text, at } = cursor.next();
  return { node: "call", name: text, operands: [], distinct: false, star: false, ...cursor.newNode(at) };
}

/**
 * Returns whether a word before a parenthesis is a keyword. LEFT( and RIGHT( are function calls, although
 * both words are reserved.
 */
function isKeyword(token: Token): boolean {
  return RESERVED_WORDS.has(token.keyword) && !["LEFT", "RIGHT"].includes(token.keyword);
}

function parseColumn(cursor: TokenCursor): Expression {
  const first = parseName(cursor, "a column, value or expression");
  if (cursor.acceptSymbol(".") === null) {
    return {
      node: "column",
      name: first.text,
      qualifier: null,
      quoted: first.quoted,
      ...cursor.newNode(first.at),
    };
  }
  const column = parseName(cursor, "the name of a column after the dot");
  return {
    node: "column",
    name: column.text,
    qualifier: first.text,
    quoted: column.quoted,
    ...cursor.newNode(span(first.at, column.at)),
  };
}

function parseCall(cursor: TokenCursor): Expression {
  const name = cursor.next();
  cursor.expectSymbol("(");
  const call = readOperands(cursor);
  if (cursor.atKeyword("OVER")) cursor.fail("the end of the expression");
  return { node: "call", name: name.text, ...call, ...cursor.newNode(name.at, ...call.operands) };
}

function readOperands(cursor: TokenCursor): { operands: Expression[]; distinct: boolean; star: boolean } {
  if (cursor.acceptSymbol(")")) return { operands: [], distinct: false, star: false };
  if (cursor.acceptSymbol("*")) {
    cursor.expectSymbol(")");
    return { operands: [], distinct: false, star: true };
  }
  const distinct = cursor.acceptKeyword("DISTINCT") !== null;
  return { operands: parseList(cursor, "an argument"), distinct, star: false };
}

/** Parses a bare word that is not reserved, or any quoted name. */
export function parseName(
  cursor: TokenCursor,
  expected: string,
): { text: string; quoted: boolean; at: Token["at"] } {
  const token = cursor.peek();
  const quoted = token.kind === "quoted";
  if (!quoted && token.kind !== "word") return cursor.fail(expected);
  if (!quoted && RESERVED_WORDS.has(token.keyword)) {
    if (REFUSED_WORDS.has(token.keyword)) return cursor.fail(expected);
    throw new SqlError(
      token.at,
      `expected ${expected}, found ${token.keyword}, a reserved word; to use it as a name, put it in double quotes`,
    );
  }
  if (token.text === "") throw new SqlError(token.at, "a name must not be empty");
  cursor.next();
  return { text: token.text, quoted, at: token.at };
}
