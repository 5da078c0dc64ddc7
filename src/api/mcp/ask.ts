import { BaseError } from "../../lib/error.ts";
import type { Endpoint } from "../endpoint/endpoint.ts";

/** The answer of an endpoint that a tool has called. */
export interface Answered {
  /** Parsed JSON. */
  body: unknown;
  /** Returns a header of the response, by its name in lower case; null if it is absent. */
  header(name: string): string | null;
}

/** Calls an endpoint, as a POST with these parameters would. Rejects with an error for the client. */
export type Ask = (endpoint: Endpoint, parameters: Record<string, unknown>) => Promise<Answered>;

/**
 * Maximum bytes of an answer's body that a tool reads. Most are far smaller, but 200 rows with the data of
 * large transactions may take more.
 */
const MAX_BODY_BYTES = 8 * 1024 * 1024;

/** @throws AnswerTooLong */
export function requireShortBody(bytes: number): void {
  if (bytes > MAX_BODY_BYTES) throw new AnswerTooLong(bytes);
}

class AnswerTooLong extends BaseError {
  constructor(bytes: number) {
    super(
      "too-large",
      `The answer has ${Math.ceil(bytes / 2 ** 20)} MiB; a tool can read at most ${MAX_BODY_BYTES / 2 ** 20} MiB. Select fewer or shorter columns, or fewer rows.`,
    );
  }
}
