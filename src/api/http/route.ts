import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from "fastify";
import { jsonOf } from "../answers/json-text.ts";
import { BufferedAnswer } from "../answers/unread/buffered-answer.ts";
import { hasCopy, NOT_STORED, type Validator } from "../caching/http-caching.ts";
import { whileConnected } from "../connections/while-connected.ts";
import { cacheableRequest } from "../endpoint/cacheable-request.ts";
import type { Endpoint, Method, Reply } from "../endpoint/endpoint.ts";
import { answerCalls, sendRpcProblem } from "../endpoint/json-rpc.ts";
import { maxLagOf, requireFresh } from "../endpoint/max-lag.ts";
import { type ApiContext, asOfHeaders, readRequest, runValid } from "../endpoint/run-endpoint.ts";
import { sendUdfProblem } from "../endpoint/udf-problem.ts";
import { HttpError, urlTooLong } from "../errors/errors.ts";
import { preview } from "../parameters/preview.ts";
import { streamHandlers } from "../streams/stream-route.ts";
import type { Streams } from "../streams/streams.ts";
import { admitClient } from "./client-load.ts";

/** Serves an endpoint with its own methods and the methods of `addOtherMethods`. */
export function addRoute(
  app: FastifyInstance,
  endpoint: Endpoint,
  context: ApiContext,
  streams: Streams,
): void {
  const { path, methods } = endpoint;
  const isRpc = endpoint.protocol === "json-rpc";
  const errorForm = errorFormOf(endpoint, context);
  if ("stream" in endpoint) {
    addStream(app, endpoint, context, streams);
  } else {
    app.route({
      ...errorForm,
      ...hooksOf(endpoint, context),
      method: isRpc || !methods.includes("GET") ? [...methods] : [...methods, "HEAD"],
      url: path,
      handler: (request, reply) => (isRpc ? answerCalls : answer)(endpoint, context, request, reply),
    });
  }
  addOtherMethods(app, path, offeredMethods(methods), errorForm);
}

/**
 * Responds to OPTIONS, and rejects every other method that a path does not offer with a 405 that lists the
 * methods it does offer.
 */
export function addOtherMethods(
  app: FastifyInstance,
  path: string,
  offered: string,
  errorForm: Pick<RouteShorthandOptions, "errorHandler">,
): void {
  app.options(path, (_request, reply) => reply.code(204).header("allow", offered).send());
  app.route({
    ...errorForm,
    method: OTHER_METHODS.filter((method) => !offered.includes(method)),
    url: path,
    onRequest: async ({ method }) => {
      throw new HttpError(405, `${method} is not allowed here. Allowed: ${offered}.`, { allow: offered });
    },
    handler: () => undefined,
  });
}

/**
 * Serves the stream endpoint. POST has its own route, because only a route for GET alone can become a
 * WebSocket.
 */
function addStream(
  app: FastifyInstance,
  endpoint: Extract<Endpoint, { stream: unknown }>,
  context: ApiContext,
  streams: Streams,
): void {
  const { handler, wsHandler, beforeUpgrade } = streamHandlers({
    endpoint,
    context,
    streams,
    given: givenParameters,
  });
  const hooks = hooksOf(endpoint, context);
  const shared = { ...hooks, url: endpoint.path, config: { ...hooks.config, isStream: true }, handler };
  app.route({
    ...shared,
    method: "GET",
    preValidation: async (request) => {
      await hooks.preValidation(request);
      beforeUpgrade(request);
    },
    wsHandler,
  });
  app.route({ ...shared, method: "POST" });
}

/**
 * Returns the options and hooks of a route that apply the endpoint's limits before and after a body is read.
 */
