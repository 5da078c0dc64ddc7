import type { Socket } from "node:net";
import { answerAndClose, type LastAnswer } from "./last-answer.ts";

const NOT_HTTP: LastAnswer = {
  status: "400 Bad Request",
  code: "bad-input",
  message: "The request is not valid HTTP.",
};

const RESPONSES: Record<string, LastAnswer> = {
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

/** Responds to input that is not a valid HTTP request, with an error in the same form as all others. */
export function answerMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  // Node may report further errors on a connection while its answer is being sent.
  if (socket.writableEnded) return;
  if (error.code === "ECONNRESET" || !socket.writable) socket.destroy();
  else answerAndClose(socket, RESPONSES[error.code ?? ""] ?? NOT_HTTP);
}
