import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";
import type { Clock } from "../../lib/async/clock.ts";
import { type ApiLimits, SMALL_BODY_BYTES } from "../admission/limits.ts";
import { HttpError } from "../errors/errors.ts";
import { clientGroup } from "./client-address.ts";
import { KeyGuesses } from "./key-guesses.ts";

/**
 * Checks a request's key and returns the client it belongs to. Without configured keys the service is open:
 * given keys are ignored, and a client is identified by its address.
 */
export function clientCheck(
  keys: readonly string[],
  { wrongKeys }: Pick<ApiLimits, "wrongKeys">,
  clock: Clock,
): (request: FastifyRequest) => string {
  const guesses = new KeyGuesses(wrongKeys, clock);
  const hashes = keys.map((key) => hash(key.trim()));
  return (request) => {
    if (hashes.length === 0) return clientGroup(request);
    const given = givenKeys(request);
    if (given.length === 0) {
      throw unauthorized(isBeforeBody(request) ? `${SEND_KEY} ${IN_URL}.` : `${SEND_KEY}.`);
    }
    const valid = given.map(hash).find((key) => isAmong(key, hashes));
    const client = valid?.toString("hex");
    guesses.check(clientGroup(request), client);
    if (client === undefined) throw unauthorized("The API key is not valid.");
    return client;
  };
}

const SEND_KEY = "This service needs an API key: send it as X-API-Key, as Authorization: Bearer, or as key";

/** Added to the message for a large body, which is received only from a known client. */
const IN_URL = `in the URL: a body of more than ${SMALL_BODY_BYTES / 1024} KiB is not searched for it`;

function isBeforeBody({ method, body }: FastifyRequest): boolean {
  return method === "POST" && body === undefined;
}

function unauthorized(message: string): HttpError {
  return new HttpError(401, message, { "www-authenticate": "Bearer" });
}

function givenKeys({ headers, query, body }: FastifyRequest): string[] {
  const [, bearer] = /^bearer\s+(\S+)\s*$/i.exec(headers.authorization ?? "") ?? [];
  const candidates = [
    bearer,
    headers["x-api-key"],
    field(query, "key"),
    field(body, "key"),
    field(field(body, "params"), "key"),
  ];
  // Keys are often read from files that end with a newline.
  const keys = candidates.flatMap((key) => (typeof key === "string" ? [key.trim()] : []));
  return keys.filter((key) => key !== "");
}

function field(record: unknown, name: string): unknown {
  return typeof record === "object" && record !== null
    ? (record as Record<string, unknown>)[name]
    : undefined;
}

function hash(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}

/** Takes the same time for every candidate, so that timing reveals nothing about the keys. */
function isAmong(candidate: Buffer, hashes: readonly Buffer[]): boolean {
  return hashes.reduce((found, known) => timingSafeEqual(candidate, known) || found, false);
}
