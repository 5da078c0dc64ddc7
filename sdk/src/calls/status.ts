import type { components } from "../api-types.ts";
import type { Connection } from "../connection/connection.ts";
import { QuarryError } from "../connection/quarry-error.ts";
import { type CallOptions, request } from "../connection/request.ts";

export type Status = components["schemas"]["GetStatusAnswer"];
export type ChainStatus = Status["chains"][number];
export type Readiness = { ready: true } | { ready: false; reason: string };

export async function status(connection: Connection, options?: CallOptions): Promise<Status> {
  const { body } = await request<Status>(connection, { path: "/v1/status", ...options });
  return body;
}

/** Returns whether the service is ready. Does not retry, because 503 is a valid result here. */
export async function ready(connection: Connection, options?: CallOptions): Promise<Readiness> {
  try {
    await request({ ...connection, retries: 0 }, { path: "/ready", ...options });
    return { ready: true };
  } catch (error) {
    if (error instanceof QuarryError && error.status === 503) return { ready: false, reason: error.message };
    throw error;
  }
}
