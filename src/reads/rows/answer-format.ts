import { type Sql, sql } from "../../engine-sql/sql-text.ts";
import type { AnswerForm } from "../../sql/compile.ts";
import { firstLines, firstOfArray, type JsonRows } from "./json-rows.ts";

type Cut = (lines: AsyncIterable<Uint8Array>, maxRows: number, seen: JsonRows) => AsyncGenerator<Uint8Array>;

interface AnswerFormatRules {
  /** The engine's name of what it writes. */
  engineFormat: string;
  /** What the query says of it besides. */
  settings: Sql;
  form: AnswerForm;
  /** Leaves out the rows beyond the first; null where what the engine writes cannot be cut. */
  cut: Cut | null;
}

const NO_SETTINGS = sql``;

/** In the query, because a session of the embedded engine would keep it. */
const AS_ARRAY = sql` SETTINGS output_format_json_array_of_rows = 1`;

/** The forms that rows of a client's query can be answered in. */
export const ANSWER_FORMATS = {
  json: { engineFormat: "JSONEachRow", settings: AS_ARRAY, form: "json", cut: firstOfArray },
  ndjson: { engineFormat: "JSONEachRow", settings: NO_SETTINGS, form: "json", cut: firstLines },
  csv: { engineFormat: "CSVWithNames", settings: NO_SETTINGS, form: "json", cut: null },
  parquet: { engineFormat: "Parquet", settings: NO_SETTINGS, form: "typed", cut: null },
  arrow: { engineFormat: "ArrowStream", settings: NO_SETTINGS, form: "typed", cut: null },
} as const satisfies Record<string, AnswerFormatRules>;

export type AnswerFormat = keyof typeof ANSWER_FORMATS;

export const ANSWER_FORMAT_NAMES = Object.keys(ANSWER_FORMATS) as AnswerFormat[];
