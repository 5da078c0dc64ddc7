import { text } from "node:stream/consumers";
import type { FastifyRequest } from "fastify";
import { JsonText } from "../answers/json-text.ts";
import { BufferedAnswer } from "../answers/unread/buffered-answer.ts";
import { admittedClient } from "../endpoint/admitted-client.ts";
import type { Reply } from "../endpoint/endpoint.ts";
import { type ApiContext, asOfHeaders, runEndpoint } from "../endpoint/run-endpoint.ts";
import { type Ask, requireShortBody } from "./ask.ts";

/** Returns a function that calls endpoints of this service on behalf of an admitted request. */
export function askInProcess(context: ApiContext, request: FastifyRequest, signal: AbortSignal): Ask {
  const client = admittedClient(request);
  let calls = 0;
  return async (endpoint, given) => {
    // Each call counts as a request; the first was counted when the message arrived.
    if (calls++ > 0) context.clientLimits.requireTokens(client);
    const {
      body,
      asOf,
      headers = {},
    } = await runEndpoint(endpoint, context, {
      given,
      method: "POST",
      request,
      signal,
    });
    const all: Record<string, string | number> = { ...headers, ...asOfHeaders(asOf) };
    return { body: await parsed(body), header: (name) => all[name]?.toString() ?? null };
  };
}

async function parsed(body: Reply<unknown>["body"]): Promise<unknown> {
  if (body instanceof BufferedAnswer) {
    try {
      requireShortBody(body.bytes);
      return JSON.parse(await text(body));
    } finally {
      body.destroy();
    }
  }
  if (body instanceof Buffer) {
    requireShortBody(body.length);
    return JSON.parse(body.toString());
  }
  return body instanceof JsonText ? JSON.parse(body.text) : body;
}
