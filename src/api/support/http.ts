import type { FastifyInstance } from "fastify";

/** The response to an injected request. */
export interface TestResponse {
  status: number;
  headers: Record<string, unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: responses have every shape
  body: any;
}

export async function get(
  app: FastifyInstance,
  path: string,
  query: Record<string, string | number | boolean> = {},
) {
  const given = Object.entries(query).map(([name, value]) => [name, String(value)]);
  return responseOf(app.inject({ method: "GET", url: path, query: Object.fromEntries(given) }));
}

export async function post(app: FastifyInstance, path: string, body: unknown) {
  return responseOf(app.inject({ method: "POST", url: path, payload: body as object }));
}

type Injected = Promise<{ statusCode: number; headers: Record<string, unknown>; body: string }>;

export async function responseOf(response: Injected): Promise<TestResponse> {
  const { statusCode, headers, body } = await response;
  const isJson = String(headers["content-type"]).startsWith("application/json");
  return { status: statusCode, headers, body: body === "" ? null : isJson ? JSON.parse(body) : body };
}
