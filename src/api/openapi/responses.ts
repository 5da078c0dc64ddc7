import type { Endpoint, HeaderDoc, Method } from "../endpoint/endpoint.ts";
import { PUBLIC_ERROR_CODES } from "../errors/errors.ts";

type Json = Record<string, unknown>;

const HEADER_DOCS = {
  "X-Request-Id": { type: "string", doc: "identifies the request in the service's log" },
  "X-First-Block": {
    type: "integer",
    doc: "first indexed block: the response is complete from this block on and ignores earlier blocks",
  },
  "X-Indexed-Block": {
    type: "integer",
    doc: "the response includes all blocks up to this one; absent if it does not depend on one chain's blocks",
  },
  "X-Indexed-Timestamp": { type: "integer", doc: "time of block X-Indexed-Block, unix seconds" },
  "X-Indexed-Block-Hash": { type: "string", doc: "hash of block X-Indexed-Block" },
  "X-Commit": {
    type: "integer",
    doc: "number of commits, rollbacks and repairs of the chain: responses with equal numbers reflect the same blocks",
  },
  ETag: {
    type: "string",
    doc: "identifies the response: send it as If-None-Match to get 304 while nothing has changed",
  },
  "Cache-Control": {
    type: "string",
    doc: "no-cache: caches may keep the response, but must revalidate it; max-age: it is final; private: keys are required",
  },
  Vary: { type: "string", doc: "request headers on which the response depends" },
  "X-Error-Code": {
    type: "string",
    values: PUBLIC_ERROR_CODES,
    doc: "kind of the error, a stable identifier for programs",
  },
  "X-Sql-Error": {
    type: "string",
    doc: "for errors in a SQL query: JSON of the schema SqlMistake; otherwise absent",
  },
  "Retry-After": { type: "integer", doc: "seconds to wait before a retry" },
  "RateLimit-Limit": {
    type: "integer",
    doc: "number of requests that the client may send at once; absent if its rate is not limited",
  },
  "RateLimit-Remaining": {
    type: "integer",
    doc: "number of requests that the client may still send at once",
  },
  "RateLimit-Reset": {
    type: "integer",
    doc: "seconds until the client may again send RateLimit-Limit requests at once",
  },
} as const satisfies Record<string, HeaderDoc>;

const AS_OF_HEADERS = [
  "X-First-Block",
  "X-Indexed-Block",
  "X-Indexed-Timestamp",
  "X-Indexed-Block-Hash",
  "X-Commit",
] as const;

const RATE_HEADERS = ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"] as const;

const CACHING_HEADERS = ["ETag", "Cache-Control", "Vary"] as const;

type HeaderName = keyof typeof HEADER_DOCS;

export const HEADERS: Json = Object.fromEntries(
  Object.entries(HEADER_DOCS).map(([name, doc]) => [name, headerOf(doc)]),
);

function headerOf({ type, doc, values }: HeaderDoc): Json {
  return { description: doc, schema: values === undefined ? { type } : { type, enum: values } };
}

