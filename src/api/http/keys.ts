import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { Refused } from "../errors/errors.ts";

/**
 * Checks a request's key, and tells whose it is. Without configured keys the service is open, whatever is sent is
 * ignored, and clients are told apart by their addresses.
 */
export function clientCheck(keys: readonly string[]): (request: FastifyRequest) => string {
  const hashes = keys.map(hash);
  return (request) => {
    if (hashes.length === 0) return request.ip;
    const given = givenKeys(request);
    if (given.length === 0) {
      throw unauthorized(
        "This service needs an API key: send it as X-API-Key, as Authorization: Bearer, or as key.",
      );
    }
    const valid = given.map(hash).find((key) => isAmong(key, hashes));
    if (valid === undefined) throw unauthorized("The API key is not valid.");
    return valid.toString("hex");
  };
}

function unauthorized(sentence: string): Refused {
  return new Refused(401, sentence, { "www-authenticate": "Bearer" });
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
  return candidates.filter((key) => typeof key === "string" && key !== "") as string[];
}

function field(record: unknown, name: string): unknown {
  return typeof record === "object" && record !== null
    ? (record as Record<string, unknown>)[name]
    : undefined;
}

function hash(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}

/** Takes equally long whichever key it is, and whether or not it is one. */
function isAmong(candidate: Buffer, hashes: readonly Buffer[]): boolean {
  return hashes.reduce((found, known) => timingSafeEqual(candidate, known) || found, false);
}
