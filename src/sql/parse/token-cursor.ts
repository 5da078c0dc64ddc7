import type { SqlLimits } from "../syntax/limits.ts";
import { type Position, SqlError, WHOLE_TEXT } from "../syntax/sql-error.ts";
import type { Expression } from "../syntax/syntax-tree.ts";
import { describeToken, type Token } from "./lexer.ts";
import { REFUSED_WORDS } from "./reserved-words.ts";

/** Walks over tokens and enforces the limits on nesting and size. */
export class TokenCursor {
  private readonly tokens: readonly Token[];
  private readonly limits: SqlLimits;
  private index = 0;
  private nesting = 0;
  private nodes = 0;

  constructor(tokens: readonly Token[], limits: SqlLimits) {
    this.tokens = tokens;
    this.limits = limits;
  }

  peek(ahead = 0): Token {
    const token = this.tokens[Math.min(this.index + ahead, this.tokens.length - 1)];
    if (token === undefined) throw new SqlError(WHOLE_TEXT, "the query is empty");
    return token;
  }

  next(): Token {
    const token = this.peek();
    this.index += 1;
    return token;
  }

  atKeyword(...words: string[]): boolean {
    return words.includes(this.peek().keyword);
  }

  atSymbol(...symbols: string[]): boolean {
    return this.peek().kind === "symbol" && symbols.includes(this.peek().text);
  }

  /** Consumes and returns the keyword if it comes next. Returns null otherwise. */
  acceptKeyword(word: string): Token | null {
    return this.atKeyword(word) ? this.next() : null;
  }

  acceptSymbol(...symbols: string[]): Token | null {
    return this.atSymbol(...symbols) ? this.next() : null;
  }

  expectKeyword(word: string): Token {
    return this.acceptKeyword(word) ?? this.fail(word);
  }

  expectSymbol(symbol: string, expected = `"${symbol}"`): Token {
    return this.acceptSymbol(symbol) ?? this.fail(expected);
  }

  /** Throws an error that shows the next token, and says why it is refused or what is expected instead. */
  fail(expected: string): never {
    const token = this.peek();
    const refusal = REFUSED_WORDS.get(token.keyword);
    if (refusal !== undefined) throw new SqlError(token.at, `${token.keyword} is not supported: ${refusal}`);
    const found = describeToken(token);
    throw new SqlError(token.at, `expected ${expected}, found ${found}`, { expected, found });
  }

  /** Runs a parser one level deeper. The limit on depth keeps any text from exhausting the stack. */
  nested<T>(parse: (cursor: TokenCursor) => T): T {
    this.nesting += 1;
    this.checkDepth(this.nesting, this.peek().at);
    const parsed = parse(this);
    this.nesting -= 1;
    return parsed;
  }

  /** Counts a new node above these children, and returns its position and depth. */
  newNode(at: Position, ...children: readonly Expression[]): { at: Position; depth: number } {
    this.nodes += 1;
    if (this.nodes > this.limits.nodes) {
      throw new SqlError(at, `the query has more than ${this.limits.nodes} names, values and operations`);
    }
    let depth = 1;
    for (const child of children) depth = Math.max(depth, child.depth + 1);
    this.checkDepth(depth, at);
    return { at, depth };
  }

  private checkDepth(depth: number, at: Position): void {
    if (depth > this.limits.depth) {
      throw new SqlError(at, `expressions are nested more than ${this.limits.depth} levels deep`);
    }
  }
}
