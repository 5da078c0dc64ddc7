import { BaseError } from "../lib/error.ts";

/** A place in the client's text; both count from 1, columns in UTF-16 units. */
export interface Position {
  line: number;
  column: number;
}

/** What is wrong with a client's SQL, and where. The message is meant for the client. */
export class SqlError extends BaseError {
  readonly at: Position;

  constructor(at: Position, problem: string) {
    super("bad-input", `line ${at.line}:${at.column}: ${shorten(problem)}`);
    this.at = at;
  }
}

/** A message quotes the client's expressions, which are as long as the client likes. */
const LONGEST = 800;
const END = 200;

function shorten(problem: string): string {
  if (problem.length <= LONGEST) return problem;
  return `${problem.slice(0, LONGEST - END)} … ${problem.slice(-END)}`;
}
