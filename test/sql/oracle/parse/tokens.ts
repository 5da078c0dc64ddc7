import { unknown } from "../unknown.ts";

export interface Token {
  kind: "name" | "quoted" | "text" | "number" | "sign" | "end";
  /** The text of the token. Quoted names and strings are stored without their quotes. */
  text: string;
}

const BLANK = /\s+|--[^\n]*|\/\*[\s\S]*?\*\//y;
const TOKEN =
  /(?<name>[A-Za-z_]\w*)|(?<quoted>"(?:[^"]|"")*"|`(?:[^`]|``)*`)|(?<text>'(?:[^']|'')*')|(?<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?<sign>::|<>|!=|<=|>=|[-+*/%(),.<>=;])/y;

const END: Token = { kind: "end", text: "" };

function tokenize(query: string): Token[] {
  const tokens: Token[] = [];
  for (let at = skip(query, 0); at < query.length; at = skip(query, TOKEN.lastIndex)) {
    TOKEN.lastIndex = at;
    const groups = TOKEN.exec(query)?.groups;
    const [kind, text] = Object.entries(groups ?? {}).find(([, found]) => found !== undefined) ?? [];
    if (kind === undefined || text === undefined) throw unknown(`sign: ${query.slice(at, at + 10)}`);
    tokens.push({
      kind: kind as Token["kind"],
      text: kind === "text" || kind === "quoted" ? inner(text) : text,
    });
  }
  return tokens;
}

function skip(query: string, from: number): number {
  BLANK.lastIndex = from;
  return BLANK.test(query) ? skip(query, BLANK.lastIndex) : from;
}

function inner(quoted: string): string {
  const quote = quoted.charAt(0);
  return quoted.slice(1, -1).replaceAll(quote + quote, quote);
}

/** A cursor over the tokens of a query. */
export class Tokens {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(query: string) {
    this.#tokens = tokenize(query);
  }

  ahead(count = 0): Token {
    return this.#tokens[this.#at + count] ?? END;
  }

  next(): Token {
    const token = this.ahead();
    this.#at++;
    return token;
  }

  isWord(word: string, count = 0): boolean {
    const { kind, text } = this.ahead(count);
    return kind === "name" && text.toUpperCase() === word;
  }

  isSign(sign: string, count = 0): boolean {
    const { kind, text } = this.ahead(count);
    return kind === "sign" && text === sign;
  }

  takeWord(word: string): boolean {
    const found = this.isWord(word);
    if (found) this.#at++;
    return found;
  }

  takeSign(sign: string): boolean {
    const found = this.isSign(sign);
    if (found) this.#at++;
    return found;
  }

  expectWord(word: string): void {
    if (!this.takeWord(word)) throw unknown(`form: ${word} expected before ${this.ahead().text}`);
  }

  expectSign(sign: string): void {
    if (!this.takeSign(sign)) throw unknown(`form: ${sign} expected before ${this.ahead().text}`);
  }

  /** Parses items separated by commas. */
  list<T>(item: () => T): T[] {
    const items = [item()];
    while (this.takeSign(",")) items.push(item());
    return items;
  }
}
