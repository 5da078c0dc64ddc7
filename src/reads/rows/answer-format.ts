import { type Sql, sql } from "../../engine-sql/sql-text.ts";
import type { AnswerForm } from "../../sql/compile.ts";
import { firstLines, firstOfArray, type JsonRows } from "./json-rows.ts";

type Cut = (lines: AsyncIterable<Uint8Array>, maxRows: number, seen: JsonRows) => AsyncGenerator<Uint8Array>;

interface AnswerFormatRules {
  /** The engine's name for the format. */
  engineFormat: string;
  /** Settings that the statement needs for the format. */
  settings: Sql;
  form: AnswerForm;
  /** Truncates the answer after a number of rows; null for formats that cannot be truncated. */
  cut: Cut | null;
}

const NO_SETTINGS = sql``;

/** The setting is part of the statement, because a session of the embedded engine would otherwise keep it. */
const AS_ARRAY = sql` SETTINGS output_format_json_array_of_rows = 1`;

/** The formats for the rows of a client's query. */
export const ANSWER_FORMATS = {
  json: { engineFormat: "JSONEachRow", settings: AS_ARRAY, form: "json", cut: firstOfArray },
  ndjson: { engineFormat: "JSONEachRow", settings: NO_SETTINGS, form: "json", cut: firstLines },
  csv: { engineFormat: "CSVWithNames", settings: NO_SETTINGS, form: "csv", cut: null },
  parquet: { engineFormat: "Parquet", settings: NO_SETTINGS, form: "typed", cut: null },
  arrow: { engineFormat: "ArrowStream", settings: NO_SETTINGS, form: "typed", cut: null },
} as const satisfies Record<string, AnswerFormatRules>;

export type AnswerFormat = keyof typeof ANSWER_FORMATS;

export const ANSWER_FORMAT_NAMES = Object.keys(ANSWER_FORMATS) as AnswerFormat[];
