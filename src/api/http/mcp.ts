import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { NOT_STORED } from "../caching/http-caching.ts";
import { whileConnected } from "../connections/while-connected.ts";
import { sendRpcProblem } from "../endpoint/json-rpc.ts";
import type { ApiContext } from "../endpoint/run-endpoint.ts";
import { problemIn } from "../endpoint/send-problem.ts";
import { HttpError } from "../errors/errors.ts";
import { askInProcess } from "../mcp/ask-in-process.ts";
import { admitClient } from "./client-load.ts";
import { addOtherMethods, requirePlain } from "./route.ts";

const PATH = "/mcp";

const OFFERED = "POST, OPTIONS";

/** Maximum size of a message: enough for the longest SQL text that can be configured. */
const MAX_BODY_BYTES = 2 * 1024 * 1024;

/**
 * Serves the tools for agents: MCP over streamable HTTP. There are no sessions, so that every process of a
 * service can answer every request, and no streams, because a tool returns a single answer.
 */
export function addMcp(app: FastifyInstance, context: ApiContext, version: string): void {
  // A message without an id is a notification, so an error about it has the id null.
  const errorForm = { errorHandler: sendRpcProblem(context, null) };
  app.post(PATH, {
    ...errorForm,
    // The tools include SQL, so a key needs both scopes.
    config: { scopes: ["data", "sql"] },
    bodyLimit: Math.max(MAX_BODY_BYTES, context.limits.bodyBytes),
    onRequest: async (request, reply) => {
      requirePlain(request.headers["content-encoding"]);
      requireOwnOrigin(request, reply);
    },
    preValidation: async (request) => admitClient(request, context),
    handler: (request, reply) => answer(request, reply, context, version),
  });
  addOtherMethods(app, PATH, OFFERED, errorForm);
}

/** Rejects requests from pages that may not read the response, as MCP requires (DNS rebinding). */
function requireOwnOrigin({ headers: { origin } }: FastifyRequest, reply: FastifyReply): void {
  if (origin === undefined || reply.hasHeader("access-control-allow-origin")) return;
  throw new HttpError(
    403,
    "This service does not accept requests from pages of this origin. If it should, start it with the origin in " +
      "--allowed-origins.",
  );
}

async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  context: ApiContext,
  version: string,
): Promise<FastifyReply> {
  if (Array.isArray(request.body)) throw new HttpError(400, "Send one message per request, not a list.");
  // The MCP library takes a while to load, and most services never need it.
  const { answerMessage } = await import("../mcp/answer-message.ts");
  const response = await whileConnected(reply, (signal) =>
    answerMessage(request.body ?? null, headersOf(request), {
      version,
      askWith: () => askInProcess(context, request, signal),
      messageOf: (error) => problemIn(request, error, context.limits).message,
    }),
  );
  reply.code(response.status).headers(NOT_STORED);
  if (response.body === null) return reply.send();
  return reply.type("application/json; charset=utf-8").send(await response.text());
}

/** Maximum length of a header's value: the MCP library repeats an unknown version in its error. */
const MAX_HEADER = 500;

function headersOf({ headers }: FastifyRequest): Headers {
  const given = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value).slice(0, MAX_HEADER)]],
  );
  return new Headers(given);
}
