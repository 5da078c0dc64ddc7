import { BaseError } from "../../lib/error.ts";

/** A range of the client's text. Columns, offsets and lengths are in UTF-16 units. */
export interface Position {
  /** From 1. */
  line: number;
  /** From 1. */
  column: number;
  /** From the start of the text, from 0. */
  offset: number;
  /** 0 for the text as a whole, or its end. */
  length: number;
}

/** The position of an error that no particular part of the text causes. */
export const WHOLE_TEXT: Position = { line: 1, column: 1, offset: 0, length: 0 };

/** Returns the range from the start of one range to the end of a later one. */
export function span(from: Position, to: Position): Position {
  return { ...from, length: to.offset + to.length - from.offset };
}

/** Optional details of an error, in addition to its message. */
export interface SqlHint {
  /** What is allowed at the position. */
  expected?: string | undefined;
  /** What was found there, in words. */
  found?: string | undefined;
  /** A known name that could replace it. */
  suggestion?: string | null | undefined;
}

/** An error in a client's SQL, with its position. The message is for the client. */
export class SqlError extends BaseError {
  readonly at: Position;
  readonly hint: SqlHint;

  constructor(at: Position, problem: string, hint: SqlHint = {}) {
    super("bad-input", `line ${at.line}:${at.column}: ${shorten(problem)}`);
    this.at = { ...at };
    this.hint = hint;
  }
}

/** Maximum length of a message. Messages quote the client's expressions, which may have any length. */
const LONGEST = 800;
const TAIL = 200;

function shorten(problem: string): string {
  if (problem.length <= LONGEST) return problem;
  return `${problem.slice(0, LONGEST - TAIL)} … ${problem.slice(-TAIL)}`;
}
