import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Sums } from "../../../lib/collections/sums.ts";
import { addressGroup } from "../../admission/address-group.ts";

/**
 * Another counter of requests per connection. `PendingResponses` calls it, because a second listener on every
 * response could exceed the ten that Node allows without a warning.
 */
export interface RequestCount {
  startRequest(socket: Socket): void;
  endRequest(socket: Socket): void;
}

interface Connection {
  address: string;
  responses: Set<ServerResponse>;
}

/**
 * The unsent responses of each connection. A client may send requests without waiting for responses. When a
 * connection closes, Node closes only the response that is next in line; the others are closed here, because
 * their queries would otherwise run to the end.
 */
export class PendingResponses {
  /** Maximum number of pipelined requests per address. */
  readonly #limit: number;
  readonly #connections = new Map<Socket, Connection>();
  /** Number of responses by address, not counting the first of each connection. */
  readonly #pipelined = new Sums();
  /** Number of requests that arrived beyond the limit. */
  held = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Counts the responses to all requests from now on. */
  follow(server: Server, count: RequestCount): void {
    const add = ({ socket }: IncomingMessage, response: ServerResponse) => {
      const connection = this.#of(socket);
      this.#add(connection, response);
      count.startRequest(socket);
      response.once("close", () => {
        this.#remove(connection, response);
        count.endRequest(socket);
      });
    };
    server.on("request", add);
    // Without a listener, Node would send this response itself and emit no `request` event.
    server.on("checkExpectation", (request, response) => {
      add(request, response);
      response.writeHead(417).end();
    });
  }

  /**
   * Returns whether the next request of a connection exceeds the limit. A request that was not pipelined
   * never does.
   */
  isFull(socket: Socket): boolean {
    const connection = this.#connections.get(socket);
    if (connection === undefined || connection.responses.size === 0) return false;
    return this.#pipelined.of(connection.address) >= this.#limit;
  }

  /** Returns the last of a connection's pending responses; undefined if there are none. */
  last(socket: Socket): ServerResponse | undefined {
    return [...(this.#connections.get(socket)?.responses ?? [])].at(-1);
  }

  /**
   * Closes all connections with pending responses. The server itself no longer tracks connections with a held
   * request.
   */
  destroyConnections(): void {
    for (const [socket, { responses }] of this.#connections) if (responses.size > 0) socket.destroy();
  }

  #add({ address, responses }: Connection, response: ServerResponse): void {
    if (responses.size > 0) this.#pipelined.add(address, 1);
    responses.add(response);
  }

  #remove({ address, responses }: Connection, response: ServerResponse): void {
    responses.delete(response);
    if (responses.size > 0) this.#pipelined.add(address, -1);
  }

  #of(socket: Socket): Connection {
    const known = this.#connections.get(socket);
    if (known !== undefined) return known;
    const address = addressGroup(socket.remoteAddress ?? "");
    const connection = { address, responses: new Set<ServerResponse>() };
    this.#connections.set(socket, connection);
    socket.once("close", () => {
      this.#connections.delete(socket);
      setImmediate(closeAll, connection.responses);
    });
    return connection;
  }
}

function closeAll(responses: ReadonlySet<ServerResponse>): void {
  for (const response of responses) {
    response.destroy();
    response.emit("close");
  }
}
