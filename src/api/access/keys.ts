import type { FastifyRequest } from "fastify";
import type { Clock } from "../../lib/async/clock.ts";
import { type ApiLimits, SMALL_BODY_BYTES } from "../admission/limits.ts";
import { HttpError } from "../errors/errors.ts";
import { type ClientKey, type ClientKeys, hashOfKey, type KeyScope } from "../keys/client-keys.ts";
import { clientGroup } from "./client-address.ts";
import { KeyGuesses } from "./key-guesses.ts";
import { requireOwnMachine } from "./own-machine.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Scopes that the client's key must have; default: `data`. */
    scopes?: readonly KeyScope[];
    /** True for requests of probes, whose turns on the event loop are their own. */
    isProbe?: true;
    /** True if the request does not count towards the monthly usage of its key. */
    isUncounted?: true;
    /** True if, on a service without keys, only clients on its own machine may send the request. */
    isForOperator?: true;
  }
}

/** The sender of a request. */
export interface Client {
  /** The id of its key or, if the service is open, its IPv4 address or IPv6 network (`clientGroup`). */
  name: string;
  /** Null if the service is open. */
  key: ClientKey | null;
}

/**
 * Returns a function that checks a request's key and returns the client that sent the request. If no keys are
 * required, given keys are ignored, and a client is identified by its address.
 */
export function clientCheck(
  keys: ClientKeys,
  { wrongKeys }: Pick<ApiLimits, "wrongKeys">,
  clock: Clock,
): (request: FastifyRequest) => Client {
  const guesses = new KeyGuesses(wrongKeys, clock);
  return (request) => {
    if (!keys.isRequired) {
      if (request.routeOptions.config.isForOperator === true) requireOwnMachine(request);
      return { name: clientGroup(request), key: null };
    }
    const given = givenKeys(request);
    if (given.length === 0) {
      throw unauthorized(isBeforeBody(request) ? `${SEND_KEY} ${IN_URL}.` : `${SEND_KEY}.`);
    }
    const key = firstKnown(given, keys);
    guesses.check(clientGroup(request), key?.id);
    if (key === undefined) throw unauthorized("The API key is not valid.");
    requireValid(key, clock);
    requireScopes(key, request);
    return { name: key.id, key };
  };
}

/**
 * Returns a predicate for admitted requests: whether the request's key is still valid. An invalid key does
 * not count as a guess, and other wrong keys from the same address have no effect.
 */
export function stillAdmitted(keys: ClientKeys, clock: Clock): (request: FastifyRequest) => boolean {
  return (request) => {
    if (!keys.isRequired) return true;
    const key = firstKnown(givenKeys(request), keys);
    return key !== undefined && isCurrent(key, clock) && hasScopes(key, scopesFor(request));
  };
}

function firstKnown(given: readonly string[], keys: ClientKeys): ClientKey | undefined {
  return given.map((one) => keys.find(hashOfKey(one))).find((one) => one !== undefined);
}

function isCurrent({ expiresAt }: ClientKey, clock: Clock): boolean {
  return expiresAt === null || clock.now() < expiresAt * 1000;
}

function scopesFor({ routeOptions }: FastifyRequest): readonly KeyScope[] {
  return routeOptions.config.scopes ?? ["data"];
}

function hasScopes({ scopes }: ClientKey, needed: readonly KeyScope[]): boolean {
  return needed.every((scope) => scopes.includes(scope));
}

function requireValid(key: ClientKey, clock: Clock): void {
  const { id, expiresAt } = key;
  if (expiresAt === null || isCurrent(key, clock)) return;
  throw unauthorized(`The API key ${id} expired at ${new Date(expiresAt * 1000).toISOString()}.`);
}

function requireScopes(key: ClientKey, request: FastifyRequest): void {
  const needed = scopesFor(request);
  if (hasScopes(key, needed)) return;
  const { url } = request.routeOptions;
  throw new HttpError(
    403,
    `${url} needs a key with the scope ${needed.join(" and ")}; ${key.id} has ${key.scopes.join(", ")}.`,
  );
}

const SEND_KEY =
  "This service needs an API key: send it as X-API-Key, as Authorization: Bearer, or as the parameter key";

/** Completes SEND_KEY for a request with a large body, which is received only once its client is known. */
const IN_URL = `in the URL (a body of more than ${SMALL_BODY_BYTES / 1024} KiB is not searched for it)`;

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
