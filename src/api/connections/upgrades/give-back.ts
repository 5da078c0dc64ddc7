import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FairTurns } from "../../../lib/queues/fair-turns.ts";
import { connectJoined, isChunked } from "../chunks/join-chunks.ts";
import { mayLackHeaders, TOO_MANY_HEADERS } from "../headers/header-count.ts";
import { answerAndClose, type LastAnswer } from "../last-answer.ts";

/**
 * A request that may have lost its `Content-Length` cannot be read again: its body would be read as another
 * request.
 */
const MAY_LACK_HEADERS: LastAnswer = {
  status: "431 Request Header Fields Too Large",
  code: "too-large",
  message: TOO_MANY_HEADERS,
};

/**
 * Maximum numbers of bytes and of parts that are received from a held connection. Further bytes stay in the
 * system's buffers.
 */
const MAX_HELD_BYTES = 64 * 1024;
const MAX_HELD_PARTS = 64;

/** A connection that Node handed over after the headers of a request. */
interface Detached {
  request: IncomingMessage;
  socket: Socket;
  /** The bytes that arrived after the headers of the request. */
  head: Buffer;
  /** The last response to an earlier request that is not sent yet, if any. */
  before: ServerResponse | undefined;
  turns: FairTurns;
}

/**
 * Lets the server read a request again, without its `Upgrade` header. This waits for the responses to earlier
 * requests, because the server would otherwise mix up the order of the responses.
 */
export function giveBack(server: Server, { request, socket, head, before, turns }: Detached): void {
  const start = withoutUpgrade(request);
  const putBack = hold(socket, [start, head]);
  const attach = () => {
    if (!socket.writable) {
      socket.destroySoon();
      return;
    }
    putBack();
    if (mayLackHeaders(request)) answerAndClose(socket, MAY_LACK_HEADERS);
    else if (isChunked(request)) connectJoined({ server, socket, turns }, start.length);
    else server.emit("connection", socket);
    socket.resume();
  };
  if (before === undefined) attach();
  else before.once("close", attach);
}

/**
 * Receives the client's data, up to a limit, until the returned function puts it back. If nothing were read,
 * the service would not notice when the client closes its side.
 */
function hold(socket: Socket, parts: Buffer[]): () => void {
  let bytes = parts.reduce((sum, { length }) => sum + length, 0);
  const isFull = () => bytes >= MAX_HELD_BYTES || parts.length >= MAX_HELD_PARTS;
  const keep = (part: Buffer) => {
    parts.push(part);
    bytes += part.length;
    if (isFull()) socket.pause();
  };
  // This is also what Node does when a client closes its side.
  const end = () => socket.end();
  const destroy = () => socket.destroy();
  if (isFull()) socket.pause();
  socket.on("data", keep).on("end", end).on("error", destroy).on("timeout", destroy);
  return () => {
    socket.off("data", keep).off("end", end).off("error", destroy).off("timeout", destroy);
    socket.pause();
    for (const part of parts.reverse()) socket.unshift(part);
  };
}

/**
 * Returns the head of a request without its `Upgrade` header, as bytes. Node decodes URLs and headers as
 * Latin-1.
 */
function withoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const headers = rawHeaders.flatMap((name, i) =>
    i % 2 === 1 || name.toLowerCase() === "upgrade" ? [] : [`${name}: ${rawHeaders[i + 1]}`],
  );
  const lines = [`${method} ${url} HTTP/${httpVersion}`, ...headers, "", ""];
  return Buffer.from(lines.join("\r\n"), "latin1");
}
