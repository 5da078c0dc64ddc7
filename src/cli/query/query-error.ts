import { BaseError } from "../../lib/error.ts";

/** How many characters of a long line are shown before and after the position of an error. */
const SHOWN_BEFORE = 60;
const SHOWN_AFTER = 40;

/** A query that was rejected, with the position of the error marked if the message has one. */
export class InvalidQuery extends BaseError {
  constructor(message: string, query: string) {
    const marked = markedLine(message, query);
    super("bad-input", marked === null ? message : `${message}\n${marked}`);
  }
}

function markedLine(message: string, query: string): string | null {
  const [, line, column] = /^line (\d+):(\d+): /.exec(message) ?? [];
  const text = query.split(/\r\n|\r|\n/)[Number(line) - 1];
  if (text === undefined || Number(column) > text.length + 1) return null;
  const at = Number(column) - 1;
  const start = Math.max(0, at - SHOWN_BEFORE);
  const shown = text.slice(start, at + SHOWN_AFTER).replaceAll(/\p{Cc}/gu, " ");
  return `  ${shown}\n  ${" ".repeat(at - start)}^`;
}
