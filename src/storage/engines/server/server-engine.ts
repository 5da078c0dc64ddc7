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
import type { AddressChanges, Engine, QueryWork } from "../../store.ts";
import { EngineUnreachable, engineCode, engineFailure, writeFailure } from "../engine-failure.ts";
import {
  CONNECTION_SETTINGS,
  type OpenedAnswer,
  type Statement,
  type Transport,
  type WholeAnswer,
} from "../transport.ts";
import { engineOver } from "../transport-engine.ts";
import { type Address, type AddressedClient, AddressFailover } from "./address-failover.ts";
import { deduplicationOff } from "./deduplication.ts";
import { requireReplicated } from "./replicated-database.ts";
import { type Replication, replicationOf } from "./replication.ts";
import { serverAgent } from "./server-agent.ts";
import { answered, isPlain } from "./server-answer.ts";
import { describeTlsFailure, type TlsFiles, tlsOptions } from "./server-tls.ts";

/** The setting that usually gives the addresses of a server, as errors name it. */
export const CLICKHOUSE_SETTING = "--clickhouse";

export interface ServerEngineOptions {
  /** `http://` or `https://` address of the server's HTTP interface. */
  url: string;
  username?: string;
  password?: string;
  database?: string;
  /** Files for an `https://` address. */
  tls?: TlsFiles;
  /** The database must be replicated; if it does not exist, it is created on the servers of this cluster. */
  cluster?: string;
  /** The setting that gives the address, for errors; default: `--clickhouse`. */
  setting?: string;
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
 * Connects to a ClickHouse server over HTTP.
 *
 * @param others further addresses of the same server or its replicas, which are used if the first does not respond
 * @throws `bad-config` for an invalid URL or file, `unavailable` if no address responds
 */
export async function connectServerEngine(
  first: ServerEngineOptions,
  ...others: readonly ServerEngineOptions[]
): Promise<Engine> {
  const { setting = CLICKHOUSE_SETTING } = first;
  const clients = [first, ...others].map(clientOf);
  const addresses = new AddressFailover(clients);
  try {
    if (first.cluster !== undefined) await createInCluster(first.cluster, [first, ...others]);
    addresses.startAt(await firstToRespond(clients, setting));
    return engineOver(
      new ServerTransport(
        addresses,
        await replicationOf(addresses, setting),
        await deduplicationOff(addresses),
      ),
    );
  } catch (error) {
    await addresses.close();
    throw writeFailure(error);
  }
}

/** A connection to a database fails while it does not exist, so this uses the one that every server has. */
async function createInCluster(cluster: string, servers: readonly ServerEngineOptions[]): Promise<void> {
  const { database = "default", setting = CLICKHOUSE_SETTING } = servers[0] ?? {};
  const clients = servers.map((server) => clientOf({ ...server, database: "default" }));
  const addresses = new AddressFailover(clients);
  try {
    addresses.startAt(await firstToRespond(clients, setting));
    await requireReplicated(addresses, database, cluster);
  } finally {
    await addresses.close();
  }
}

function clientOf({
  tls = {},
  setting = CLICKHOUSE_SETTING,
  cluster: _,
  ...options
}: ServerEngineOptions): AddressedClient {
  requireHttpUrl(options.url);
  const isUserOfCertificate = tls.cert !== undefined && options.password === undefined;
  const client = createClient({
    ...options,
    http_agent: serverAgent(options.url, tlsOptions(options.url, tls, setting), MAX_CONNECTIONS),
    ...(isUserOfCertificate ? certificateLogin(options.username) : {}),
    max_open_connections: MAX_CONNECTIONS,
    request_timeout: SILENT_SERVER_MS,
    clickhouse_settings: STATEMENT_SETTINGS,
    log: { level: ClickHouseLogLevel.OFF },
  });
  return { url: options.url, client };
}

/** Time for the first response of an address, if there are others. */
const FIRST_RESPONSE_MS = 5_000;

/**
 * Tries the addresses in turn, and returns the index of the first that responds. One that responds but rejects
 * the user or the database is an error.
 */
async function firstToRespond(clients: readonly AddressedClient[], setting: string): Promise<number> {
  const failures: AddressFailure[] = [];
  for (const [index, { url, client }] of clients.entries()) {
    const failure = await failureOf(client, clients.length > 1);
    if (failure === null) return index;
    failures.push({ url, failure });
    if (!(failure instanceof EngineUnreachable)) break;
  }
  throw new NoServer(failures, setting);
}

interface AddressFailure {
  url: string;
  failure: BaseError;
}

async function failureOf(client: ClickHouseClient, isLimited: boolean): Promise<BaseError | null> {
  const limit = isLimited ? { abort_signal: AbortSignal.timeout(FIRST_RESPONSE_MS) } : {};
  try {
    const ping = await client.ping({ select: true, ...limit });
    if (!ping.success) throw ping.error;
    return null;
  } catch (error) {
    const isLate = limit.abort_signal?.aborted === true;
    return isLate || isPlain(error) ? new EngineUnreachable(error) : engineFailure(error);
  }
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
  readonly #addresses: AddressFailover;
  readonly #replication: Replication | null;
  readonly #deduplicationOff: ClickHouseSettings;

  /** @param deduplicationOff settings of writes */
  constructor(
    addresses: AddressFailover,
    replication: Replication | null,
    deduplicationOff: ClickHouseSettings,
  ) {
    this.#addresses = addresses;
    this.#replication = replication;
    this.#deduplicationOff = deduplicationOff;
  }

  get isReplicated(): boolean {
    return this.#replication !== null;
  }

  get addresses(): AddressChanges {
    return this.#addresses;
  }

  read(statement: Statement, format: string, signal: AbortSignal): Promise<WholeAnswer> {
    return this.#addresses.read(async (address) => {
      const pieces: Uint8Array[] = [];
      const { chunks, work } = await openAt(address, { statement, format, signal });
      for await (const chunk of chunks) pieces.push(chunk);
      return { bytes: Buffer.concat(pieces), work };
    }, signal);
  }

  open(statement: Statement, format: string, signal: AbortSignal): Promise<OpenedAnswer> {
    return this.#addresses.read((address) => openAt(address, { statement, format, signal }), signal);
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
    const settings = await this.#writeSettings(statement);
    const command = { query: statement.sql, query_id: statement.id, clickhouse_settings: settings };
    await this.#addresses.write(({ client }) => answered(client.command(command)));
  }

  async insert(statement: Statement, rowBinary: readonly Uint8Array[]): Promise<void> {
    const settings = await this.#writeSettings(statement);
    await this.#addresses.write(async ({ client }) => {
      const { stream } = await answered(
        client.exec({
          query: sql`${statement.sql} FORMAT RowBinary`,
          query_id: statement.id,
          clickhouse_settings: settings,
          values: Readable.from(rowBinary, { objectMode: false }),
        }),
      );
      for await (const _ of stream);
    });
  }

  async kill(id: string): Promise<void> {
    const query = sql`KILL QUERY WHERE query_id = ${text(id)} ASYNC`;
    await this.#addresses.read(({ client }) => client.command({ query }));
  }

  /** On replicas, a write that one of them has begun ends only there. */
  async settle(lostWrites: readonly string[]): Promise<void> {
    for (const part of partsOf(lostWrites, KILLED_AT_ONCE)) {
      const query = sql`KILL QUERY WHERE query_id IN (${join(part.map(text))}) SYNC`;
      const end = ({ client }: Address) => answered(client.command({ query }));
      await (this.isReplicated ? this.#addresses.everywhere(end) : this.#addresses.read(end));
    }
    await this.#replication?.settle();
  }

  async #writeSettings({ settings }: Statement): Promise<ClickHouseSettings> {
    return { ...settings, ...this.#deduplicationOff, ...(await this.#replication?.writeSettings()) };
  }

  close(): Promise<void> {
    return this.#addresses.close();
  }
}

