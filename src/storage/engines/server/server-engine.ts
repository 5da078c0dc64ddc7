import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  type ClickHouseClient,
  ClickHouseLogLevel,
  type ClickHouseSettings,
  createClient,
  type DataFormat,
} from "@clickhouse/client";
import { join, sql, text } from "../../../engine-sql/sql-text.ts";
import { partsOf } from "../../../lib/collections/parts.ts";
import { BaseError } from "../../../lib/error.ts";
import type { Engine, QueryWork } from "../../store.ts";
import { EngineUnreachable, engineCode, engineFailure } from "../engine-failure.ts";
import {
  CONNECTION_SETTINGS,
  type OpenedAnswer,
  type Statement,
  type Transport,
  type WholeAnswer,
} from "../transport.ts";
import { engineOver } from "../transport-engine.ts";
import { describeTlsFailure, type TlsFiles, tlsAgent } from "./server-tls.ts";

export interface ServerEngineOptions {
  /** `http://` or `https://` address of the server's HTTP interface. */
  url: string;
  username?: string;
  password?: string;
  database?: string;
  /** Files for an `https://` address. */
  tls?: TlsFiles;
}

/**
 * Maximum number of concurrent statements; the server has its own limit, and this one keeps a burst from
 * exhausting sockets.
 */
const MAX_CONNECTIONS = 64;

/**
 * Query limits are enforced by killing queries; this limit only ends requests to a server that no longer
 * responds.
 */
const SILENT_SERVER_MS = 30 * 60 * 1000;

/** Maximum number of statements that one statement ends: 40 kB. An hour's outage loses a few hundred. */
const KILLED_AT_ONCE = 1_000;

/**
 * Settings of every statement. The server responds only once it has the complete answer: otherwise an error
 * during the query would arrive among the rows, after a status of 200.
 */
const STATEMENT_SETTINGS: ClickHouseSettings = {
  ...CONNECTION_SETTINGS,
  max_query_size: String(CONNECTION_SETTINGS.max_query_size),
  output_format_parquet_row_group_size: String(CONNECTION_SETTINGS.output_format_parquet_row_group_size),
  wait_end_of_query: 1,
};

/**
 * Connects to a ClickHouse server over HTTP. Throws `bad-config` for an invalid URL or file, `unavailable` if
 * the server does not respond.
 */
export async function connectServerEngine({ tls = {}, ...options }: ServerEngineOptions): Promise<Engine> {
  requireHttpUrl(options.url);
  const agent = tlsAgent(options.url, tls, MAX_CONNECTIONS);
  const isUserOfCertificate = tls.cert !== undefined && options.password === undefined;
  const client = createClient({
    ...options,
    ...(agent === undefined ? {} : { http_agent: agent }),
    ...(isUserOfCertificate ? certificateLogin(options.username) : {}),
    max_open_connections: MAX_CONNECTIONS,
    request_timeout: SILENT_SERVER_MS,
    clickhouse_settings: STATEMENT_SETTINGS,
    log: { level: ClickHouseLogLevel.OFF },
  });
  try {
    const ping = await client.ping({ select: true });
    if (!ping.success) throw ping.error;
  } catch (error) {
    await client.close();
    throw new NoServer(options.url, engineFailure(error));
  }
  return engineOver(new ServerTransport(client));
}

/** The server then identifies the user by the certificate, and takes no password. */
function certificateLogin(username = "default") {
  return {
    set_basic_auth_header: false,
    http_headers: { "X-ClickHouse-User": username, "X-ClickHouse-SSL-Certificate-Auth": "on" },
  };
}

function requireHttpUrl(url: string): void {
  const protocol = URL.canParse(url) ? new URL(url).protocol : undefined;
  if (protocol !== "http:" && protocol !== "https:") throw new BadServerUrl(url);
}

class ServerTransport implements Transport {
  readonly #client: ClickHouseClient;

  constructor(client: ClickHouseClient) {
    this.#client = client;
  }

  async read(statement: Statement, format: string, signal: AbortSignal): Promise<WholeAnswer> {
    const pieces: Uint8Array[] = [];
    const { chunks, work } = await this.open(statement, format, signal);
    for await (const chunk of chunks) pieces.push(chunk);
    return { bytes: Buffer.concat(pieces), work };
  }

