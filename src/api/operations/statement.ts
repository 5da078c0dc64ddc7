import type { FastifyRequest } from "fastify";
import { fingerprint } from "../../lib/hash/fingerprint.ts";

/** A client's SQL as the log, the traces and the list of slow requests name it. */
export interface NamedStatement {
  /** Equal strings have equal fingerprints, so that a slow statement can be found again. */
  fingerprint: string;
  text: string;
}

/** Returns the SQL of a request; null if it has none. */
export function statementOf(request: Pick<FastifyRequest, "routeOptions" | "body">): NamedStatement | null {
  const { query } = (parametersOfSql(request) ?? {}) as { query?: unknown };
  return typeof query === "string" ? { fingerprint: fingerprint(query), text: query } : null;
}

/**
 * Returns the parameters of a request that runs SQL; null for other requests, because some of them, such as
 * searches, also have a parameter `query`.
 */
function parametersOfSql({ routeOptions, body }: Pick<FastifyRequest, "routeOptions" | "body">): unknown {
  if (routeOptions.url === "/v1/sql") return body;
  if (routeOptions.url !== "/mcp") return null;
  const { params } = (body ?? {}) as { params?: { name?: unknown; arguments?: unknown } | null };
  return params?.name === "sql" ? params.arguments : null;
}
