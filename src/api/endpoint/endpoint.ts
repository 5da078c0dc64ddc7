import type { Registry } from "prom-client";
import type { z } from "zod";
import type { Commit, Reader } from "../../reads/snapshot/snapshot.ts";
import type { ApiLimits } from "../admission/limits.ts";
import type { SpooledAnswer } from "../answers/buffered-answer.ts";
import type { Parameters, Values } from "../parameters/parameter.ts";

/** Where the indexer of a chain is; told by the process that runs it. Block numbers; times in unix seconds. */
export interface IndexingState {
  head: number | null;
  finalized: number | null;
  ready: boolean;
  message: string | null;
  /** Why none of the chain's RPC endpoints can be used, each by its name, and since when; null while one can. */
  outage: string | null;
  endpoints: readonly EndpointState[];
  /** Since the indexer started; `deepest` in blocks. */
  rollbacks: { count: number; deepest: number; lastAt: number | null };
}

/** How an RPC endpoint of the indexer does. */
export interface EndpointState {
  /** Without credentials and keys. */
  url: string;
  requests: number;
  failures: number;
  lies: number;
  latencyMs: number | null;
  avoidedUntil: number | null;
}

/** What a handler works with, besides its parameters. */
export interface Call {
  reader: Reader;
  limits: ApiLimits;
  /** Unix seconds; one instant a request. */
  now: number;
  /** The header Accept. */
  accept: string | undefined;
  /** Aborted when nobody waits for the answer any more. */
  signal: AbortSignal;
  indexing(chain: string): IndexingState | null;
  metrics: Registry;
  /** Asks another endpoint, as a request for it would with these parameters in its body. */
  ask(other: Endpoint, params: Record<string, unknown>): Promise<Reply<unknown>>;
}

export interface Reply<A> {
  /** What is sent as JSON, or as it is where the endpoint says so; collected from pieces where it is too large to build at once. */
  body: A | SpooledAnswer;
  /** The commit that the answer is as of; null when it depends on no block. */
  asOf: Commit | null;
  headers?: Record<string, string>;
  /** Media type of a streamed body that is not JSON. */
  contentType?: string;
}

export type Method = "GET" | "POST";

/** What a header of an answer says. */
export interface HeaderDoc {
  doc: string;
  type: "integer" | "boolean" | "string";
  /** All values that there are, where they are few. */
  values?: readonly string[];
}

/**
 * One endpoint, declared once: validation, types, error messages and documents are derived from it.
 * GET takes its parameters from the query, POST from the JSON body and, where that lacks them, the query.
 */
export interface Endpoint<P extends Parameters = Parameters, A = unknown> {
  /** Name of the operation, e.g. `getPriceHistoricalOHLC`. */
  name: string;
  methods: readonly Method[];
  path: string;
  /** Characters of a URL without a body, where they are fewer than the service allows anyway. */
  maxUrlLength?: number;
  /** A few words, for lists. */
  title: string;
  /** A sentence. */
  summary: string;
  parameters: P;
  answer: z.ZodType<A>;
  /** Answers are text of this media type, not JSON. */
  textType?: string;
  /** Media types that answers may have besides JSON, when they are asked for. */
  otherTypes?: readonly string[];
  example: { parameters: Record<string, unknown>; answer: A };
  /** Headers that only its answers have. */
  headers?: Record<string, HeaderDoc>;
  /**
   * What an answer costs: `query` runs a client's own SQL, `read` a question of known size, `nothing` no
   * question at all. Each kind waits in its own line, so that none keeps the other waiting.
   */
  cost: "query" | "read" | "nothing";
  /** Its answers are results of JSON-RPC, its errors are errors of JSON-RPC, and a body may be a list of calls. */
  protocol?: "json-rpc";
  /** Answered without a key: for probes. */
  open?: true;
  handle(values: Values<P>, call: Call): Promise<Reply<A>>;
}

/** Declares an endpoint; its handler's types follow from the parameters and the answer. */
export function endpoint<const P extends Parameters, A>(declared: Endpoint<P, A>): Endpoint {
  return declared as unknown as Endpoint;
}
