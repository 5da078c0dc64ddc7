import type { Connection } from "./connection.ts";
import { noWholeAnswer, type Question, reasonOf, refusalOf, repeated, send, tooSlow } from "./request.ts";

/** An answer of any length, in pieces as they come. */
export interface StreamedReply {
  headers: Headers;
  /** Ends in a QuarryError when the answer breaks off. Leaving the loop gives the rest up. */
  pieces: AsyncGenerator<Uint8Array, void>;
}

/**
 * Asks for an answer that is read in pieces. `timeoutMs` is the longest wait for its beginning, and for each piece.
 *
 * @throws QuarryError; and the reason of the caller's signal once that is aborted
 */
export function askForStream(connection: Connection, question: Question): Promise<StreamedReply> {
  return repeated(connection, question, async () => {
    const patience = patient(connection, question);
    const response = await patience(async (signal) => {
      const opened = await send(connection, question, signal);
      return opened.ok ? opened : Promise.reject(refusalOf(opened, await opened.text()));
    });
    return { headers: response.headers, pieces: piecesOf(response, patience) };
  });
}

type Patience = <T>(step: (signal: AbortSignal) => Promise<T>) => Promise<T>;

/** Runs the steps of one answer, each with its own time; the first that fails ends the whole. */
function patient(connection: Connection, question: Question): Patience {
  const controller = new AbortController();
  const signal =
    question.signal === undefined ? controller.signal : AbortSignal.any([controller.signal, question.signal]);
  return async (step) => {
    const timer = setTimeout(() => controller.abort(), connection.timeoutMs);
    try {
      return await step(signal);
    } catch (cause) {
      question.signal?.throwIfAborted();
      if (cause instanceof Error && cause.name === "QuarryError") throw cause;
      if (controller.signal.aborted) throw tooSlow(connection, question, { why: "nothing came for", cause });
      throw noWholeAnswer(connection, question, { why: reasonOf(cause), cause });
    } finally {
      clearTimeout(timer);
    }
  };
}

async function* piecesOf({ body }: Response, patience: Patience): AsyncGenerator<Uint8Array, void> {
  const reader = body?.getReader();
  if (reader === undefined) return;
  try {
    for (;;) {
      const { done, value } = await patience(() => reader.read());
      if (done) return;
      yield value;
    }
  } finally {
    // After its end or a failure there is nothing left to cancel.
    await reader.cancel().catch(() => undefined);
  }
}
