import type { Socket } from "node:net";
import type { PublicErrorCode } from "../errors/errors.ts";

interface MalformedResponse {
  status: string;
  code: PublicErrorCode;
  message: string;
}

const NOT_HTTP: MalformedResponse = {
  status: "400 Bad Request",
  code: "bad-input",
  message: "The request is not valid HTTP.",
};

const RESPONSES: Record<string, MalformedResponse> = {
  HPE_HEADER_OVERFLOW: {
    status: "414 URI Too Long",
    code: "too-large",
    message: "The URL or the headers are too long. Send the parameters by POST.",
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: "408 Request Timeout",
    code: "timeout",
    message: "The request did not arrive in time.",
  },
};

/** Responds to input that is not an HTTP request, in the form of all errors. */
export function answerMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, code, message } = RESPONSES[error.code ?? ""] ?? NOT_HTTP;
  const body = JSON.stringify({ error: message });
  const head = [
    `HTTP/1.1 ${status}`,
    "Content-Type: application/json; charset=utf-8",
    `X-Error-Code: ${code}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}
