import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import type { Sql } from "../../engine-sql/sql-text.ts";
import { BaseError } from "../../lib/error.ts";
import { sentError } from "../../lib/sent-error.ts";
import { engineFailure } from "../engines/engine-failure.ts";
import { killOnAbort } from "../engines/kill-on-abort.ts";
import type { Statement, Transport } from "../engines/transport.ts";
import type { QueryWork } from "../store.ts";
import { headerText, type Operation, OUTCOME_HEADER, type SentStatement, STATEMENT_HEADER } from "./wire.ts";

/** Offers the embedded engine of this process to other processes of the same user. */
export interface EngineFront {
  /** Path of the socket. */
  socket: string;
  /** Closes all connections; the engine stays open. */
  close(): Promise<void>;
}

/**
 * Offers a transport on a socket in a new temporary folder, to which only this user has access.
 *
 * @throws NoSocket
 */
export async function openEngineFront(transport: Transport): Promise<EngineFront> {
  const folder = await mkdtemp(join(tmpdir(), "quarry-engine-"));
  const socket = join(folder, "socket");
  const front = new Front(transport);
  // Clients decide how long they wait, and a busy client must not lose an idle connection.
  const server = createServer({ keepAliveTimeout: 0, requestTimeout: 0 }, (request, response) => {
    void front.handle(request, response);
  });
  const close = async () => {
    await closeServer(server);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    server.listen(socket);
    await once(server, "listening");
    await chmod(socket, 0o600);
  } catch (cause) {
    await close();
    throw new NoSocket(socket, cause);
  }
  return { socket, close };
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}

class Front {
  readonly #transport: Transport;
  /** The controllers of running statements, by id. */
  readonly #running = new Map<string, AbortController>();

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.#answer(request, response);
    } catch (error) {
      sendFailure(response, error);
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const operation = request.url?.slice(1) as Operation;
    const { target, format, ...sent } = JSON.parse(
      String(request.headers[STATEMENT_HEADER]),
    ) as SentStatement;
    const body = await buffer(request);
    if (operation === "kill") {
      this.#running.get(sent.id)?.abort();
      return sendDone(response, null);
    }
    const statement = { ...sent, sql: (target ?? body.toString()) as Sql };
    await this.#cancellable(statement, response, (signal) =>
      this.#run({ operation, statement, format, body, signal }, response),
    );
  }

  /** Ends a statement when its client kills it or disconnects. */
  async #cancellable(
    { id }: Statement,
    response: ServerResponse,
    run: (signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const controller = new AbortController();
    const onClose = () => controller.abort();
    this.#running.set(id, controller);
    response.once("close", onClose);
    const stopKilling = killOnAbort(this.#transport, id, controller.signal);
    try {
      await run(controller.signal);
    } finally {
      stopKilling();
      response.off("close", onClose);
      this.#running.delete(id);
    }
  }

  async #run({ operation, statement, format, body, signal }: Run, response: ServerResponse): Promise<void> {
    switch (operation) {
      case "read": {
        const { bytes, work } = await this.#transport.read(statement, format, signal);
        return sendDone(response, work, bytes);
      }
      case "open": {
        const { chunks, work } = await this.#transport.open(statement, format, signal);
        response.writeHead(200, { [OUTCOME_HEADER]: headerText({ work }) });
        return pipeline(chunks, response);
      }
      case "stream": {
        response.writeHead(200, { trailer: OUTCOME_HEADER });
        const work = await this.#transport.streamWhileRunning(statement, format, response, signal);
        response.addTrailers({ [OUTCOME_HEADER]: headerText({ work }) });
        return void response.end();
      }
      case "insert":
        await this.#transport.insert(statement, [body]);
        return sendDone(response, null);
      case "execute":
        await this.#transport.execute(statement);
        return sendDone(response, null);
      default:
        throw new UnknownOperation(operation);
    }
  }
}

interface Run {
  operation: Operation;
  statement: Statement;
  format: string;
  body: Buffer;
  signal: AbortSignal;
}

function sendDone(response: ServerResponse, work: QueryWork | null, bytes: Uint8Array = EMPTY): void {
  response.writeHead(200, { [OUTCOME_HEADER]: headerText({ work }), "content-length": bytes.length });
  response.end(bytes);
}

const EMPTY = new Uint8Array();

/** Sends the error, after any rows that were already sent. */
function sendFailure(response: ServerResponse, error: unknown): void {
  const outcome = headerText({ error: sentError(engineFailure(error)) });
  if (response.headersSent) response.addTrailers({ [OUTCOME_HEADER]: outcome });
  else response.writeHead(500, { [OUTCOME_HEADER]: outcome });
  response.end();
}

class NoSocket extends BaseError {
  constructor(path: string, cause: unknown) {
    super(
      "bad-config",
      `Cannot create the socket ${path}, over which the processes of the service share the embedded engine: ` +
        `${(cause as Error).message}. Set TMPDIR to another folder with a short path, or give --workers 1.`,
      { cause },
    );
  }
}

class UnknownOperation extends BaseError {
  constructor(operation: string) {
    super("internal", `The engine's socket has no operation ${JSON.stringify(operation)}.`);
  }
}
