import { ANSWER_FORMAT_NAMES, type AnswerFormat } from "../../reads/rows/answer-format.ts";
import { HttpError } from "../errors/errors.ts";

/** Media type of each format. */
export const MEDIA_TYPES: Record<AnswerFormat, string> = {
  json: "application/json",
  ndjson: "application/x-ndjson",
  csv: "text/csv",
  parquet: "application/vnd.apache.parquet",
  arrow: "application/vnd.apache.arrow.stream",
};

/** Other names that clients use for the formats. */
const OTHER_TYPES: Record<string, AnswerFormat> = {
  "application/ndjson": "ndjson",
  "application/jsonl": "ndjson",
};

const TYPES: readonly (readonly [string, AnswerFormat])[] = [
  ...ANSWER_FORMAT_NAMES.map((format) => [MEDIA_TYPES[format], format] as const),
  ...Object.entries(OTHER_TYPES),
];

const CHARSETS: Partial<Record<AnswerFormat, string>> = {
  json: "; charset=utf-8",
  ndjson: "; charset=utf-8",
  csv: "; charset=utf-8; header=present",
};

export function contentType(format: AnswerFormat): string {
  return MEDIA_TYPES[format] + (CHARSETS[format] ?? "");
}

interface MediaRange {
  type: string;
  quality: number;
}

/**
 * Returns the format that an Accept header requests (RFC 9110, 12.5.1): the one with the highest quality.
 * Among equals, a format with a narrower range comes first, then the one that appears earlier in the header.
 * JSON if anything is accepted.
 *
 * @throws NotAcceptable
 */
export function acceptedFormat(accept: string | undefined): AnswerFormat {
  const ranges = rangesOf(accept ?? "*/*");
  const offers = TYPES.map(([type, format]) => ({ format, ...bestRange(type, ranges) })).filter(
    ({ quality }) => quality > 0,
  );
  const [best] = offers.sort((a, b) => b.quality - a.quality || b.width - a.width || a.index - b.index);
  if (best === undefined) throw new NotAcceptable(accept ?? "");
  return best.format;
}

/** Maximum number of media ranges read from an Accept header: more than any browser sends. */
const MAX_RANGES = 64;

function rangesOf(accept: string): MediaRange[] {
  const listed = accept.split(",", MAX_RANGES).map((item) => item.trim().toLowerCase());
  const ranges = listed.filter((item) => item !== "").map(rangeOf);
  return ranges.length === 0 ? [{ type: "*/*", quality: 1 }] : ranges;
}

function rangeOf(item: string): MediaRange {
  const [type = "", ...parameters] = item.split(";").map((part) => part.trim());
  const given = parameters.find((parameter) => parameter.startsWith("q="));
  const quality = given === undefined ? 1 : Number(given.slice(2));
  return { type, quality: quality >= 0 && quality <= 1 ? quality : 0 };
}

/**
 * Returns the narrowest range that includes a type, which decides the type's quality: `text/csv`, then
 * `text/*`, then `*` + `/*`.
 */
function bestRange(type: string, ranges: readonly MediaRange[]) {
  const family = `${type.split("/", 1)[0]}/*`;
  const names = ["*/*", family, type];
  return ranges.reduce(
    (best, range, index) => {
      const width = names.indexOf(range.type);
      return width > best.width ? { quality: range.quality, width, index } : best;
    },
    { quality: 0, width: -1, index: 0 },
  );
}

class NotAcceptable extends HttpError {
  constructor(accept: string) {
    const text = accept.length > MAX_PREVIEW ? `${accept.slice(0, MAX_PREVIEW)}…` : accept;
    super(
      406,
      `The service cannot respond in ${JSON.stringify(text)}. Set Accept to one of ${Object.values(MEDIA_TYPES).join(", ")}; or set format to one of ${ANSWER_FORMAT_NAMES.join(", ")}.`,
    );
  }
}

const MAX_PREVIEW = 100;
