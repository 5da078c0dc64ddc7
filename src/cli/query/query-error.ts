import { BaseError } from "../../lib/error.ts";

/** How much of a long line is shown around the place of a mistake. */
const SHOWN_BEFORE = 60;
const SHOWN_AFTER = 40;

/** A query that was refused, with a mark under the place of the mistake where the message names one. */
export class InvalidQuery extends BaseError {
  constructor(sentence: string, query: string) {
    const marked = markedLine(sentence, query);
    super("bad-input", marked === null ? sentence : `${sentence}\n${marked}`);
  }
}

function markedLine(sentence: string, query: string): string | null {
  const [, line, column] = /^line (\d+):(\d+): /.exec(sentence) ?? [];
  const text = query.split(/\r\n|\r|\n/)[Number(line) - 1];
  if (text === undefined || Number(column) > text.length + 1) return null;
  const at = Number(column) - 1;
  const start = Math.max(0, at - SHOWN_BEFORE);
  const shown = text.slice(start, at + SHOWN_AFTER).replaceAll(/\p{Cc}/gu, " ");
  return `  ${shown}\n  ${" ".repeat(at - start)}^`;
}