function headerRefs(...names: HeaderName[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Returns the description of the headers of an endpoint's response. */
export function headersOf(endpoint: Endpoint, method: Method): Json {
  const { cost, protocol, headers = {} } = endpoint;
  const own = Object.entries(headers).map(([name, doc]) => [name, headerOf(doc)]);
  const asOf = cost === "nothing" && protocol !== "json-rpc" ? {} : headerRefs(...AS_OF_HEADERS);
  const caching = isCacheable(endpoint, method) ? headerRefs(...CACHING_HEADERS) : {};
  return { ...headerRefs("X-Request-Id"), ...asOf, ...caching, ...Object.fromEntries(own) };
}

/** Returns whether responses are as of a commit of one chain, and so have an ETag. */
function isCacheable(endpoint: Endpoint, method: Method): boolean {
  return method === "GET" && endpoint.protocol !== "stream" && "chain" in endpoint.parameters;
}

/**
 * Returns the description of the 304 response, for clients that already have the newest answer; empty if the
 * endpoint has no ETag.
 */
export function notModifiedOf(endpoint: Endpoint, method: Method): Json {
  return isCacheable(endpoint, method) ? { 304: { $ref: "#/components/responses/NotModified" } } : {};
}

export const PROBLEM_SCHEMA: Json = {
  type: "object",
  properties: { error: { type: "string", description: "error message: what is wrong and what is allowed" } },
  required: ["error"],
};

const PROBLEM_DOCS = {
  BadInput: "A parameter is missing or invalid, or the query is not allowed.",
  BadKey: "The service requires an API key; it is missing, invalid or expired.",
  Forbidden:
    "The API key lacks the scope of this endpoint, or the Host or Origin of the request is not allowed.",
  OutOfTime: "The query took too long.",
  NotAcceptable: "The Accept header allows none of the available media types.",
  BodyTooLarge: "The body is too large.",
  UrlTooLong: "The URL is too long; send the parameters by POST if the endpoint offers it.",
  NotJson: "The body was not sent as application/json, or is compressed (Content-Encoding).",
  Busy: "A limit of the client is reached, or the request waited too long: send it again after the number of seconds in Retry-After.",
  Fault: "Internal error of the service; the message contains the request id.",
  NotReady: "The service is overloaded, not ready or stopping, or its newest block is older than max_lag.",
} as const;

/** The error response of each protocol that has its own form of errors. */
const PROTOCOL_PROBLEMS = { "json-rpc": "RpcProblem", udf: "UdfProblem" } as const;

type ProblemName = keyof typeof PROBLEM_DOCS;

export const PROBLEMS: Json = {
  ...Object.fromEntries(
    Object.entries(PROBLEM_DOCS).map(([name, description]) => [name, problemOf(name, description)]),
  ),
  NotModified: {
    description: "The response with the ETag in If-None-Match is still the newest one.",
    headers: headerRefs("X-Request-Id", ...AS_OF_HEADERS, ...CACHING_HEADERS),
  },
  RpcProblem: {
    description: "The call failed; for a single call, the HTTP status is the error's code.",
    headers: headerRefs("X-Request-Id", "X-Error-Code"),
    content: { "application/json": { schema: { $ref: "#/components/schemas/RpcProblem" } } },
  },
  UdfProblem: {
    description: "The request failed; the HTTP status is the same as for other endpoints.",
    headers: headerRefs("X-Request-Id", "X-Error-Code", "Retry-After"),
    content: { "application/json": { schema: { $ref: "#/components/schemas/UdfProblem" } } },
  },
};

function problemOf(name: string, description: string): Json {
  const retry = name === "Busy" || name === "NotReady" ? (["Retry-After"] as const) : [];
  const rate = name === "Busy" ? RATE_HEADERS : [];
  const mistake = name === "BadInput" ? (["X-Sql-Error"] as const) : [];
  return {
    description,
    headers: headerRefs("X-Request-Id", "X-Error-Code", ...retry, ...rate, ...mistake),
    content: { "application/json": { schema: { $ref: "#/components/schemas/Problem" } } },
  };
}

/** Returns the descriptions of the possible errors of a request, by HTTP status. */
export function problemsOf(endpoint: Endpoint, method: Method): Json {
  const { open, cost, protocol } = endpoint;
  if (protocol !== undefined && protocol !== "stream")
    return { default: { $ref: `#/components/responses/${PROTOCOL_PROBLEMS[protocol]}` } };
  const names: [number, ProblemName, boolean][] = [
    [400, "BadInput", true],
    [401, "BadKey", open !== true],
    [403, "Forbidden", true],
    [406, "NotAcceptable", endpoint.otherTypes !== undefined],
    [408, "OutOfTime", cost !== "nothing"],
    [413, "BodyTooLarge", method === "POST"],
    [414, "UrlTooLong", true],
    [415, "NotJson", method === "POST"],
    [429, "Busy", cost !== "nothing"],
    [500, "Fault", true],
    [503, "NotReady", true],
  ];
  const possible = names.filter(([, , applies]) => applies);
  return Object.fromEntries(
    possible.map(([status, name]) => [status, { $ref: `#/components/responses/${name}` }]),
  );
}
