import type { Registry } from "prom-client";
import type { z } from "zod";
import type { Summary } from "../../lib/ages/recent-values.ts";
import type { ServedQuestion, ServedReply } from "../../reads/served/served.ts";
import type { Commit, QueryLimits, Reader } from "../../reads/snapshot/snapshot.ts";
import type { ApiLimits } from "../admission/limits.ts";
import type { JsonText } from "../answers/json-text.ts";
import type { BufferedAnswer } from "../answers/unread/buffered-answer.ts";
import type { ClientKey, KeyScope } from "../keys/client-keys.ts";
import type { KeyUsage } from "../keys/key-usage.ts";
import type { CollectedReport } from "../operations/report-exchange.ts";
import type { Parameters, RequestContext, Values } from "../parameters/parameter.ts";
import { maxLagParameter } from "../parameters/shared-parameters.ts";
import type { SqlAnswer, SqlRequest } from "../shared-sql/sql-answer.ts";
import type { StreamRequest } from "../subscriptions/stream-request.ts";

/**
 * State of a chain's indexer in the same process. `head` and `finalized` are block numbers; times are unix
 * seconds.
 */
export interface IndexingState {
  head: number | null;
  finalized: number | null;
  ready: boolean;
  message: string | null;
  /**
   * Why none of the chain's RPC endpoints is usable, endpoint by endpoint, and since when; null while at
   * least one is.
   */
  outage: string | null;
  /** Why no block has been indexed for too long; null while blocks are being indexed. */
  stalled: string | null;
  endpoints: readonly EndpointState[];
  /**
   * Ages of the newest blocks at the head, in seconds, when they were seen and when they were committed; null
   * if there are none.
   */
  ages: { seen: Summary | null; committed: Summary | null };
  /** The search for balances before the first block; null or absent if it is off. */
  openings?: OpeningState | null;
  /** Rollbacks since the indexer started; `deepest` in blocks. */
  rollbacks: { count: number; deepest: number; lastAt: number | null };
  /** The running extension of the chain to earlier blocks; null if there is none. */
  extension: ExtensionState | null;
}

/** Progress of the hidden copy that extends a chain to earlier blocks. */
export interface ExtensionState {
  /** First and newest block of the copy, and the block that the copy must reach. */
  from: number;
  block: number | null;
  target: number;
  blocksPerSecond: number;
  etaSeconds: number | null;
  /** Why it is not advancing; null while it is. */
  message: string | null;
}

/** The search for balances before the first block: numbers of holdings, and why it makes no progress. */
export interface OpeningState {
  mode: string;
  reading: number;
  waiting: number;
  confirmed: number;
  rejected: number;
  unapplied: number;
  message: string | null;
}

/** State of one of the indexer's RPC endpoints. */
export interface EndpointState {
  /** Without credentials and keys. */
  url: string;
  requests: number;
  failures: number;
  lies: number;
  latencyMs: number | null;
  avoidedUntil: number | null;
}

/** The data that /v1/operations reports about the service's work. */
export interface Operations {
  /** Requests that take longer than this are recorded. */
  slowAfterMs: number;
  /** Whether the SQL text of recorded requests is kept. */
  hasTexts: boolean;
  /** Returns the reports of all processes of the service. */
  collect(): Promise<CollectedReport[]>;
}

/** The context that a handler receives in addition to its parameters. */
export interface Call {
  reader: Reader;
  limits: ApiLimits;
  /** Unix seconds; the same moment for the whole request. */
  now: number;
  /** The Accept header. */
  accept: string | undefined;
  /** Returns the name of the client that sent the request. */
  client(): string;
  /** Returns the key of the request, and the usage of all keys; null if the service is open. */
  keyUse(): { key: ClientKey; usage: KeyUsage } | null;
  /** Limits of a query; its signal aborts when the client disconnects or the query is preempted. */
  within: QueryLimits;
  indexing(chain: string): IndexingState | null;
  /**
   * Returns the ages of the newest blocks, in seconds, when their frames were sent; null if there are none.
   */
  sentAges(chain: string): Summary | null;
  metrics: Registry;
  operations: Operations;
  /** Runs another endpoint, as a POST with these parameters would. */
  run(other: Endpoint, parameters: Record<string, unknown>): Promise<Reply<unknown>>;
}

/**
 * The body of a reply. It is sent as JSON, or unchanged for endpoints with a `textType`. A `BufferedAnswer`
 * may be too large for memory, a `JsonText` is made of parts that are already printed, and a `Buffer` was
 * kept from another request.
 */
export type Body<A> = A | JsonText | BufferedAnswer | Buffer;

export interface Reply<A> {
  body: Body<A>;
  /** The commit that the answer reflects; null if it depends on no block, or on blocks of several chains. */
  asOf: Commit | null;
  /** The commits of an answer about several chains. */
  asOfEach?: readonly Commit[];
  headers?: Record<string, string>;
  /** Media type of a streamed body that is not JSON. */
  contentType?: string;
}

