import { type Position, SqlError } from "../syntax/sql-error.ts";
import type { Branch, Expression, Name } from "../syntax/syntax-tree.ts";
import type { TokenCursor } from "./token-cursor.ts";

type Parse = (cursor: TokenCursor) => Expression;

/** Parses `CASE WHEN condition THEN value … ELSE value END`, or `CASE value WHEN value THEN value … END`. */
export function parseCase(cursor: TokenCursor, parse: Parse): Expression {
  const { at } = cursor.expectKeyword("CASE");
  const operand = cursor.atKeyword("WHEN") ? null : parse(cursor);
  const branches: Branch[] = [];
  cursor.expectKeyword("WHEN");
  do {
    const condition = parse(cursor);
    cursor.expectKeyword("THEN");
    branches.push({ condition, value: parse(cursor) });
  } while (cursor.acceptKeyword("WHEN"));
  const otherwise = cursor.acceptKeyword("ELSE") ? parse(cursor) : null;
  if (cursor.acceptKeyword("END") === null) cursor.fail(otherwise === null ? "WHEN, ELSE or END" : "END");
  const parts = branches.flatMap(({ condition, value }) => [condition, value]);
  const others = [operand, otherwise].filter((part) => part !== null);
  return { node: "case", operand, branches, otherwise, ...cursor.newNode(at, ...parts, ...others) };
}

/** Parses `CAST(value AS type)`. */
export function parseCast(cursor: TokenCursor, parse: Parse): Expression {
  const { at } = cursor.expectKeyword("CAST");
  cursor.expectSymbol("(");
  const operand = parse(cursor);
  cursor.expectKeyword("AS");
  return endCast(cursor, at, operand);
}

/** Parses `CONVERT(value, type)`, another way to write CAST. */
export function parseConvert(cursor: TokenCursor, parse: Parse): Expression {
  const { at } = cursor.next();
  cursor.expectSymbol("(");
  const operand = parse(cursor);
  cursor.expectSymbol(",", '"," and a type');
  return endCast(cursor, at, operand);
}

/** Parses the type and the closing parenthesis. */
function endCast(cursor: TokenCursor, at: Position, operand: Expression): Expression {
  const target = parseWord(cursor, "a type such as BIGINT, DOUBLE, VARCHAR or TIMESTAMP");
  if (cursor.atSymbol("(")) {
    throw new SqlError(cursor.peek().at, `types have no length: write ${target.text.toUpperCase()} alone`);
  }
  cursor.expectSymbol(")");
  return { node: "cast", operand, target, ...cursor.newNode(at, operand) };
}

/** Parses `EXTRACT(part FROM time)`. */
export function parseExtract(cursor: TokenCursor, parse: Parse): Expression {
  const { at } = cursor.next();
  cursor.expectSymbol("(");
  const part = parseWord(cursor, "a part of a time such as YEAR, MONTH or HOUR");
  cursor.expectKeyword("FROM");
  const operand = parse(cursor);
  cursor.expectSymbol(")");
  return { node: "extract", part, operand, ...cursor.newNode(at, operand) };
}

/** Parses a word, reserved or not. */
export function parseWord(cursor: TokenCursor, expected: string): Name {
  const token = cursor.peek();
  if (token.kind !== "word") return cursor.fail(expected);
  cursor.next();
  return { text: token.text, at: token.at };
}
