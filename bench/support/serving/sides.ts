import type { ApiRequest } from "./clients/requests.ts";

/** A measured server. */
export interface Side {
  port: number;
  /** For requests with a body, where another server takes them. */
  postPort?: number;
  /** Goes in front of each path. */
  prefix: string;
  /** Its processes, and those whose children count as well. */
  pids: number[];
  parents?: number[];
  /** The request that this side gets in place of one. */
  instead?(request: ApiRequest): ApiRequest;
}

/** The columns of the tables, in their order; a run without PostgreSQL or on the demo has fewer. */
export type SideName = "ours" | "engine only" | "PostgreSQL" | "bare route";

export type Sides = Partial<Record<SideName, Side>>;
