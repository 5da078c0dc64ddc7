import type { components } from "../api-types.ts";
import type { Connection } from "../connection/connection.ts";
import { type CallOptions, request } from "../connection/request.ts";

export type KeyUsage = components["schemas"]["CheckUsageAnswer"];

export async function usage(connection: Connection, options?: CallOptions): Promise<KeyUsage> {
  const { body } = await request<KeyUsage>(connection, { path: "/v1/check-usage", ...options });
  return body;
}
