import type { SqlLimits } from "../syntax/limits.ts";
import { type Position, SqlError, WHOLE_TEXT } from "../syntax/sql-error.ts";

export interface Token {
  kind: "word" | "quoted" | "number" | "text" | "symbol" | "end";
  /** Text as written, but without the quotes of names and strings. */
  text: string;
  /** Bare word in upper case; empty for any other token. */
  keyword: string;
  at: Position;
}

type TokenKind = Exclude<Token["kind"], "end">;

/** The shapes of tokens, tried in this order at each position; `skip` produces no token. */
const SHAPES: readonly (readonly [TokenKind | "skip", RegExp])[] = [
  ["skip", /[ \t\r\n\f\v\u00a0\ufeff]+|--[^\n]*|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//y],
  ["word", /[A-Za-z_][A-Za-z0-9_]*/y],
  ["number", /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y],
  ["text", /'[^']*(?:''[^']*)*'/y],
  ["quoted", /"[^"]*(?:""[^"]*)*"|`[^`]*(?:``[^`]*)*`/y],
  ["symbol", /<=|>=|<>|!=|::|[-+*%=<>(),.;]|\/(?!\*)/y],
];

/** Splits a client's text into tokens; the last one has kind `end`. Throws SqlError. */
export function tokenize(source: string, limits: Pick<SqlLimits, "tokens">): Token[] {
  const tokens: Token[] = [];
  const at = { ...WHOLE_TEXT };
  while (at.offset < source.length) {
    const [kind, text] = matchAt(source, at);
    if (kind !== "skip") {
      if (tokens.length >= limits.tokens) {
        throw new SqlError(at, `the query has more than ${limits.tokens} words, values and symbols`);
      }
      tokens.push(makeToken(kind, text, at));
    }
    advance(at, text);
  }
  tokens.push({ kind: "end", text: "", keyword: "", at: { ...at } });
  return tokens;
}

function matchAt(source: string, at: Position): [TokenKind | "skip", string] {
  for (const [kind, shape] of SHAPES) {
    shape.lastIndex = at.offset;
    const text = shape.exec(source)?.[0];
    if (text === undefined) continue;
    if (kind === "number") checkNumberEnd(source, { ...at, length: text.length });
    return [kind, text];
  }
  const char = String.fromCodePoint(source.codePointAt(at.offset) ?? 0);
  throw new SqlError({ ...at, length: char.length }, unreadable(char));
}

function checkNumberEnd(source: string, at: Position): void {
  const end = at.offset + at.length;
  if (!/[A-Za-z0-9_.]/.test(source.charAt(end))) return;
  const rest = /^[A-Za-z0-9_.]*/.exec(source.slice(end, end + 80))?.[0] ?? "";
  const hint = /^[xX]/.test(rest)
    ? "hex values go in single quotes, as in '0x1f98…'"
    : "this is not a number";
  throw new SqlError(
    { ...at, length: at.length + rest.length },
    `found a number followed by "${rest.slice(0, 20)}": ${hint}`,
  );
}

const UNCLOSED: Record<string, string> = {
  "'": "this string has no closing quote; write a quote inside a string as ''",
  '"': 'this name has no closing "',
  "`": "this name has no closing `",
  "/": "this comment is not closed with */",
  "|": "join strings with CONCAT(a, b)",
  "?": "parameters (?) are not supported: write the value itself",
};

function unreadable(char: string): string {
  return UNCLOSED[char] ?? `unexpected character ${JSON.stringify(char)}`;
}

function makeToken(kind: TokenKind, written: string, at: Position): Token {
  const range = { ...at, length: written.length };
  switch (kind) {
    case "word":
      return { kind, text: written, keyword: written.toUpperCase(), at: range };
    case "text":
    case "quoted": {
      const quote = written.charAt(0);
      const text = written.slice(1, -1).replaceAll(quote + quote, quote);
      return { kind, text, keyword: "", at: range };
    }
    default:
      return { kind, text: written, keyword: "", at: range };
  }
}

function advance(at: Position, text: string): void {
  at.offset += text.length;
  const lastBreak = text.lastIndexOf("\n");
  if (lastBreak < 0) {
    at.column += text.length;
    return;
  }
  at.line += text.split("\n").length - 1;
  at.column = text.length - lastBreak;
}

/** Returns a token as error messages show it. */
export function describeToken(token: Token): string {
  if (token.kind === "end") return "the end of the query";
  const text = token.text.length > 40 ? `${token.text.slice(0, 40)}…` : token.text;
  return token.kind === "text" ? `'${text.replaceAll("'", "''")}'` : `"${text}"`;
}
