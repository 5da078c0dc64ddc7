import { unknown } from "../unknown.ts";
import { parseExpression } from "./parse-expression.ts";
import type { OrderItem, Query, SelectItem } from "./syntax.ts";
import { Tokens } from "./tokens.ts";

/** Words that cannot be an alias without AS. */
const CLAUSES = new Set(["FROM", "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "OFFSET"]);

export function parseQuery(text: string): Query {
  const tokens = new Tokens(text);
  tokens.expectWord("SELECT");
  const head = selectHead(tokens);
  const items = tokens.list(() => selectItem(tokens));
  tokens.expectWord("FROM");
  const table = tableName(tokens);
  const where = tokens.takeWord("WHERE") ? parseExpression(tokens) : undefined;
  const groupBy = by(tokens, "GROUP") ? tokens.list(() => parseExpression(tokens)) : [];
  const having = tokens.takeWord("HAVING") ? parseExpression(tokens) : undefined;
  const orderBy = by(tokens, "ORDER") ? tokens.list(() => orderItem(tokens)) : [];
  const page = limits(tokens, head.top);
  tokens.takeSign(";");
  if (tokens.ahead().kind !== "end") throw unknown(`clause: ${tokens.ahead().text}`);
  return { distinct: head.distinct, items, table, where, groupBy, having, orderBy, ...page };
}

function selectHead(tokens: Tokens): { distinct: boolean; top: number | undefined } {
  let distinct = tokens.takeWord("DISTINCT");
  const top = tokens.isWord("TOP") && tokens.ahead(1).kind === "number" ? topCount(tokens) : undefined;
  if (!distinct) distinct = tokens.takeWord("DISTINCT");
  return { distinct, top };
}

function topCount(tokens: Tokens): number {
  tokens.next();
  return Number(tokens.next().text);
}

/** Parses the table's name. Drops the alias, because there is only one table. */
function tableName(tokens: Tokens): string {
  const { text } = tokens.next();
  alias(tokens);
  return text.toLowerCase();
}

function selectItem(tokens: Tokens): SelectItem {
  return { expression: parseExpression(tokens), alias: alias(tokens) };
}

function alias(tokens: Tokens): string | undefined {
  if (tokens.takeWord("AS")) return tokens.next().text;
  const { kind, text } = tokens.ahead();
  const named = kind === "quoted" || (kind === "name" && !CLAUSES.has(text.toUpperCase()));
  return named ? tokens.next().text : undefined;
}

function by(tokens: Tokens, word: string): boolean {
  if (!tokens.takeWord(word)) return false;
  tokens.expectWord("BY");
  return true;
}

function orderItem(tokens: Tokens): OrderItem {
  const expression = parseExpression(tokens);
  const descending = tokens.takeWord("DESC");
  if (!descending) tokens.takeWord("ASC");
  const nulls = tokens.takeWord("NULLS");
  const nullsFirst = nulls && tokens.takeWord("FIRST");
  if (nulls && !nullsFirst) tokens.expectWord("LAST");
  return { expression, descending, nullsFirst };
}

function limits(tokens: Tokens, top: number | undefined): { limit: number | undefined; offset: number } {
  let [limit, offset] = [top, 0];
  for (;;) {
    if (tokens.takeWord("LIMIT")) limit = Number(tokens.next().text);
    else if (tokens.takeWord("OFFSET")) offset = Number(tokens.next().text);
    else return { limit, offset };
  }
}
