import { BaseError } from "../../lib/error.ts";

/** A place in the client's text: what is written there. Columns, offsets and lengths are in UTF-16 units. */
export interface Position {
  /** From 1. */
  line: number;
  /** From 1. */
  column: number;
  /** From the start of the text, from 0. */
  offset: number;
  /** 0: it concerns the text as a whole, or its end. */
  length: number;
}

/** The place of what no part of the text alone is to blame for. */
export const WHOLE_TEXT: Position = { line: 1, column: 1, offset: 0, length: 0 };

/** From the start of one place to the end of another one behind it. */
export function span(from: Position, to: Position): Position {
  return { ...from, length: to.offset + to.length - from.offset };
}

/** What an error says besides its sentence, where it knows. */
export interface SqlHint {
  /** What could stand at the place. */
  expected?: string | undefined;
  /** What stands there, in words. */
  found?: string | undefined;
  /** A known name that could replace what stands there. */
  suggestion?: string | null | undefined;
}

/** What is wrong with a client's SQL, and where. The message is meant for the client. */
export class SqlError extends BaseError {
  readonly at: Position;
  readonly hint: SqlHint;

  constructor(at: Position, problem: string, hint: SqlHint = {}) {
    super("bad-input", `line ${at.line}:${at.column}: ${shorten(problem)}`);
    this.at = { ...at };
    this.hint = hint;
  }
}

/** A message quotes the client's expressions, which are as long as the client likes. */
const LONGEST = 800;
const END = 200;

function shorten(problem: string): string {
  if (problem.length <= LONGEST) return problem;
  return `${problem.slice(0, LONGEST - END)} … ${problem.slice(-END)}`;
}
