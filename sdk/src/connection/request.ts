import type { paths } from "../api-types.ts";
import type { Connection } from "./connection.ts";
import { requireFinite } from "./finite-numbers.ts";
import { queryText, withMethod } from "./method.ts";
import { type ErrorCode, QuarryError, type SqlMistake } from "./quarry-error.ts";

export interface ServiceRequest extends CallOptions {
  path: keyof paths;
  /** Parameters in the URL, for GET. */
  query?: object;
  /** Parameters in the body, for POST. */
  body?: object;
  /**
   * Parameters of an endpoint that accepts GET and POST. Sent with GET if they fit into a URL, because
   * responses to GET can be cached.
   */
  params?: object;
}

export interface CallOptions {
  /** Cancels the call when the signal aborts. */
  signal?: AbortSignal | undefined;
}

/** A response. Its body has the type from the OpenAPI document. */
export interface Reply<B> {
  body: B;
  headers: Headers;
}

/**
 * Maximum wait that the service may request before a retry. If it requests more, the caller gets the error.
 */
const MAX_RETRY_AFTER_SECONDS = 60;

/** Wait if a busy service sends no Retry-After. */
const DEFAULT_RETRY_AFTER_SECONDS = 1;

/**
 * Sends a request. If the service is too busy (429) or not ready (503), retries after the wait that the
 * service requests.
 *
 * @throws QuarryError, or the reason of the caller's signal if the signal aborts
 */
export function request<B>(connection: Connection, call: ServiceRequest): Promise<Reply<B>> {
  return withRetries(connection, call, () => requestOnce<B>(connection, call));
}

/** Runs a request, and retries while the service is too busy or not ready. */
export async function withRetries<T>(
  connection: Connection,
  call: ServiceRequest,
  once: () => Promise<T>,
): Promise<T> {
  for (let retriesLeft = connection.retries; ; retriesLeft--) {
    try {
      return await once();
    } catch (error) {
      const seconds = retriesLeft > 0 ? retryAfter(error) : null;
      if (seconds === null) throw error;
      await pause(seconds * 1000, call.signal);
    }
  }
}

function retryAfter(error: unknown): number | null {
  if (!(error instanceof QuarryError) || (error.status !== 429 && error.status !== 503)) return null;
  const seconds = error.retryAfterSeconds ?? DEFAULT_RETRY_AFTER_SECONDS;
  return seconds <= MAX_RETRY_AFTER_SECONDS ? seconds : null;
}

async function requestOnce<B>(connection: Connection, call: ServiceRequest): Promise<Reply<B>> {
  const { response, text } = await exchange(connection, call);
  if (!response.ok) throw errorOf(response, text);
  const body = parsed(text);
  if (body === undefined) {
    const message = "The response is not JSON. Is this a Quarry service?";
    throw new QuarryError("not-quarry", message, detailsOf(response));
  }
  return { body: body as B, headers: response.headers };
}

/** Returns the error that a response describes. */
export function errorOf(response: Response, text: string): QuarryError {
  const { headers } = response;
  // A response without a code does not come from the service.
  const code = (headers.get("x-error-code") ?? "not-quarry") as ErrorCode;
  return new QuarryError(code, messageOf(parsed(text), response), {
    ...detailsOf(response),
    retryAfterSeconds: secondsUntil(headers.get("retry-after")),
    sql: mistakeOf(parsed(headers.get("x-sql-error") ?? "")),
  });
}

function mistakeOf(header: unknown): SqlMistake | null {
  return typeof header === "object" && header !== null && "offset" in header ? (header as SqlMistake) : null;
}

function detailsOf({ status, headers }: Response) {
  return { status, requestId: headers.get("x-request-id") };
}

/**
 * Sends a request and reads the whole response. The timeout includes the body, which can stall like the
 * headers.
 */
async function exchange(connection: Connection, call: ServiceRequest) {
  const timeout = AbortSignal.timeout(connection.timeoutMs);
  const signal = call.signal === undefined ? timeout : AbortSignal.any([timeout, call.signal]);
  try {
    const response = await send(connection, call, signal);
    return { response, text: await response.text() };
  } catch (cause) {
    call.signal?.throwIfAborted();
    if (cause instanceof QuarryError) throw cause;
    if (timeout.aborted) throw tooSlow(connection, call, { why: "it took longer than", cause });
    throw incompleteResponse(connection, call, { why: reasonOf(cause), cause });
  }
}

export function incompleteResponse(
  { url }: Connection,
  { path }: ServiceRequest,
  { why, cause }: { why: string; cause?: unknown },
): QuarryError {
  return new QuarryError("no-answer", `No complete response from ${url}${path}: ${why}`, { cause });
}

export function tooSlow(
  { url, timeoutMs }: Connection,
  { path }: ServiceRequest,
  { why, cause }: { why: string; cause: unknown },
): QuarryError {
  return new QuarryError("timeout", `No complete response from ${url}${path}: ${why} ${timeoutMs} ms`, {
    cause,
  });
}

export function send(connection: Connection, given: ServiceRequest, signal: AbortSignal): Promise<Response> {
  const call = withMethod(given);
  requireFinite({ ...call.query, ...call.body });
  const url = connection.url + call.path + queryText(call.query);
  return connection.fetch(url, { ...requestOf(connection, call), signal });
}

function requestOf({ key }: Connection, { body }: ServiceRequest): RequestInit {
  const headers: Record<string, string> = { accept: "application/json" };
  // Unlike X-API-Key or the URL, this header does not follow a redirect to another host.
  if (key !== undefined) headers.authorization = `Bearer ${key}`;
  if (body === undefined) return { headers };
  return {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(body),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function messageOf(body: unknown, { status, statusText }: Response): string {
  const message = typeof body === "object" && body !== null && "error" in body ? body.error : undefined;
  return typeof message === "string"
    ? message
    : `The service responded with ${status} ${statusText}`.trimEnd();
}

/**
 * Returns the seconds until the time in Retry-After, which is a number of seconds or a date. Returns null if
 * there is none.
 */
function secondsUntil(retryAfter: string | null): number | null {
  if (retryAfter === null) return null;
  const seconds = /^\d+$/.test(retryAfter)
    ? Number(retryAfter)
    : (Date.parse(retryAfter) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? null : Math.max(0, seconds);
}

/**
 * Returns the reason for an error. The message of a `fetch` error says only that the request failed; its
 * cause says why.
 */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && cause.message !== "" ? cause.message : error.message;
}

export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
    if (signal?.aborted) stop();
  });
}