export type Method = "GET" | "POST";

/** Documentation of a response header. */
export interface HeaderDoc {
  doc: string;
  type: "integer" | "boolean" | "string";
  /** All possible values, if there are only a few. */
  values?: readonly string[];
}

/**
 * One endpoint, declared once: validation, types, error messages and documentation are derived from it. GET
 * reads its parameters from the URL's query; POST reads them from the JSON body and, if absent there, from
 * the URL's query.
 */
interface Declaration<P extends Parameters, A> {
  /** Name of the operation, e.g. `getPriceHistoricalOHLC`. */
  name: string;
  methods: readonly Method[];
  path: string;
  /** Scope that a client's key must have; default: `data`. Null: any key will do. */
  scope?: KeyScope | null;
  /** Maximum characters of the URL of a request without a body; default: the limit of the service. */
  maxUrlLength?: number;
  /** Maximum bytes of a body, if higher than the limit of the service. */
  maxBodyBytes?: number;
  /** Maximum number of values in a body, if higher than usual (`BODY_FORM`). */
  maxBodyValues?: number;
  /** A few words for lists. */
  title: string;
  /** A sentence. */
  summary: string;
  parameters: P;
  answer: z.ZodType<A>;
  /** Media type of answers that are text instead of JSON. */
  textType?: string;
  /** Media types, in addition to JSON, that a request may select. */
  otherTypes?: readonly string[];
  example: { parameters: Record<string, unknown>; answer: A };
  /** Headers that only this endpoint sends. */
  headers?: Record<string, HeaderDoc>;
  /**
   * The work behind an answer: `query` runs a client's own SQL, `read` runs queries of limited size,
   * `nothing` runs no query. `query` and `read` have separate queues, so that neither delays the other.
   */
  cost: "query" | "read" | "nothing";
  /**
   * `json-rpc`: answers and errors have the form of JSON-RPC, and a body may be a list of calls. `udf`:
   * errors have the form that TradingView's charts expect. `stream`: server-sent events, or the messages of a
   * WebSocket.
   */
  protocol?: "json-rpc" | "udf" | "stream";
  /** Needs no key: for health probes and the OpenAPI document. */
  open?: true;
  /** Requested by probes: the requests have turns of their own on the event loop. */
  isProbe?: true;
  /** Its requests do not count towards the monthly usage of their key. */
  isUncounted?: true;
  /**
   * Shows what other clients do. If the service has no keys, only clients on the service's machine may read
   * this.
   */
  isForOperator?: true;
  /**
   * Returns the values on which an answer as of a commit depends, for its ETag. Requests with equal values
   * must have equal answers. Default: all values. An endpoint without a parameter `chain` has no ETag.
   *
   * @param now unix seconds, as in `Call`
   */
  dependsOn?(values: Values<P>, commit: Commit, now: number): Partial<Record<keyof P, unknown>>;
  /**
   * Returns a time in unix seconds such that no block after it can change the answer. Once that time is
   * final, caches may keep the answer. Default: there is no such time.
   */
  settledAt?(values: Values<P>, now: number): number | null;
}

/** How an endpoint makes its reply. */
type Responder<P extends Parameters, A> =
  | { handle(values: Values<P>, call: Call): Promise<Reply<A>> }
  /** A question about a chain, which the serving state answers without waiting whenever it can. */
  | { question(values: Values<P>, call: QuestionCall): ServedQuestion<Body<A>> }
  /** Several such questions in one reply. */
  | { questions(values: Values<P>, call: QuestionCall): ServedReply<Reply<A>> }
  /** Sends frames until the connection is closed. */
  | { stream(given: Record<string, unknown>, context: RequestContext): StreamRequest }
  /** A client's SQL, whose answer identical requests share. */
  | {
      sql(values: Values<P>, call: SqlCall): SqlRequest;
      replyOf(answer: SqlAnswer, values: Values<P>, call: SqlCall): Reply<A>;
    };

/** The parts of a call that a question may depend on, in addition to its parameters. */
export type QuestionCall = Pick<Call, "reader" | "limits" | "now" | "client" | "indexing" | "sentAges">;

export type SqlCall = Pick<Call, "reader" | "limits" | "now" | "accept">;

export type Endpoint<P extends Parameters = Parameters, A = unknown> = Declaration<P, A> & Responder<P, A>;

/**
 * Declares an endpoint; the types of its handler follow from the parameters and the answer. An endpoint about
 * a chain also gets the parameter `max_lag`.
 */
export function endpoint<const P extends Parameters, A>(declared: Endpoint<P, A>): Endpoint {
  const { parameters } = declared;
  if (!Object.hasOwn(parameters, "chain")) return declared as unknown as Endpoint;
  return { ...declared, parameters: { ...parameters, max_lag: maxLagParameter() } } as unknown as Endpoint;
}
