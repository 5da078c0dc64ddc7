import type { Socket } from "node:net";
import type { PublicErrorCode } from "../errors/errors.ts";

/** An answer after which its connection is closed, written without the HTTP framework. */
export interface LastAnswer {
  /** E.g. `400 Bad Request`. */
  status: string;
  code: PublicErrorCode;
  message: string;
  headers?: readonly string[];
}

/**
 * Time for the client to read the answer and close its side. Closing immediately would reset the connection
 * if the client is still sending, and a reset may discard the answer before the client has read it.
 */
const LINGER_MS = 1_000;

/** Sends the answer and closes the connection, whether or not the client closes its side. */
export function answerAndClose(socket: Socket, answer: LastAnswer): void {
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once("close", () => clearTimeout(timer));
  socket.on("error", () => socket.destroy());
  socket.end(textOf(answer));
  // Discards everything that the client still sends. If it stayed unread, the service would not notice when
  // the client closes its side.
  socket.resume();
}

function textOf({ status, code, message, headers = [] }: LastAnswer): string {
  const body = JSON.stringify({ error: message });
  const head = [
    `HTTP/1.1 ${status}`,
    "Content-Type: application/json; charset=utf-8",
    `X-Error-Code: ${code}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Cache-Control: no-store",
    "X-Content-Type-Options: nosniff",
    ...headers,
    "Connection: close",
  ];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}
