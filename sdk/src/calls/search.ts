import type { components } from "../api-types.ts";
import { type AsOf, asOf } from "../connection/as-of.ts";
import type { Connection } from "../connection/connection.ts";
import { type CallOptions, request } from "../connection/request.ts";

type Schemas = components["schemas"];

export type SearchParams = Schemas["SearchBody"];
type Answer = Schemas["SearchAnswer"];
export type FoundToken = Answer["tokens"][number];
export type FoundPool = Answer["pools"][number];

export interface SearchResults extends Answer {
  /** Null if several chains were searched. */
  asOf: AsOf | null;
}

export async function search(
  connection: Connection,
  query: SearchParams,
  options?: CallOptions,
): Promise<SearchResults> {
  const reply = await request<Answer>(connection, { path: "/v1/search", query, ...options });
  return { ...reply.body, asOf: asOf(reply) };
}