interface OpenRequest {
  statement: Statement;
  format: string;
  signal: AbortSignal;
}

async function openAt(
  { client, settings }: Address,
  { statement, format, signal }: OpenRequest,
): Promise<OpenedAnswer> {
  const { stream, summary } = await answered(
    client.exec({
      query: statement.sql,
      query_id: statement.id,
      clickhouse_settings: { ...statement.settings, ...settings, default_format: format as DataFormat },
    }),
  );
  if (signal.aborted) {
    stream.destroy();
    throw signal.reason;
  }
  return { chunks: stream, work: workOf(summary) };
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

/** No address can be used. The last failure decides, because those before it are only missing responses. */
class NoServer extends BaseError {
  constructor(failures: readonly AddressFailure[], setting: string) {
    const messages = failures.map(
      ({ url, failure }) => `The ClickHouse server at ${url} ${problemOf(failure.cause, setting)}`,
    );
    const last = failures.at(-1)?.failure;
    super(last?.code ?? "unavailable", messages.join(" "), {
      cause: last,
      retryable: last?.retryable ?? true,
    });
  }
}

/** Completes "The ClickHouse server ...", with advice. */
function problemOf(cause: unknown, setting: string): string {
  const ofTls = cause instanceof Error ? describeTlsFailure(cause) : null;
  if (ofTls !== null) return `${ofTls}. Check --clickhouse-ca, --clickhouse-cert and the host in ${setting}.`;
  const rejected = ACCESS_CODES.has(engineCode(cause) ?? 0);
  const reason = rejected ? "rejects the user, password or database" : "does not respond";
  const form = "http[s]://user:password@host:8123/database";
  return `${reason}. Check ${setting} (${form}) and whether the server is running.`;
}

/** Codes for an unknown user, a wrong password, an unknown database and a failed authentication. */
const ACCESS_CODES = new Set([192, 193, 81, 516]);
