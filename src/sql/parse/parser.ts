import type { SqlLimits } from "../syntax/limits.ts";
import { type Position, SqlError } from "../syntax/sql-error.ts";
import type { Name, OrderItem, Select, SelectItem, Statement } from "../syntax/syntax-tree.ts";
import { parseExpression, parseName, refuseSubquery } from "./expression-parser.ts";
import { describeToken, tokenize } from "./lexer.ts";
import { REFUSED_WORDS, RESERVED_WORDS } from "./reserved-words.ts";
import { TokenCursor } from "./token-cursor.ts";

/** Parses one statement. Throws SqlError with the position of a mistake. */
export function parseStatement(source: string, limits: SqlLimits): Statement {
  const cursor = new TokenCursor(tokenize(source, limits), limits);
  const statement = parseKind(cursor);
  expectEnd(cursor, statement);
  return statement;
}

function parseKind(cursor: TokenCursor): Statement {
  const first = cursor.peek();
  switch (first.keyword) {
    case "SELECT":
      return parseSelect(cursor);
    case "SHOW":
      cursor.next();
      return parseShow(cursor);
    case "DESCRIBE":
    case "DESC":
      cursor.next();
      return { statement: "describe", table: parseTable(cursor) };
    case "WITH":
      return cursor.fail("SELECT");
    default: {
      const found = first.kind === "end" ? "nothing" : describeToken(first);
      throw new SqlError(
        first.at,
        `only SELECT, SHOW TABLES and DESCRIBE <table> are supported, found ${found}`,
      );
    }
  }
}

function parseShow(cursor: TokenCursor): Statement {
  if (cursor.peek().keyword !== "TABLES") cursor.fail("TABLES");
  cursor.next();
  return { statement: "show-tables" };
}

function parseSelect(cursor: TokenCursor): Select {
  cursor.expectKeyword("SELECT");
  const { distinct, top } = parseQuantity(cursor);
  const items = parseItems(cursor);
  cursor.expectKeyword("FROM");
  const table = parseTable(cursor);
  const tableAlias = parseAlias(cursor);
  refuseMoreTables(cursor);
  return {
    statement: "select",
    distinct,
    items,
    table,
    tableAlias,
    where: cursor.acceptKeyword("WHERE") ? parseExpression(cursor) : null,
    groupBy: acceptBy(cursor, "GROUP") ? separated(cursor, parseExpression) : [],
    having: cursor.acceptKeyword("HAVING") ? parseExpression(cursor) : null,
    orderBy: acceptBy(cursor, "ORDER") ? separated(cursor, parseOrderItem) : [],
    limit: parseLimit(cursor, top),
    offset: cursor.acceptKeyword("OFFSET") ? parseCount(cursor, "OFFSET") : null,
  };
}

type Count = { value: number; at: Position };

/** Parses `DISTINCT` and `TOP n`, in any order; both are optional. */
function parseQuantity(cursor: TokenCursor): { distinct: boolean; top: Count | null } {
  const before = cursor.acceptKeyword("DISTINCT") !== null;
  const top = cursor.acceptKeyword("TOP") ? parseCount(cursor, "TOP") : null;
  return { distinct: before || cursor.acceptKeyword("DISTINCT") !== null, top };
}

function parseLimit(cursor: TokenCursor, top: Count | null): Count | null {
  const limit = cursor.acceptKeyword("LIMIT");
  if (limit === null) return top;
  if (top === null) return parseCount(cursor, "LIMIT");
  throw new SqlError(limit.at, "TOP and LIMIT both limit the rows: write one of them");
}

function acceptBy(cursor: TokenCursor, word: "GROUP" | "ORDER"): boolean {
  if (cursor.acceptKeyword(word) === null) return false;
  cursor.expectKeyword("BY");
  return true;
}

function separated<T>(cursor: TokenCursor, parse: (cursor: TokenCursor) => T): T[] {
  const parsed = [parse(cursor)];
  while (cursor.acceptSymbol(",")) parsed.push(parse(cursor));
  return parsed;
}

function parseItems(cursor: TokenCursor): SelectItem[] {
  if (cursor.atKeyword("FROM")) cursor.fail("a column, value or expression");
  return separated(cursor, parseItem);
}

function parseItem(cursor: TokenCursor): SelectItem {
  const star = cursor.acceptSymbol("*");
  if (star !== null) return { node: "star", at: star.at };
  return { node: "item", value: parseExpression(cursor), alias: parseAlias(cursor) };
}

/** Parses `AS name`, or a bare name that is not a reserved word. */
function parseAlias(cursor: TokenCursor): Name | null {
  if (cursor.acceptKeyword("AS")) return parseName(cursor, "a name after AS");
  const token = cursor.peek();
  const isName = token.kind === "quoted" || (token.kind === "word" && !RESERVED_WORDS.has(token.keyword));
  return isName ? parseName(cursor, "a name") : null;
}

function parseTable(cursor: TokenCursor): Name {
  if (cursor.atSymbol("(")) {
    cursor.next();
    refuseSubquery(cursor);
    return cursor.fail("the name of a table");
  }
  const name = parseName(cursor, "the name of a table");
  if (cursor.atSymbol(".")) {
    throw new SqlError(name.at, "table names have no dot: there are no other databases and no system tables");
  }
  if (cursor.atSymbol("(")) {
    throw new SqlError(name.at, "table functions are not supported: FROM takes the name of a table");
  }
  return { text: name.text, at: name.at };
}

function refuseMoreTables(cursor: TokenCursor): void {
  if (!cursor.atSymbol(",")) return;
  const reason = REFUSED_WORDS.get("JOIN");
  throw new SqlError(cursor.peek().at, `only one table is supported: ${reason}`);
}

function parseOrderItem(cursor: TokenCursor): OrderItem {
  const value = parseExpression(cursor);
  const descending = cursor.acceptKeyword("DESC") !== null;
  if (!descending) cursor.acceptKeyword("ASC");
  return { value, descending, nullsFirst: parseNulls(cursor) };
}

function parseNulls(cursor: TokenCursor): boolean {
  if (cursor.acceptKeyword("NULLS") === null) return false;
  const { keyword } = cursor.peek();
  if (keyword !== "FIRST" && keyword !== "LAST") cursor.fail("FIRST or LAST after NULLS");
  cursor.next();
  return keyword === "FIRST";
}

function parseCount(cursor: TokenCursor, clause: string): Count {
  const token = cursor.next();
  if (token.kind !== "number" || !/^\d{1,15}$/.test(token.text)) {
    const found = describeToken(token);
    const expected = "a whole number";
    throw new SqlError(token.at, `${clause} takes ${expected}, found ${found}`, { expected, found });
  }
  if (clause !== "TOP" && cursor.atSymbol(",")) {
    throw new SqlError(cursor.peek().at, `found "," after ${clause}: write LIMIT n OFFSET m`);
  }
  return { value: Number(token.text), at: token.at };
}

const CLAUSES: readonly string[] = ["WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "OFFSET"];

function expectEnd(cursor: TokenCursor, { statement }: Statement): void {
  if (cursor.acceptSymbol(";") && cursor.peek().kind !== "end") {
    throw new SqlError(cursor.peek().at, "only one statement is supported: send one at a time");
  }
  const token = cursor.peek();
  if (token.kind === "end") return;
  if (statement === "select" && CLAUSES.includes(token.keyword)) {
    throw new SqlError(
      token.at,
      `${token.keyword} is in the wrong place: the order is WHERE, GROUP BY, HAVING, ORDER BY, LIMIT, OFFSET`,
    );
  }
  cursor.fail("the end of the query");
}
