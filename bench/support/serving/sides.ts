import type { ApiRequest } from "./clients/requests.ts";

/** A measured server. */
export interface Side {
  port: number;
  /** Port for requests with a body, if another server accepts them. */
  postPort?: number;
  /** Prefix of each path. */
  prefix: string;
  /** Processes of the server, and processes that count together with their children. */
  pids: number[];
  parents?: number[];
  /** Returns the request that this side gets instead of the given one. */
  instead?(request: ApiRequest): ApiRequest;
}

/**
 * Names of the sides, which are the columns of the tables, in order. A run without PostgreSQL or on the demo
 * has fewer.
 */
export type SideName = "ours" | "engine only" | "PostgreSQL" | "bare route";

export type Sides = Partial<Record<SideName, Side>>;
