import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { SpooledAnswer } from "../answers/buffered-answer.ts";
import type { Endpoint, Method, Reply } from "../endpoint/endpoint.ts";
import { answerCalls, sendRpcProblem } from "../endpoint/json-rpc.ts";
import { abortedWithReply, askEndpoint, asOfHeaders, type Service } from "../endpoint/run-endpoint.ts";
import { Refused, urlTooLong } from "../errors/errors.ts";
import { shown } from "../parameters/parameter.ts";

/** Serves an endpoint: its methods answer, OPTIONS tells them, any other is refused by its name. */
export function addRoute(app: FastifyInstance, endpoint: Endpoint, service: Service): void {
  const { path, methods, maxUrlLength = service.limits.urlLength } = endpoint;
  const offered = offeredMethods(methods);
  const isRpc = endpoint.protocol === "json-rpc";
  const errorForm = isRpc ? { errorHandler: sendRpcProblem(service) } : {};
  app.route({
    ...errorForm,
    method: [...methods],
    url: path,
    onRequest: async ({ method, url, headers }) => {
      if (method !== "POST" && url.length > maxUrlLength) throw urlTooLong(maxUrlLength);
      if (method === "POST") requirePlain(headers["content-encoding"]);
    },
    preValidation: async (request) => {
      if (endpoint.open !== true) service.clientOf(request);
    },
    handler: (request, reply) => (isRpc ? answerCalls : answer)(endpoint, service, { request, reply }),
  });
  app.options(path, (_request, reply) => reply.code(204).header("allow", offered).send());
  app.route({
    ...errorForm,
    method: OTHER_METHODS.filter((method) => !offered.includes(method)),
    url: path,
    onRequest: async ({ method }) => {
      throw new Refused(405, `${method} is not allowed here. Allowed: ${offered}.`, { allow: offered });
    },
    handler: () => undefined,
  });
}

const OTHER_METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE"];

function offeredMethods(methods: readonly Method[]): string {
  return [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
}

/** A body that had to be unpacked could be many times as large as its bytes. */
function requirePlain(encoding: string | undefined): void {
  if (encoding !== undefined && encoding.trim().toLowerCase() !== "identity") throw new EncodedBody(encoding);
}

class EncodedBody extends Refused {
  constructor(encoding: string) {
    super(
      415,
      `The body is encoded as ${shown(encoding)}. Send it as plain JSON, without the header Content-Encoding.`,
      { "accept-encoding": "identity" },
    );
  }
}

async function answer(
  endpoint: Endpoint,
  service: Service,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> {
  const method = request.method === "POST" ? "POST" : "GET";
  const given = givenParameters(request);
  const signal = abortedWithReply(reply);
  const answered = await askEndpoint(endpoint, service, { given, method, request, signal });
  return send(reply, answered, endpoint.textType);
}

/** What stands in the URL of a POST counts too: to drop a `chain` there would answer for another one. */
function givenParameters({ method, query, body }: FastifyRequest): Record<string, unknown> {
  const inUrl = query as Record<string, unknown>;
  if (method !== "POST" || body === undefined || body === null) return inUrl;
  if (typeof body !== "object" || Array.isArray(body)) {
    throw new Refused(400, "The body must be a JSON object with the parameters as its fields.");
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
  // With a length a client can tell how far it is, and that nothing is missing.
  if (body instanceof SpooledAnswer) return reply.header("content-length", body.bytes).send(body);
  return reply.send(textType !== undefined ? body : JSON.stringify(body));
}
