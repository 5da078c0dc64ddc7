import type { z } from "zod";
import { EVERYTHING, isKept } from "../../../schema/scope.ts";
import type { TableName } from "../../../schema/tables.ts";
import type { Endpoint } from "../../endpoint/endpoint.ts";
import { type StatusAnswer, status } from "../../endpoints/operations/status.ts";
import { search, searchAnswer } from "../../endpoints/search/search.ts";
import { sql } from "../../endpoints/sql/sql.ts";
import { type AsOf, asOf } from "../answer.ts";
import type { Ask } from "../ask.ts";

/** A fragment of SQL that is inserted into a query unchanged. */
export interface SqlText {
  sql: string;
}

/** Makes a query with its values inserted; strings become literals, whatever they contain. */
export function sqlText(parts: TemplateStringsArray, ...values: (string | number | SqlText)[]): SqlText {
  return { sql: parts.map((part, i) => part + (i < values.length ? literalOf(values[i]) : "")).join("") };
}

function literalOf(value: string | number | SqlText | undefined): string {
  if (typeof value === "object") return value.sql;
  return typeof value === "number" ? String(value) : `'${(value ?? "").replaceAll("'", "''")}'`;
}

/** Maximum number of results of each kind that the endpoint returns. */
export const MAX_MATCHES = 50;

export type Matches = z.infer<typeof searchAnswer>;

/** Searches one chain with several requests. */
export class ChainSearch {
  readonly #chain: string;
  /** `max_lag` of every request that reads blocks, as the client gave it; empty if it gave none. */
  readonly #freshness: { max_lag?: unknown };
  readonly #ask: Ask;
  #asOf: AsOf | null = null;
  #isLimited = false;

  /** @param maxLag as the client gave it; undefined: any age */
  constructor(chain: string, maxLag: unknown, ask: Ask) {
    this.#chain = chain;
    this.#freshness = maxLag === undefined ? {} : { max_lag: maxLag };
    this.#ask = ask;
  }

  /** The oldest commit that one of the answers reflects. */
  get asOf(): AsOf | null {
    return this.#asOf;
  }

  /** Whether a search found as many tokens or pools as the endpoint returns, so there may be more. */
  get isLimited(): boolean {
    return this.#isLimited;
  }

  /** Finds tokens and pools that match a string, each best first and spam last. */
  async matches(text: string, kind: "all" | "token" | "pool"): Promise<Matches> {
    const given = { query: text, chain: this.#chain, kind, size: MAX_MATCHES, show_spam: true };
    const found = searchAnswer.parse(await this.#request(search, { ...given, ...this.#freshness }));
    this.#isLimited ||= Math.max(found.tokens.length, found.pools.length) >= MAX_MATCHES;
    return found;
  }

  /** Returns whether the service stores a table of the chain. */
  async isKept(table: TableName): Promise<boolean> {
    const { chains } = (await this.#request(status, {})) as StatusAnswer;
    const found = chains.find(({ chain }) => chain === this.#chain);
    return found !== undefined && isKept({ ...EVERYTHING, keep: found.keep }, table);
  }

  table(name: string): SqlText {
    return { sql: `"${`${this.#chain}_${name}`.replaceAll('"', '""')}"` };
  }

  async rows<Row>({ sql: query }: SqlText): Promise<Row[]> {
    return (await this.#request(sql, { query, format: "json", ...this.#freshness })) as Row[];
  }

  async #request(endpoint: Endpoint, given: Record<string, unknown>): Promise<unknown> {
    const answered = await this.#ask(endpoint, given);
    const seen = asOf(answered);
    if (seen !== null && seen.commit < (this.#asOf?.commit ?? Number.POSITIVE_INFINITY)) this.#asOf = seen;
    return answered.body;
  }
}
