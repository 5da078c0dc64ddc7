import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Registry } from "prom-client";
import { gauge } from "../../lib/figures.ts";
import type { FairTurns } from "../../lib/queues/fair-turns.ts";
import { sizeLevel } from "../../lib/queues/turn-times.ts";
import { clientGroup } from "../access/client-address.ts";
import { SMALL_BODY_BYTES } from "../admission/limits.ts";
import { HttpError, wrongLength } from "../errors/errors.ts";
import { BODY_FORM, requireForm } from "./body-form.ts";
import type { BodyMemory } from "./body-memory.ts";
import { explainInvalidJson } from "./invalid-json.ts";
import { readBody } from "./read-body.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Maximum number of values in a body, if higher than usual (`BODY_FORM`). */
    maxBodyValues?: number;
  }
}

const MEMORY_METRIC = {
  name: "quarry_http_body_memory_bytes",
  help: "Memory used by request bodies that have not fully arrived; at most --body-memory, and per client --client-body-memory",
};

interface JsonBodiesOptions {
  memory: BodyMemory;
  turns: FairTurns;
  registry: Registry;
  /** Identifies the client of a request and applies its limits. @throws HttpError, ClientOverload */
  admit(request: FastifyRequest): void;
}

/** Receives and parses the bodies of requests, all of which are JSON. */
export function acceptJsonBodies(
  app: FastifyInstance,
  { admit, memory, turns, registry }: JsonBodiesOptions,
): void {
  gauge(registry, MEMORY_METRIC, () => memory.bytes);
  // Undeclared fields are ignored, but `__proto__` and `constructor` must not reach our objects.
  const parse = app.getDefaultJsonParser("remove", "remove");
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", (request, payload, done) => {
    const { bodyLimit, config } = request.routeOptions;
    const share = memory.open(clientOf(request));
    const requireSize = (bytes: number) => {
      if (bytes > bodyLimit) {
        throw new HttpError(413, `The body is larger than the allowed ${bodyLimit} bytes.`);
      }
      if (bytes > SMALL_BODY_BYTES && request.client === null) admit(request);
    };
    const receive = async () => {
      requireSize(Number(request.headers["content-length"] ?? 0));
      const body = await readBody(payload, (bytes) => {
        requireSize(bytes);
        share.grow(bytes);
      });
      requireLength(body, request);
      // The request had its turn before its body arrived, so parsing needs another turn.
      await turns.next(clientOf(request), `body ${request.routeOptions.url} ${sizeLevel(body.length)}`);
      const text = body.toString();
      requireForm(text, { ...BODY_FORM, values: config.maxBodyValues ?? BODY_FORM.values });
      return text;
    };
    receive()
      .finally(share.release)
      .then(
        (text) => parse(request, text, (error, body) => done(error && explainInvalidJson(error, text), body)),
        (error: Error) => done(error),
      );
  });
}

/** Returns the client as far as it is known before the body arrives: by its key, or by its address. */
function clientOf(request: FastifyRequest): string {
  return request.client?.name ?? clientGroup(request);
}

/**
 * Requires that a body has the length in its Content-Length. For requests over HTTP, Node checks this itself.
 */
function requireLength({ length }: Buffer, { headers }: FastifyRequest): void {
  const declared = headers["content-length"];
  if (declared === undefined || Number(declared) === length) return;
  throw wrongLength();
}