  async open(statement: Statement, format: string, signal: AbortSignal): Promise<OpenedAnswer> {
    const { stream, summary } = await answered(
      this.#client.exec({
        query: statement.sql,
        query_id: statement.id,
        clickhouse_settings: { ...statement.settings, default_format: format as DataFormat },
      }),
    );
    if (signal.aborted) {
      stream.destroy();
      throw signal.reason;
    }
    return { chunks: stream, work: workOf(summary) };
  }

  async streamWhileRunning(
    statement: Statement,
    format: string,
    into: Writable,
    signal: AbortSignal,
  ): Promise<QueryWork> {
    const { chunks, work } = await this.open(statement, format, signal);
    await pipeline(chunks, into, { end: false });
    return work;
  }

  async execute(statement: Statement): Promise<void> {
    await answered(
      this.#client.command({
        query: statement.sql,
        query_id: statement.id,
        clickhouse_settings: statement.settings,
      }),
    );
  }

  async insert(statement: Statement, rowBinary: readonly Uint8Array[]): Promise<void> {
    const { stream } = await answered(
      this.#client.exec({
        query: sql`${statement.sql} FORMAT RowBinary`,
        query_id: statement.id,
        clickhouse_settings: statement.settings,
        values: Readable.from(rowBinary, { objectMode: false }),
      }),
    );
    for await (const _ of stream);
  }

  async kill(id: string): Promise<void> {
    await this.#client.command({ query: sql`KILL QUERY WHERE query_id = ${text(id)} ASYNC` });
  }

  async end(ids: readonly string[]): Promise<void> {
    for (const part of partsOf(ids, KILLED_AT_ONCE)) {
      const among = join(part.map(text));
      await answered(this.#client.command({ query: sql`KILL QUERY WHERE query_id IN (${among}) SYNC` }));
    }
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}

/**
 * Waits for a response of the server. What a proxy sends instead, and a request that took too long, are plain
 * errors without a code, whose text may be anything.
 */
async function answered<T>(response: Promise<T>): Promise<T> {
  try {
    return await response;
  } catch (error) {
    const isPlain = error instanceof Error && error.constructor === Error && !("code" in error);
    throw isPlain && engineCode(error) === undefined ? new EngineUnreachable(error) : error;
  }
}

/**
 * Reads the summary, which is complete when the response starts, because the server waits for the end of the
 * query.
 */
function workOf(summary: { result_rows: string; read_rows: string } | undefined): QueryWork {
  return { rows: countOf(summary?.result_rows), rowsRead: countOf(summary?.read_rows) };
}

/** Returns null for a missing count: proxies may remove the summary. */
function countOf(digits: string | undefined): number | null {
  return digits === undefined || !/^\d+$/.test(digits) ? null : Number(digits);
}

class BadServerUrl extends BaseError {
  constructor(url: string) {
    super(
      "bad-config",
      `${JSON.stringify(url)} is not the address of a ClickHouse server; expected http://host:8123.`,
    );
  }
}

class NoServer extends BaseError {
  constructor(url: string, failure: BaseError) {
    super(failure.code, `The ClickHouse server at ${url} ${problemOf(failure.cause)}`, {
      cause: failure,
      retryable: failure.retryable,
    });
  }
}

/** Completes "The ClickHouse server ...", with advice. */
function problemOf(cause: unknown): string {
  const ofTls = cause instanceof Error ? describeTlsFailure(cause) : null;
  if (ofTls !== null)
    return `${ofTls}. Check --clickhouse-ca, --clickhouse-cert and the host in --clickhouse.`;
  const rejected = ACCESS_CODES.has(engineCode(cause) ?? 0);
  const reason = rejected ? "rejects the user, the password or the database" : "does not respond";
  const form = "http[s]://user:password@host:8123/database";
  return `${reason}. Check --clickhouse (${form}) and whether the server is running.`;
}

/** Codes for an unknown user, a wrong password, an unknown database and a failed authentication. */
const ACCESS_CODES = new Set([192, 193, 81, 516]);
