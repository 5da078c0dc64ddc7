import type { components } from "../api-types.ts";
import type { Connection } from "../connection/connection.ts";
import { QuarryError } from "../connection/quarry-error.ts";
import { ask, type CallOptions } from "../connection/request.ts";

export type Status = components["schemas"]["GetStatusAnswer"];
export type ChainStatus = Status["chains"][number];
export type Readiness = { ready: true } | { ready: false; reason: string };

export async function status(connection: Connection, options?: CallOptions): Promise<Status> {
  const { body } = await ask<Status>(connection, { path: "/v1/status", ...options });
  return body;
}

/** Not being ready is an answer here: it is asked for once, without retries. */
export async function ready(connection: Connection, options?: CallOptions): Promise<Readiness> {
  try {
    await ask({ ...connection, retries: 0 }, { path: "/ready", ...options });
    return { ready: true };
  } catch (error) {
    if (error instanceof QuarryError && error.status === 503) return { ready: false, reason: error.message };
    throw error;
  }
}
