import type { Socket } from "node:net";
import type { ToldCode } from "../errors/errors.ts";

/** Answers what is not even HTTP, in the form of all errors; there is no request to answer to. */
export function answerMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, sentence, told } = REFUSALS[error.code ?? ""] ?? NOT_HTTP;
  const body = JSON.stringify({ error: sentence });
  const head = [
    `HTTP/1.1 ${status}`,
    "Content-Type: application/json; charset=utf-8",
    `X-Error-Code: ${told}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}

interface Refusal {
  status: string;
  told: ToldCode;
  sentence: string;
}

const NOT_HTTP: Refusal = {
  status: "400 Bad Request",
  told: "bad-input",
  sentence: "The request is not valid HTTP.",
};

const REFUSALS: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: {
    status: "414 URI Too Long",
    told: "too-large",
    sentence: "The URL or the headers are too long. Send the parameters by POST.",
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: "408 Request Timeout",
    told: "timeout",
    sentence: "The request did not arrive in time.",
  },
};
