import { createWriteStream } from "node:fs";
import { rename, rm, stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { Command, Option } from "commander";
import { BaseError } from "../lib/error.ts";
import { ANSWER_FORMAT_NAMES, type AnswerFormat } from "../reads/answer-format.ts";
import { parseCsv } from "./csv.ts";
import { addSettings, configOf } from "./options.ts";
import { QUERY_SETTINGS, queryService } from "./query-answerer.ts";
import { QueryRefused } from "./query-error.ts";
import { queryTable } from "./query-table.ts";

interface OutputOptions {
  format: AnswerFormat | "table";
  output?: string | undefined;
}

const BINARY: readonly string[] = ["parquet", "arrow"] satisfies AnswerFormat[];

/** `quarry query <sql>`: asks a running service, or the data directory where none runs. */
export function queryCommand(): Command {
  const command = new Command("query")
    .description("ask in SQL: a running service, or the data directory where none runs")
    .argument("<sql>", "the query; - reads it from standard input")
    .addOption(
      new Option("--format <format>", "form of the answer")
        .choices(["table", ...ANSWER_FORMAT_NAMES])
        .default("table"),
    )
    .option("--output <file>", "file for the answer (default: standard output)");
  return addSettings(command, QUERY_SETTINGS).action(async (given: string) => {
    const { format, output } = command.opts<OutputOptions>();
    if (BINARY.includes(format) && output === undefined && process.stdout.isTTY)
      throw new BinaryOutput(format);
    const sql = given === "-" ? await text(process.stdin) : given;
    const { settings } = configOf(command, QUERY_SETTINGS);
    const storeIsNamed = ["data", "clickhouse"].some((name) => command.getOptionValueSource(name) === "cli");
    const service = await queryService(settings, { storeIsNamed });
    try {
      tell(service.told);
      const asked = { url: service.url, key: settings.key, sql, format: format === "table" ? "csv" : format };
      await print(await ask(asked), { format, output });
    } finally {
      await service.close();
    }
  });
}

function tell(sentence: string): void {
  process.stderr.write(`quarry: ${sentence}\n`);
}

interface Question {
  url: string;
  key: string | undefined;
  sql: string;
  format: string;
}

async function ask({ url, key, sql, format }: Question): Promise<Response> {
  const headers = {
    "content-type": "application/json",
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
  };
  const body = JSON.stringify({ query: sql, format });
  const response = await fetch(`${url}/v1/sql`, { method: "POST", headers, body }).catch((cause) => {
    throw new NoAnswer(url, cause);
  });
  if (response.ok && response.headers.has("x-truncated")) return response;
  const answer = await response.text();
  const sentence = sentenceOf(answer);
  if (sentence === null) throw new NotQuarry(url, response.status);
  throw response.status === 400 ? new QueryRefused(sentence, sql) : new QueryFailed(sentence);
}

function sentenceOf(answer: string): string | null {
  try {
    const body: unknown = JSON.parse(answer);
    return typeof body === "object" && body !== null && "error" in body ? String(body.error) : null;
  } catch {
    return null;
  }
}

async function print(response: Response, { format, output }: OutputOptions): Promise<void> {
  const isTruncated = response.headers.get("x-truncated") === "true";
  if (format === "table") return printTable(await wholeText(response), { isTruncated, output });
  const { body } = response;
  await write(body === null ? Readable.from([]) : Readable.fromWeb(body as ReadableStream), output);
  if (isTruncated) {
    tell(`only the first ${response.headers.get("x-row-limit")} rows; there are more. Set a LIMIT.`);
  }
}

async function printTable(
  csv: string,
  { isTruncated, output }: { isTruncated: boolean; output: string | undefined },
): Promise<void> {
  const [names = [], ...rows] = parseCsv(csv);
  const onScreen = output === undefined && process.stdout.isTTY === true;
  const table = queryTable(names, rows, { width: onScreen ? process.stdout.columns : null });
  await write(Readable.from([`${table}\n`]), output);
  const count = `(${rows.length} ${rows.length === 1 ? "row" : "rows"}${isTruncated ? ", truncated" : ""})\n`;
  (onScreen ? process.stdout : process.stderr).write(count);
}

async function wholeText(response: Response): Promise<string> {
  try {
    return await response.text();
  } catch (cause) {
    throw new TornAnswer(cause);
  }
}

/** A file has its name only when it is whole. A pipe or a device, such as /dev/null, is written to and stays what it is. */
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
    throw isSystemError(cause) ? new UnwritableFile(output, cause) : new TornAnswer(cause);
  }
}

async function writeToScreen(source: Readable): Promise<void> {
  try {
    await pipeline(source, process.stdout, { end: false });
  } catch (cause) {
    // Whoever reads us has read enough, as `head` has.
    if (isSystemError(cause) && cause.code === "EPIPE") return;
    throw new TornAnswer(cause);
  }
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error;
}

class BinaryOutput extends BaseError {
  constructor(format: string) {
    super("bad-config", `${format} is not for a screen: name a file with --output, or use a pipe.`);
  }
}

class NoAnswer extends BaseError {
  constructor(url: string, cause: unknown) {
    super("endpoint", `nobody answers at ${url}. Name a running service with --url.`, { cause });
  }
}

class NotQuarry extends BaseError {
  constructor(url: string, status: number) {
    super("endpoint", `what answers at ${url} (status ${status}) is no Quarry. Name a service with --url.`);
  }
}

class QueryFailed extends BaseError {
  constructor(sentence: string) {
    super("endpoint", sentence);
  }
}

class TornAnswer extends BaseError {
  constructor(cause: unknown) {
    super("endpoint", "the answer broke off before its end. Ask again.", { cause });
  }
}

class UnwritableFile extends BaseError {
  constructor(file: string, cause: NodeJS.ErrnoException) {
    super("bad-config", `cannot write ${file}: ${cause.code}. Name another with --output.`, { cause });
  }
}
