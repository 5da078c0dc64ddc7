import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Dispatcher, Pool } from "undici";
import { BaseError } from "../../lib/error.ts";
import { ReceivedError } from "../../lib/sent-error.ts";
import type { OpenedAnswer, Statement, Transport, WholeAnswer } from "../engines/transport.ts";
import { engineOver } from "../engines/transport-engine.ts";
import type { Engine, QueryWork } from "../store.ts";
import { headerText, type Operation, OUTCOME_HEADER, type Outcome, STATEMENT_HEADER } from "./wire.ts";

/** Maximum number of concurrent statements of one process; the engine has its own limit and a queue. */
const MAX_CONNECTIONS = 64;

/** Connects to the embedded engine of another process, over the socket that it offers. */
export function connectFrontEngine(socket: string): Engine {
  return engineOver(new FrontTransport(socket));
}

class FrontTransport implements Transport {
  readonly #pool: Pool;

  constructor(socket: string) {
    this.#pool = new Pool("http://engine", {
      socketPath: socket,
      connections: MAX_CONNECTIONS,
      // No timeout: statements have their own time limit, and wait for a session before they run.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  async read(statement: Statement, format: string): Promise<WholeAnswer> {
    const { body, headers } = await this.#send("read", statement, format);
    return { bytes: await body.bytes(), work: workOf(headers[OUTCOME_HEADER]) };
  }

  async open(statement: Statement, format: string): Promise<OpenedAnswer> {
    const { body, headers } = await this.#send("open", statement, format);
    return { chunks: body, work: workOf(headers[OUTCOME_HEADER]) };
  }

  async streamWhileRunning(statement: Statement, format: string, into: Writable): Promise<QueryWork> {
    const { body, trailers } = await this.#send("stream", statement, format);
    await pipeline(body, into, { end: false });
    return workOf(trailers[OUTCOME_HEADER]);
  }

  async execute(statement: Statement): Promise<void> {
    await this.#done("execute", statement);
  }

  async insert(statement: Statement, rowBinary: readonly Uint8Array[]): Promise<void> {
    await this.#done("insert", statement, Readable.from(rowBinary, { objectMode: false }));
  }

  async kill(id: string): Promise<void> {
    await this.#done("kill", { id, settings: {} }, "");
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }

  async #done(
    operation: Operation,
    { sql, ...sent }: Omit<Statement, "sql"> & Partial<Statement>,
    rows?: Readable | string,
  ): Promise<void> {
    const target = rows === undefined ? {} : { target: sql };
    const response = await this.#request(operation, { ...sent, ...target, format: "" }, rows ?? sql ?? "");
    await response.body.dump();
  }

  #send(operation: Operation, { sql, ...sent }: Statement, format: string) {
    return this.#request(operation, { ...sent, format }, sql);
  }

  /** @throws the error of the statement, if it failed before its first row */
  async #request(
    operation: Operation,
    statement: object,
    body: Readable | string,
  ): Promise<Dispatcher.ResponseData> {
    const response = await this.#pool.request({
      path: `/${operation}`,
      method: "POST",
      headers: { [STATEMENT_HEADER]: headerText(statement) },
      body,
    });
    if (response.statusCode === 200) return response;
    await response.body.dump();
    workOf(response.headers[OUTCOME_HEADER]);
    throw new FrontClosed();
  }
}

const NO_WORK: QueryWork = { rows: null, rowsRead: null };

/** @throws the error that the other process sent */
function workOf(header: string | string[] | undefined): QueryWork {
  if (header === undefined) throw new FrontClosed();
  const outcome = JSON.parse(String(header)) as Outcome;
  if ("error" in outcome) throw new ReceivedError(outcome.error);
  return outcome.work ?? NO_WORK;
}

class FrontClosed extends BaseError {
  constructor() {
    super("unavailable", "The process that holds the database ended the statement. Try again in a moment.", {
      retryable: true,
    });
  }
}
