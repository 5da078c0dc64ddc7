import { createWriteStream } from "node:fs";
import { rename, rm, stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import type { Command } from "commander";
import { BaseError } from "../../lib/error.ts";
import type { AnswerFormat } from "../../reads/rows/answer-format.ts";
import { textTable } from "../terminal/text-table.ts";
import { errorMessageOf, requestApi, responseError } from "./api-request.ts";
import { parseCsv } from "./csv.ts";
import { InvalidQuery } from "./query-error.ts";
import { openQueryTarget } from "./query-target.ts";
import type { QueryConfig } from "./target-settings.ts";

interface OutputOptions {
  format: AnswerFormat | "table";
  csvSafe?: boolean | undefined;
  /** Path of an output file; absent: standard output. */
  output?: string | undefined;
}

const BINARY: readonly string[] = ["parquet", "arrow"] satisfies AnswerFormat[];

/** Runs a query, and prints its rows or writes them to a file. */
export async function runQuery(given: string, command: Command, config: QueryConfig): Promise<void> {
  const { format, csvSafe, output } = outputOptions(command);
  if (csvSafe && format !== "csv") throw new NotCsv();
  if (BINARY.includes(format) && output === undefined && process.stdout.isTTY) throw new BinaryOutput(format);
  const sql = given === "-" ? await text(process.stdin) : given;
  const target = await openQueryTarget(command, config);
  try {
    notify(target.description);
    const answerFormat = format === "table" ? "csv" : format;
    const response = await requestRows(target.url, config.settings.key, {
      query: sql,
      format: answerFormat,
      ...(csvSafe ? { csv_safe: true } : {}),
    });
    await print(response, { format, output });
  } finally {
    await target.close();
  }
}

function outputOptions(command: Command): OutputOptions {
  const { format, csvSafe, output } = command.opts<OutputOptions>();
  return { format, csvSafe, output: output === "-" ? undefined : output };
}

function notify(message: string): void {
  process.stderr.write(`quarry: ${message}\n`);
}

async function requestRows(
  url: string,
  key: string | undefined,
  body: { query: string; format: string; csv_safe?: boolean },
): Promise<Response> {
  const response = await requestApi(url, "/v1/sql", key, { body });
  if (response.ok && response.headers.has("x-truncated")) return response;
  const received = await response.text();
  const message = response.status === 400 ? errorMessageOf(received) : null;
  throw message === null
    ? responseError(url, response.status, received)
    : new InvalidQuery(message, body.query);
}

async function print(response: Response, { format, output }: OutputOptions): Promise<void> {
  const isTruncated = response.headers.get("x-truncated") === "true";
  if (format === "table") return printTable(await completeText(response), isTruncated, output);
  const { body } = response;
  await write(body === null ? Readable.from([]) : Readable.fromWeb(body as ReadableStream), output);
  if (isTruncated) {
    notify(
      `only the first ${response.headers.get("x-row-limit")} rows were returned; set a LIMIT to get more`,
    );
  }
}

async function printTable(csv: string, isTruncated: boolean, output: string | undefined): Promise<void> {
  const [names = [], ...rows] = parseCsv(csv);
  const onScreen = output === undefined && process.stdout.isTTY === true;
  const table = textTable(names, rows, onScreen ? process.stdout.columns : null);
  await write(Readable.from([`${table}\n`]), output);
  const count = `(${rows.length} ${rows.length === 1 ? "row" : "rows"}${isTruncated ? ", truncated" : ""})\n`;
  (onScreen ? process.stdout : process.stderr).write(count);
}

async function completeText(response: Response): Promise<string> {
  try {
    return await response.text();
  } catch (cause) {
    throw new IncompleteResponse(cause);
  }
}

/**
 * Writes a response to standard output or a file. A file gets its final name when it is complete. A pipe or a
 * device, such as /dev/null, is written directly.
 */
async function write(source: Readable, output: string | undefined): Promise<void> {
  if (output === undefined) return writeToScreen(source);
  const isFile = await stat(output).then(
    (found) => found.isFile(),
    () => true,
  );
  const draft = isFile ? `${output}.part` : output;
  try {
    await pipeline(source, createWriteStream(draft));
    if (isFile) await rename(draft, output);
  } catch (cause) {
    if (isFile) await rm(draft, { force: true });
    throw isSystemError(cause) ? new UnwritableFile(output, cause) : new IncompleteResponse(cause);
  }
}

async function writeToScreen(source: Readable): Promise<void> {
  try {
    await pipeline(source, process.stdout, { end: false });
  } catch (cause) {
    // The reader, such as `head`, needs no more.
    if (isSystemError(cause) && cause.code === "EPIPE") return;
    throw new IncompleteResponse(cause);
  }
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error;
}

class NotCsv extends BaseError {
  constructor() {
    super("bad-config", "--csv-safe applies to CSV only. Add --format csv.");
  }
}

class BinaryOutput extends BaseError {
  constructor(format: string) {
    super("bad-config", `${format} is a binary format. Give a file with --output, or use a pipe.`);
  }
}

class IncompleteResponse extends BaseError {
  constructor(cause: unknown) {
    super("endpoint", "the response ended before it was complete. Try again.", { cause });
  }
}

class UnwritableFile extends BaseError {
  constructor(file: string, cause: NodeJS.ErrnoException) {
    super("bad-config", `cannot write ${file}: ${cause.code}. Give another file with --output.`, { cause });
  }
}
