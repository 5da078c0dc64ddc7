import type { AnswerForm } from "../sql/compile.ts";
import { firstLines, type JsonRows, jsonArray } from "./json-rows.ts";

type Shape = (
  lines: AsyncIterable<Uint8Array>,
  maxRows: number,
  seen: JsonRows,
) => AsyncGenerator<Uint8Array>;

interface AnswerFormatRules {
  /** The engine's name of what it writes. */
  engineFormat: string;
  form: AnswerForm;
  /** Makes the answer of the engine's lines; null where the engine writes the answer itself. */
  shape: Shape | null;
}

/** The forms that rows of a client's query can be answered in. */
export const ANSWER_FORMATS = {
  json: { engineFormat: "JSONEachRow", form: "json", shape: jsonArray },
  ndjson: { engineFormat: "JSONEachRow", form: "json", shape: firstLines },
  csv: { engineFormat: "CSVWithNames", form: "json", shape: null },
  parquet: { engineFormat: "Parquet", form: "typed", shape: null },
  arrow: { engineFormat: "ArrowStream", form: "typed", shape: null },
} as const satisfies Record<string, AnswerFormatRules>;

export type AnswerFormat = keyof typeof ANSWER_FORMATS;

export const ANSWER_FORMAT_NAMES = Object.keys(ANSWER_FORMATS) as AnswerFormat[];
