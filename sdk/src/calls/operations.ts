import type { components } from "../api-types.ts";
import type { Connection } from "../connection/connection.ts";
import { type CallOptions, request } from "../connection/request.ts";

export type Operations = components["schemas"]["GetOperationsAnswer"];
export type SlowRequest = Operations["slow_requests"]["latest"][number];

export async function operations(connection: Connection, options?: CallOptions): Promise<Operations> {
  const { body } = await request<Operations>(connection, { path: "/v1/operations", ...options });
  return body;
}
