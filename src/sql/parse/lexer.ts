import { type Position, SqlError, WHOLE_TEXT } from "../syntax/sql-error.ts";

export interface Token {
  kind: "word" | "quoted" | "number" | "text" | "symbol" | "end";
  /** As written; quoted names and texts without their quotes. */
  text: string;
  /** Upper-case form of a bare word, empty for every other token. */
  keyword: string;
  at: Position;
}

type TokenKind = Exclude<Token["kind"], "end">;

/** A dialect of token shapes, tried in this order at each place; `skip` yields no token. */
const SHAPES: readonly (readonly [TokenKind | "skip", RegExp])[] = [
  ["skip", /[ \t\r\n\f\v\u00a0\ufeff]+|--[^\n]*|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//y],
  ["word", /[A-Za-z_][A-Za-z0-9_]*/y],
  ["number", /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y],
  ["text", /'[^']*(?:''[^']*)*'/y],
  ["quoted", /"[^"]*(?:""[^"]*)*"|`[^`]*(?:``[^`]*)*`/y],
  ["symbol", /<=|>=|<>|!=|::|[-+*%=<>(),.;]|\/(?!\*)/y],
];

/** Splits a client's text into tokens; the last one has kind `end`. Throws SqlError. */
export function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  const at = { ...WHOLE_TEXT };
  while (at.offset < source.length) {
    const [kind, text] = matchAt(source, at);
    if (kind !== "skip") tokens.push(makeToken(kind, text, at));
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
    ? "hex values stand in single quotes, as in '0x1f98…'"
    : "this is no number";
  throw new SqlError(
    { ...at, length: at.length + rest.length },
    `found a number followed by "${rest.slice(0, 20)}": ${hint}`,
  );
}

const UNCLOSED: Record<string, string> = {
  "'": "a text starts here and has no closing quote; write a quote inside a text as ''",
  '"': 'a name in double quotes starts here and has no closing "',
  "`": "a name in back-ticks starts here and has no closing `",
  "/": "a comment starts here and is not closed with */",
  "|": "texts are joined with CONCAT(a, b)",
  "?": "parameters (?) are not supported: write the value itself",
};

function unreadable(char: string): string {
  return UNCLOSED[char] ?? `found ${JSON.stringify(char)}, which means nothing here`;
}

function makeToken(kind: TokenKind, written: string, at: Position): Token {
  const place = { ...at, length: written.length };
  switch (kind) {
    case "word":
      return { kind, text: written, keyword: written.toUpperCase(), at: place };
    case "text":
    case "quoted": {
      const quote = written.charAt(0);
      const text = written.slice(1, -1).replaceAll(quote + quote, quote);
      return { kind, text, keyword: "", at: place };
    }
    default:
      return { kind, text: written, keyword: "", at: place };
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

/** A token as an error message names it. */
export function describeToken(token: Token): string {
  if (token.kind === "end") return "the end of the query";
  const text = token.text.length > 40 ? `${token.text.slice(0, 40)}…` : token.text;
  return token.kind === "text" ? `'${text.replaceAll("'", "''")}'` : `"${text}"`;
}
