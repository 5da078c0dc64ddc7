import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/**
 * The responses of each connection that are not sent yet. A client may send requests without waiting for
 * responses. When a connection closes, Node closes only the response that is next in line; the others are
 * closed here, because their queries would otherwise run to the end.
 */
export class PendingResponses {
  readonly #pending = new WeakMap<Socket, Set<ServerResponse>>();

  /** Returns the responses of a connection; each must be deleted from it when it closes. */
  of(socket: Socket): Set<ServerResponse> {
    const known = this.#pending.get(socket);
    if (known !== undefined) return known;
    const responses = new Set<ServerResponse>();
    this.#pending.set(socket, responses);
    socket.once("close", () => setImmediate(closeAll, responses));
    return responses;
  }
}

function closeAll(responses: ReadonlySet<ServerResponse>): void {
  for (const response of responses) {
    response.destroy();
    response.emit("close");
  }
}
