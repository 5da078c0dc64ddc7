import { sql as endpoint } from "../../endpoints/sql/sql.ts";
import { type AsOf, asOf } from "../answer.ts";
import type { Ask } from "../ask.ts";

/** A fragment of a query, inserted unchanged. */
export interface SqlText {
  sql: string;
}

/** A query with its values inserted; texts become literals, whatever they contain. */
export function sqlText(parts: TemplateStringsArray, ...values: (string | number | SqlText)[]): SqlText {
  return { sql: parts.map((part, i) => part + (i < values.length ? literalOf(values[i]) : "")).join("") };
}

/** The values of an IN list. */
export function listOf(values: readonly string[]): SqlText {
  return { sql: values.map(literalOf).join(", ") };
}

function literalOf(value: string | number | SqlText | undefined): string {
  if (typeof value === "object") return value.sql;
  return typeof value === "number" ? String(value) : `'${(value ?? "").replaceAll("'", "''")}'`;
}

/** Searches one chain with several queries. */
export class Search {
  /** Time of the newest indexed block, unix seconds. */
  readonly until: number;
  readonly #chain: string;
  readonly #ask: Ask;
  #asOf: AsOf | null = null;

  constructor(chain: string, until: number, ask: Ask) {
    this.#chain = chain;
    this.until = until;
    this.#ask = ask;
  }

  /** The oldest commit that a query saw. */
  get asOf(): AsOf | null {
    return this.#asOf;
  }

  table(name: string): SqlText {
    return { sql: `"${`${this.#chain}_${name}`.replaceAll('"', '""')}"` };
  }

  async rows<Row>({ sql }: SqlText): Promise<Row[]> {
    const answered = await this.#ask(endpoint, { query: sql, format: "json" });
    const seen = asOf(answered);
    if (seen !== null && seen.commit < (this.#asOf?.commit ?? Number.POSITIVE_INFINITY)) this.#asOf = seen;
    return answered.body as Row[];
  }
}