function hooksOf(
  { open, isProbe, isUncounted, isForOperator, scope, maxUrlLength, ...body }: Endpoint,
  context: ApiContext,
) {
  const { maxBodyBytes = 0, maxBodyValues } = body;
  const urlLength = maxUrlLength ?? context.limits.urlLength;
  return {
    config: {
      ...(maxBodyValues === undefined ? {} : { maxBodyValues }),
      ...(scope === undefined ? {} : { scopes: scope === null ? [] : [scope] }),
      ...(isProbe === undefined ? {} : { isProbe }),
      ...(isUncounted === undefined ? {} : { isUncounted }),
      ...(isForOperator === undefined ? {} : { isForOperator }),
    },
    bodyLimit: Math.max(maxBodyBytes, context.limits.bodyBytes),
    onRequest: async ({ method, url, headers }: FastifyRequest) => {
      if (method !== "POST" && url.length > urlLength) throw urlTooLong(urlLength);
      if (method === "POST") requirePlain(headers["content-encoding"]);
    },
    preValidation: async (request: FastifyRequest) => {
      if (open !== true) admitClient(request, context);
    },
  };
}

/**
 * Returns the option with the error handler if the endpoint's protocol has its own form of errors, otherwise
 * nothing.
 */
function errorFormOf({ protocol }: Endpoint, context: ApiContext) {
  if (protocol === undefined || protocol === "stream") return {};
  return { errorHandler: protocol === "udf" ? sendUdfProblem(context) : sendRpcProblem(context) };
}

const OTHER_METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE"];

function offeredMethods(methods: readonly Method[]): string {
  return [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
}

/** Rejects an encoded body, which could be many times larger once it is decoded. */
export function requirePlain(encoding: string | undefined): void {
  if (encoding !== undefined && encoding.trim().toLowerCase() !== "identity") throw new EncodedBody(encoding);
}

class EncodedBody extends HttpError {
  constructor(encoding: string) {
    super(
      415,
      `The body is encoded as ${preview(encoding)}. Send it as plain JSON, without the header Content-Encoding.`,
      { "accept-encoding": "identity" },
    );
  }
}

async function answer(
  endpoint: Endpoint,
  context: ApiContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const method = request.method === "POST" ? "POST" : "GET";
  const valid = readRequest(endpoint, context, givenParameters(request), method);
  const cacheable = method === "GET" ? cacheableRequest(endpoint, valid) : null;
  const ifNoneMatch = request.headers["if-none-match"];
  const copy = cacheable && (await context.caching.currentCopy(cacheable, ifNoneMatch));
  if (copy !== null) {
    requireFresh(maxLagOf(valid.values), [copy.commit], context.clock);
    return sendNotModified(reply, copy);
  }
  const result = await whileConnected(reply, (signal) =>
    runValid(endpoint, context, { ...valid, request, signal }),
  );
  const { asOf, body } = result;
  if (cacheable === null || asOf === null) return send(reply.headers(NOT_STORED), result, endpoint.textType);
  const validator = await context.caching.validatorOf(cacheable, asOf);
  if (!hasCopy(validator, ifNoneMatch))
    return send(reply.headers(validator.headers), result, endpoint.textType);
  if (body instanceof BufferedAnswer) await body.discard();
  return sendNotModified(reply, validator);
}

function sendNotModified(reply: FastifyReply, { commit, headers }: Validator): FastifyReply {
  return reply.code(304).headers(headers).headers(asOfHeaders(commit)).send();
}

/**
 * Returns the parameters of a request, including parameters in the URL of a POST: if a `chain` there were
 * ignored, the request would query another chain.
 */
function givenParameters({ method, query, body }: FastifyRequest): Record<string, unknown> {
  const inUrl = query as Record<string, unknown>;
  if (method !== "POST" || body === undefined || body === null) return inUrl;
  if (typeof body !== "object" || Array.isArray(body)) {
    throw new HttpError(400, "The body must be a JSON object with the parameters as its fields.");
  }
  return { ...inUrl, ...body };
}

function send(
  reply: FastifyReply,
  { body, asOf, headers = {}, contentType }: Reply<unknown>,
  textType: string | undefined,
): FastifyReply {
  reply.headers({ ...headers, ...asOfHeaders(asOf) });
  reply.type(contentType ?? textType ?? "application/json; charset=utf-8");
  // The length lets clients show their progress and detect an incomplete answer.
  if (body instanceof BufferedAnswer) return reply.header("content-length", body.bytes).send(body);
  if (body instanceof Buffer) return reply.header("content-length", body.length).send(body);
  return reply.send(textType !== undefined ? body : jsonOf(body));
}
