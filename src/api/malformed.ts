import type { Socket } from "node:net";

/** Answers what is not even HTTP, in the form of all errors; there is no request to answer to. */
export function answerMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, sentence] = REFUSALS[error.code ?? ""] ?? NOT_HTTP;
  const body = JSON.stringify({ error: sentence });
  const head = [
    `HTTP/1.1 ${status}`,
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}

const NOT_HTTP = ["400 Bad Request", "The request is not valid HTTP."];

const REFUSALS: Record<string, string[]> = {
  HPE_HEADER_OVERFLOW: [
    "414 URI Too Long",
    "The URL or the headers are too long. Send the parameters by POST.",
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "The request did not arrive in time."],
};
