import { EngineUnreachable, engineCode } from "../engine-failure.ts";

/**
 * Waits for a response of the server. What a proxy sends instead, and a request that took too long, are plain
 * errors without a code, whose text may be anything.
 */
export async function answered<T>(response: Promise<T>): Promise<T> {
  try {
    return await response;
  } catch (error) {
    throw isPlain(error) ? new EngineUnreachable(error) : error;
  }
}

export function isPlain(error: unknown): boolean {
  const isOfClient = error instanceof Error && error.constructor === Error && !("code" in error);
  return isOfClient && engineCode(error) === undefined;
}
