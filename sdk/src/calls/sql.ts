import type { components } from "../api-types.ts";
import { type AsOf, asOf } from "../connection/as-of.ts";
import type { Connection } from "../connection/connection.ts";
import { QuarryError } from "../connection/quarry-error.ts";
import { type CallOptions, request } from "../connection/request.ts";
import { requestStream } from "../connection/stream.ts";

/** A cell of an SQL row. Integers from 2^53 on are strings, and times are ISO 8601. */
export type SqlValue = components["schemas"]["QueryAnswer"][number][string];

export type SqlFormat = NonNullable<components["schemas"]["QueryBody"]["format"]>;

export type SqlSchema = components["schemas"]["GetSqlSchemaAnswer"];

/** Metadata of an SQL result. */
export interface SqlAnswer {
  /** True if the query has more rows than `rowLimit`. The result is then incomplete. */
  truncated: boolean;
  rowLimit: number;
  /** Null if the query reads no chain, e.g. `SHOW TABLES`. */
  asOf: AsOf | null;
  /** Time that the service took, in milliseconds. Null if a proxy removed the header. */
  elapsedMs: number | null;
  /**
   * Number of rows that the database read. Null if the database does not report it, as with the embedded
   * engine.
   */
  rowsRead: number | null;
}

export interface SqlRows<Row> extends SqlAnswer {
  rows: Row[];
}

export interface SqlStream<Row> extends SqlAnswer {
  /** Yields rows as they arrive. Can be read only once. Leaving the loop cancels the rest. */
  rows: AsyncGenerator<Row, void>;
}

export interface SqlBytes extends SqlAnswer {
  /** Yields the file in chunks. Can be read only once. Leaving the loop cancels the rest. */
  bytes: AsyncGenerator<Uint8Array, void>;
}

export interface SqlBytesOptions extends CallOptions {
  /**
   * In CSV, puts an apostrophe before strings that spreadsheets would run as formulas. Names of tokens may be
   * such strings. Default: false.
   */
  csvSafe?: boolean;
}

const PATH = "/v1/sql";

export async function sql<Row>(
  connection: Connection,
  query: string,
  options?: CallOptions,
): Promise<SqlRows<Row>> {
  const reply = await request<Row[]>(connection, { path: PATH, body: { query }, ...options });
  return { rows: reply.body, ...answerOf(reply.headers), ...effortOf(reply.headers) };
}

export async function sqlStream<Row>(
  connection: Connection,
  query: string,
  options?: CallOptions,
): Promise<SqlStream<Row>> {
  const { bytes, ...answer } = await sqlBytes(connection, { query, format: "ndjson" }, options);
  return { rows: rowsOf<Row>(bytes), ...answer };
}

export async function sqlBytes(
  connection: Connection,
  file: { query: string; format: SqlFormat },
  { csvSafe = false, ...options }: SqlBytesOptions = {},
): Promise<SqlBytes> {
  const body = csvSafe ? { ...file, csv_safe: true } : file;
  const { headers, pieces } = await requestStream(connection, { path: PATH, body, ...options });
  try {
    return { bytes: pieces, ...answerOf(headers), ...effortOf(headers) };
  } catch (error) {
    // Reading one chunk and leaving the loop releases the connection.
    for await (const _ of pieces) break;
    throw error;
  }
}

export async function sqlSchema(connection: Connection, options?: CallOptions): Promise<SqlSchema> {
  return (await request<SqlSchema>(connection, { path: "/v1/sql/schema", ...options })).body;
}

/** Returns the elapsed time and the number of rows read, which are in the headers. */
function effortOf(headers: Headers): Pick<SqlAnswer, "elapsedMs" | "rowsRead"> {
  return { elapsedMs: countIn(headers, "x-elapsed-ms"), rowsRead: countIn(headers, "x-rows-read") };
}

function countIn(headers: Headers, name: string): number | null {
  const count = headers.get(name);
  return count === null ? null : Number(count);
}

function answerOf(headers: Headers): Omit<SqlAnswer, "elapsedMs" | "rowsRead"> {
  const truncated = headers.get("x-truncated");
  const rowLimit = headers.get("x-row-limit");
  if (truncated === null || rowLimit === null) throw new QuarryError("not-quarry", UNKNOWN_LIMIT);
  return { truncated: truncated === "true", rowLimit: Number(rowLimit), asOf: asOf({ headers }) };
}

/**
 * Reads one row per line. Every line, including the last one, has a line end, so text after the last line end
 * means that the response was cut off.
 */
async function* rowsOf<Row>(bytes: AsyncGenerator<Uint8Array, void>): AsyncGenerator<Row, void> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let rest = "";
  for await (const piece of bytes) {
    const lines = (rest + readable(() => decoder.decode(piece, { stream: true }))).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield readable(() => JSON.parse(line) as Row);
  }
  if (rest !== "" || !isAtEnd(decoder))
    throw new QuarryError("no-answer", "The response was cut off in the middle of a row.");
}

/** Returns false if the bytes end in the middle of a character. */
function isAtEnd(decoder: { decode(): string }): boolean {
  try {
    return decoder.decode() === "";
  } catch {
    return false;
  }
}

function readable<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new QuarryError("not-quarry", "A line of the response is not a row.", { cause });
  }
}

/**
 * Error message for a response without X-Truncated or X-Row-Limit. A client that takes an incomplete result
 * for a complete one may lose money.
 */
const UNKNOWN_LIMIT =
  "The response does not say whether it has all rows: X-Truncated or X-Row-Limit is missing. Proxies must pass them on.";
