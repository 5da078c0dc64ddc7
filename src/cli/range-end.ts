import { InvalidArgumentError } from "commander";
import type { RangeEnd } from "../exports/range.ts";

/** Reads an end of a range from the command line: a block number or a day. */
export function rangeEnd(text: string): RangeEnd {
  if (/^\d{1,15}$/.test(text)) return { block: Number(text) };
  const startMs = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  // A day beyond the end of a month, such as February 30, is parsed as a day of the next month.
  if (Number.isNaN(startMs) || startMs < 0 || !new Date(startMs).toISOString().startsWith(text))
    throw new InvalidArgumentError("Give a block number, or a day as YYYY-MM-DD.");
  return { day: startMs / 1000 };
}
