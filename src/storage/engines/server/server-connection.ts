import type { Agent } from "node:http";
import {
  type ClickHouseClient,
  ClickHouseLogLevel,
  type ClickHouseSettings,
  createClient,
} from "@clickhouse/client";
import { BaseError } from "../../../lib/error.ts";
import { EngineUnreachable, engineCode, engineFailure } from "../engine-failure.ts";
import { CONNECTION_SETTINGS } from "../transport.ts";
import { ServerAddress } from "./server-address.ts";
import { serverAgent } from "./server-agent.ts";
import { isPlain } from "./server-answer.ts";
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

/** @throws `bad-config` for an invalid URL or file */
export function addressOf({
  tls = {},
  setting = CLICKHOUSE_SETTING,
  cluster: _,
  ...options
}: ServerEngineOptions): ServerAddress {
  const { url } = options;
  requireHttpUrl(url);
  const ofTls = tlsOptions(url, tls, setting);
  const isUserOfCertificate = tls.cert !== undefined && options.password === undefined;
  const login = isUserOfCertificate ? certificateLogin(options.username) : {};
  const connect = (agent: Agent) =>
    createClient({
      ...{ ...options, ...login, http_agent: agent, max_open_connections: agent.maxSockets },
      request_timeout: SILENT_SERVER_MS,
      clickhouse_settings: STATEMENT_SETTINGS,
      log: { level: ClickHouseLogLevel.OFF },
    });
  const agent = serverAgent(url, ofTls, MAX_CONNECTIONS);
  return new ServerAddress({
    url,
    client: connect(agent),
    pings: connect(serverAgent(url, ofTls, 1)),
    disconnect: () => agent.destroy(),
  });
}

/** Time limit for the first response of an address, if there are other addresses. */
const FIRST_RESPONSE_MS = 5_000;

/**
 * Tries the addresses in turn, and returns the index of the first that responds. If an address responds but
 * rejects the user or the database, throws an error instead of trying the next one.
 */
export async function firstToRespond(servers: readonly ServerAddress[], setting: string): Promise<number> {
  const failures: AddressFailure[] = [];
  for (const [index, server] of servers.entries()) {
    const failure = await server.run((client) => failureOf(client, servers.length > 1));
    if (failure === null) return index;
    failures.push({ url: server.url, failure });
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

/** With these options, the server identifies the user by the certificate and needs no password. */
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

class BadServerUrl extends BaseError {
  constructor(url: string) {
    super(
      "bad-config",
      `${JSON.stringify(url)} is not the address of a ClickHouse server; expected http://host:8123.`,
    );
  }
}

/**
 * No address can be used. The code comes from the last failure, because the earlier failures are only missing
 * responses.
 */
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

/** Returns the rest of the sentence "The ClickHouse server ...", with advice. */
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
