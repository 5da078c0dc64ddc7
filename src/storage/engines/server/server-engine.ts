import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ClickHouseSettings, DataFormat } from "@clickhouse/client";
import { sql, text } from "../../../engine-sql/sql-text.ts";
import type { AddressChanges, Engine, QueryWork } from "../../store.ts";
import { writeFailure } from "../engine-failure.ts";
import type { OpenedAnswer, Statement, Transport, WholeAnswer } from "../transport.ts";
import { engineOver } from "../transport-engine.ts";
import { type Address, AddressFailover } from "./address-failover.ts";
import { killStatements, type LostWrites } from "./lost-writes.ts";
import { deduplicationOff } from "./replicas/deduplication.ts";
import { type Database, databaseOf, requireReplicated } from "./replicas/replicated-database.ts";
import { Replication } from "./replicas/replication.ts";
import { SHARED_CLUSTER, SHARED_DATABASE_SETTINGS } from "./replicas/shared-database.ts";
import { answered } from "./server-answer.ts";
import {
  addressOf,
  CLICKHOUSE_SETTING,
  firstToRespond,
  type ServerEngineOptions,
} from "./server-connection.ts";

/**
 * Connects to a ClickHouse server over HTTP.
 *
 * @param others further addresses of the same server or its replicas, which are used if the first does not
 * respond
 * @throws `bad-config` for an invalid URL or file, `unavailable` if no address responds
 */
export async function connectServerEngine(
  first: ServerEngineOptions,
  ...others: readonly ServerEngineOptions[]
): Promise<Engine> {
  const { setting = CLICKHOUSE_SETTING } = first;
  const servers = [first, ...others].map(addressOf);
  const addresses = new AddressFailover(servers);
  try {
    if (first.cluster !== undefined) await createInCluster(first.cluster, [first, ...others]);
    addresses.startAt(await firstToRespond(servers, setting));
    const database = await databaseOf(addresses, sql`currentDatabase()`);
    return engineOver(new ServerTransport(addresses, database, setting));
  } catch (error) {
    await addresses.close();
    throw writeFailure(error);
  }
}

/**
 * Creates the database on the servers of a cluster, if it does not exist. Connects to `default`, which every
 * server has, because a connection to a missing database fails.
 */
async function createInCluster(cluster: string, servers: readonly ServerEngineOptions[]): Promise<void> {
  const { database = "default", setting = CLICKHOUSE_SETTING } = servers[0] ?? {};
  const ofDefault = servers.map((server) => addressOf({ ...server, database: "default" }));
  const addresses = new AddressFailover(ofDefault);
  try {
    addresses.startAt(await firstToRespond(ofDefault, setting));
    await requireReplicated(addresses, database, cluster);
  } finally {
    await addresses.close();
  }
}

class ServerTransport implements Transport {
  readonly #addresses: AddressFailover;
  readonly #replication: Replication | null;
  /** Name of the database if replicas share it behind one address; otherwise null. */
  readonly #sharedDatabase: string | null;
  /** Null before the first write. */
  #deduplicationOff: ClickHouseSettings | null = null;

  /** @param setting name of the setting that gives the addresses, for errors */
  constructor(addresses: AddressFailover, database: Database | undefined, setting: string) {
    this.#addresses = addresses;
    this.#replication =
      database?.isReplicated === true ? new Replication(addresses, database.name, setting) : null;
    this.#sharedDatabase = database?.isShared === true ? database.name : null;
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
      const { chunks, work } = await openAt(address, this.#request(statement, format, signal));
      for await (const chunk of chunks) pieces.push(chunk);
      return { bytes: Buffer.concat(pieces), work };
    }, signal);
  }

  open(statement: Statement, format: string, signal: AbortSignal): Promise<OpenedAnswer> {
    return this.#addresses.read(
      (address) => openAt(address, this.#request(statement, format, signal)),
      signal,
    );
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

  /** A write that one of several replicas has begun can be ended only there. */
  async settle(lost: LostWrites): Promise<void> {
    const database = this.#sharedDatabase;
    const everywhere = database === null ? undefined : { cluster: SHARED_CLUSTER, database };
    for (const query of killStatements(lost, everywhere)) {
      const end = ({ client }: Address) => answered(client.command({ query }));
      await (this.isReplicated ? this.#addresses.everywhere(end) : this.#addresses.read(end));
    }
    await this.#replication?.settle();
  }

  async #writeSettings({ settings }: Statement): Promise<ClickHouseSettings> {
    this.#deduplicationOff ??= await deduplicationOff(this.#addresses, this.isReplicated);
    return {
      ...settings,
      ...this.#deduplicationOff,
      ...this.#databaseSettings,
      ...(await this.#replication?.writeSettings()),
    };
  }

  #request(statement: Statement, format: string, signal: AbortSignal): OpenRequest {
    const settings = { ...statement.settings, ...this.#databaseSettings };
    return { statement: { ...statement, settings }, format, signal };
  }

  get #databaseSettings(): Record<string, string> {
    return this.#sharedDatabase === null ? {} : SHARED_DATABASE_SETTINGS;
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
 * Returns the work of a query from the summary in its response. The summary is complete when the response
 * starts, because the server waits for the end of the query.
 */
function workOf(summary: { result_rows: string; read_rows: string } | undefined): QueryWork {
  return { rows: countOf(summary?.result_rows), rowsRead: countOf(summary?.read_rows) };
}

/** Returns null for a missing count: proxies may remove the summary. */
function countOf(digits: string | undefined): number | null {
  return digits === undefined || !/^\d+$/.test(digits) ? null : Number(digits);
}
