import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { answerAndClose, type LastAnswer } from "../last-answer.ts";

export function isForWebSocket({ method, headers: { upgrade } }: IncomingMessage): boolean {
  return method === "GET" && upgrade?.toLowerCase() === "websocket";
}

/**
 * Node keeps no more names and values of headers, and drops further ones. A request that may have lost its
 * `Content-Length` cannot be read again: its body would be read as another request.
 */
const MAX_NAMES_AND_VALUES = 2_000;

const TOO_MANY_HEADERS: LastAnswer = {
  status: "431 Request Header Fields Too Large",
  code: "too-large",
  message: `The request has too many headers: at most ${MAX_NAMES_AND_VALUES / 2 - 1}.`,
};

/**
 * Returns a server that never listens, and has only the `upgrade` events for WebSockets. Other requests with
 * `Upgrade` are answered without one, as RFC 9110 allows: `curl --http2` and Java's client offer HTTP/2 in this
 * way. Node detaches their connections before it reads a body, so they are given back to the HTTP server.
 * Node 24 has the option `shouldUpgradeCallback` for this, but then loses requests that were sent right after.
 */
export function webSocketsOf(server: Server): Server {
  const webSockets = createServer();
  const newest = new WeakMap<Socket, ServerResponse>();
  server.on("request", ({ socket }, response) => newest.set(socket, response));
  server.on("upgrade", (request: IncomingMessage, socket: Socket, head: Buffer) => {
    // When the service stops, nothing listens for WebSockets any more.
    if (isForWebSocket(request) && webSockets.emit("upgrade", request, socket, head)) return;
    giveBack(server, { request, socket, head, before: newest.get(socket) });
  });
  return webSockets;
}

interface Detached {
  request: IncomingMessage;
  socket: Socket;
  /** The bytes that arrived after the headers of the request. */
  head: Buffer;
  /** The response to the request before, if any. */
  before: ServerResponse | undefined;
}

/** Lets the server read a request again, without its header `Upgrade`. */
function giveBack(server: Server, { request, socket, head, before }: Detached): void {
  const destroy = () => socket.destroy();
  socket.on("error", destroy);
  // At once, because nothing can be put back after the end of the client's side.
  socket.unshift(Buffer.concat([withoutUpgrade(request), head]));
  const attach = () => {
    socket.off("error", destroy);
    if (!socket.writable) destroy();
    else if (request.rawHeaders.length >= MAX_NAMES_AND_VALUES) answerAndClose(socket, TOO_MANY_HEADERS);
    else server.emit("connection", socket);
  };
  // The server would mix up the order of the responses to earlier requests and to this one.
  if (before === undefined || before.closed) attach();
  else before.once("close", attach);
}

/** Node reads the bytes of URLs and headers as Latin-1. */
function withoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const headers = rawHeaders.flatMap((name, i) =>
    i % 2 === 1 || name.toLowerCase() === "upgrade" ? [] : [`${name}: ${rawHeaders[i + 1]}`],
  );
  const lines = [`${method} ${url} HTTP/${httpVersion}`, ...headers, "", ""];
  return Buffer.from(lines.join("\r\n"), "latin1");
}
