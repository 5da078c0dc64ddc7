import { ANSWER_FORMAT_NAMES, type AnswerFormat } from "../../reads/rows/answer-format.ts";
import { Refused } from "../errors/errors.ts";

/** What an answer in each format is sent as. */
export const MEDIA_TYPES: Record<AnswerFormat, string> = {
  json: "application/json",
  ndjson: "application/x-ndjson",
  csv: "text/csv",
  parquet: "application/vnd.apache.parquet",
  arrow: "application/vnd.apache.arrow.stream",
};

/** Other names that clients use. */
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
 * The format that an Accept header asks for (RFC 9110, 12.5.1): of the best quality, and of those the one that is
 * listed first; JSON where anything will do.
 *
 * @throws NotAcceptable
 */
export function acceptedFormat(accept: string | undefined): AnswerFormat {
  const ranges = rangesOf(accept ?? "*/*");
  const offers = TYPES.map(([type, format]) => ({ format, ...bestRange(type, ranges) })).filter(
    ({ quality }) => quality > 0,
  );
  const [best] = offers.sort((a, b) => b.quality - a.quality || b.width - a.width || a.place - b.place);
  if (best === undefined) throw new NotAcceptable(accept ?? "");
  return best.format;
}

/** Accept lists more than a browser's are no lists to choose from. */
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

/** The narrowest range that a type lies in says how good it is: `text/csv`, then `text/*`, then `*` + `/*`. */
function bestRange(type: string, ranges: readonly MediaRange[]) {
  const family = `${type.split("/", 1)[0]}/*`;
  const names = ["*/*", family, type];
  return ranges.reduce(
    (best, range, place) => {
      const width = names.indexOf(range.type);
      return width > best.width ? { quality: range.quality, width, place } : best;
    },
    { quality: 0, width: -1, place: 0 },
  );
}

class NotAcceptable extends Refused {
  constructor(accept: string) {
    const shown = accept.length > MAX_SHOWN ? `${accept.slice(0, MAX_SHOWN)}…` : accept;
    super(
      406,
      `There is no answer in ${JSON.stringify(shown)}. Accept ${Object.values(MEDIA_TYPES).join(", ")}; or set format to ${ANSWER_FORMAT_NAMES.join(", ")}.`,
    );
  }
}

const MAX_SHOWN = 100;
