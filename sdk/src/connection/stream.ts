import type { Connection } from "./connection.ts";
import {
  errorOf,
  incompleteResponse,
  reasonOf,
  type ServiceRequest,
  send,
  tooSlow,
  withRetries,
} from "./request.ts";

/** A response of any length, which is read in chunks as they arrive. */
export interface StreamedReply {
  headers: Headers;
  /** Throws a QuarryError if the response is cut off. Leaving the loop cancels the rest. */
  pieces: AsyncGenerator<Uint8Array, void>;
}

/**
 * Sends a request and returns its response in chunks. `timeoutMs` is the maximum wait for the start of the
 * response.
 *
 * @param silenceMs maximum wait for each chunk
 * @throws QuarryError, or the reason of the caller's signal if the signal aborts
 */
export function requestStream(
  connection: Connection,
  call: ServiceRequest,
  silenceMs: number = connection.timeoutMs,
): Promise<StreamedReply> {
  return withRetries(connection, call, async () => {
    const withTimeout = timeoutPerStep(connection, call);
    const response = await withTimeout(connection.timeoutMs, async (signal) => {
      const opened = await send(connection, call, signal);
      return opened.ok ? opened : Promise.reject(errorOf(opened, await opened.text()));
    });
    return {
      headers: response.headers,
      pieces: piecesOf(response, (read) => withTimeout(silenceMs, read)),
    };
  });
}

type WithTimeout = <T>(timeoutMs: number, step: (signal: AbortSignal) => Promise<T>) => Promise<T>;

/** Returns a function that runs a step of one response with a timeout. The first timeout aborts all steps. */
function timeoutPerStep(connection: Connection, call: ServiceRequest): WithTimeout {
  const controller = new AbortController();
  const signal =
    call.signal === undefined ? controller.signal : AbortSignal.any([controller.signal, call.signal]);
  return async (timeoutMs, step) => {
    const timer = setTimeout(() => controller.abort(), timeoutMs);
    try {
      return await step(signal);
    } catch (cause) {
      call.signal?.throwIfAborted();
      if (cause instanceof Error && cause.name === "QuarryError") throw cause;
      if (controller.signal.aborted)
        throw tooSlow({ ...connection, timeoutMs }, call, { why: "no data for", cause });
      throw incompleteResponse(connection, call, { why: reasonOf(cause), cause });
    } finally {
      clearTimeout(timer);
    }
  };
}

type Timed = <T>(read: () => Promise<T>) => Promise<T>;

async function* piecesOf({ body }: Response, timed: Timed): AsyncGenerator<Uint8Array, void> {
  const reader = body?.getReader();
  if (reader === undefined) return;
  try {
    for (;;) {
      const { done, value } = await timed(() => reader.read());
      if (done) return;
      yield value;
    }
  } finally {
    // This fails if the response has already ended or failed. There is then nothing left to cancel.
    await reader.cancel().catch(() => undefined);
  }
}
