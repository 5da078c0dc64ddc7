import type { components } from "../api-types.ts";
import { type AsOf, asOf } from "../connection/as-of.ts";
import type { Connection } from "../connection/connection.ts";
import { type CallOptions, request } from "../connection/request.ts";

type Schemas = components["schemas"];

export type ScreenerParams = Schemas["ScreenerBody"];
type Answer = Schemas["ScreenerAnswer"];
export type ScreenedToken = Answer["tokens"][number];
export type ScreenedPool = Answer["pools"][number];

export interface ScreenerList extends Answer {
  /** Null for a list of several chains. */
  asOf: AsOf | null;
}

export async function screener(
  connection: Connection,
  params: ScreenerParams,
  options?: CallOptions,
): Promise<ScreenerList> {
  const reply = await request<Answer>(connection, { path: "/v1/screener", params, ...options });
  return { ...reply.body, asOf: asOf(reply) };
}
