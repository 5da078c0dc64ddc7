import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { basename } from "node:path";
import { InvalidFile } from "../../e2store/invalid-file.ts";

/** Maximum length of a line, in characters. The input of a transaction takes two characters per byte. */
export const MAX_LINE_LENGTH = 16 * 2 ** 20;

/**
 * Yields the non-empty lines of a file, without line breaks and without the byte order mark.
 *
 * @throws InvalidFile if a line is too long or the last one is truncated
 */
export async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = "";
  let number = 0;
  for await (const chunk of createReadStream(path, { encoding: "utf8", highWaterMark: 2 ** 20 })) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      number++;
      const content = contentOf(line, number);
      if (content !== "") yield content;
    }
    if (rest.length > MAX_LINE_LENGTH) throw new InvalidFile(basename(path), `line ${number + 1}`, TOO_LONG);
  }
  if (rest !== "") throw new InvalidFile(basename(path), `line ${number + 1}`, CUT);
}

/** @param number 1 for the first line of the file */
function contentOf(line: string, number: number): string {
  const content = line.endsWith("\r") ? line.slice(0, -1) : line;
  return number === 1 ? withoutMark(content) : content;
}

const TOO_LONG = `it has more than ${MAX_LINE_LENGTH} characters`;
/** Some editors write it before the first line. */
const BYTE_ORDER_MARK = "\uFEFF";

/** @param start the beginning of the file */
function withoutMark(start: string): string {
  return start.startsWith(BYTE_ORDER_MARK) ? start.slice(BYTE_ORDER_MARK.length) : start;
}

/**
 * Returns the first line of a file, or only its beginning if the line is too long or truncated. That is not
 * an error, because the file may be of another kind.
 */
export async function firstLineOf(path: string): Promise<string> {
  let text = "";
  for await (const chunk of createReadStream(path, { encoding: "utf8", highWaterMark: 2 ** 16 })) {
    text += chunk;
    if (text.includes("\n") || text.length > MAX_LINE_LENGTH) break;
  }
  const [line = ""] = text.split("\n", 1);
  return withoutMark(line).trimEnd();
}

/** Both csv and JSON lines of ethereum-etl end with a line break. */
const CUT = "the file ends in the middle of the line: it has no line break";

const TAIL_BYTES = 2 ** 16;

/** Returns the last line of a file; null if it has none. */
export async function lastLineOf(path: string): Promise<string | null> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    for (let length = Math.min(size, TAIL_BYTES); ; length = Math.min(size, 2 * length)) {
      const bytes = Buffer.alloc(length);
      await file.read(bytes, 0, length, size - length);
      const end = bytes.toString("utf8").trimEnd();
      const text = length === size ? withoutMark(end) : end;
      const at = text.lastIndexOf("\n");
      if (at >= 0 || length === size) return text === "" ? null : text.slice(at + 1);
      if (length > MAX_LINE_LENGTH) throw new InvalidFile(basename(path), "last line", TOO_LONG);
    }
  } finally {
    await file.close();
  }
}
