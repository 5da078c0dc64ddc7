import type { paths } from "../api-types.ts";
import type { Connection } from "./connection.ts";
import { type ErrorCode, QuarryError, type SqlMistake } from "./quarry-error.ts";

export interface Question extends CallOptions {
  path: keyof paths;
  /** Parameters in the URL, for GET. */
  query?: object;
  /** Parameters in the body, for POST. */
  body?: object;
}

export interface CallOptions {
  /** Gives the call up when it is aborted. */
  signal?: AbortSignal | undefined;
}

/** What came back, the body as the OpenAPI document tells. */
export interface Reply<B> {
  body: B;
  headers: Headers;
}

/** Longest wait that the service may ask for; whoever shall wait longer wants to know. */
const MAX_RETRY_AFTER_SECONDS = 60;

/** Wait where a busy service does not say how long. */
const UNTOLD_RETRY_AFTER_SECONDS = 1;

/**
 * Asks, and asks again when the service is too busy (429) or not ready (503), as late as it wants.
 *
 * @throws QuarryError; and the reason of the caller's signal once that is aborted
 */
export function ask<B>(connection: Connection, question: Question): Promise<Reply<B>> {
  return repeated(connection, question, () => askOnce<B>(connection, question));
}

/** Asks again while the service is too busy. */
export async function repeated<T>(
  connection: Connection,
  question: Question,
  once: () => Promise<T>,
): Promise<T> {
  for (let retriesLeft = connection.retries; ; retriesLeft--) {
    try {
      return await once();
    } catch (error) {
      const seconds = retriesLeft > 0 ? retryAfter(error) : null;
      if (seconds === null) throw error;
      await pause(seconds * 1000, question.signal);
    }
  }
}

function retryAfter(error: unknown): number | null {
  if (!(error instanceof QuarryError) || (error.status !== 429 && error.status !== 503)) return null;
  const seconds = error.retryAfterSeconds ?? UNTOLD_RETRY_AFTER_SECONDS;
  return seconds <= MAX_RETRY_AFTER_SECONDS ? seconds : null;
}

async function askOnce<B>(connection: Connection, question: Question): Promise<Reply<B>> {
  const { response, text } = await exchange(connection, question);
  if (!response.ok) throw refusalOf(response, text);
  const body = parsed(text);
  if (body === undefined) {
    const sentence = "The answer is not JSON. Is this a Quarry service?";
    throw new QuarryError("not-quarry", sentence, detailsOf(response));
  }
  return { body: body as B, headers: response.headers };
}

/** The error that an answer is. */
export function refusalOf(response: Response, text: string): QuarryError {
  const { headers } = response;
  // What has no code was not said by the service.
  const code = (headers.get("x-error-code") ?? "not-quarry") as ErrorCode;
  return new QuarryError(code, sentenceOf(parsed(text), response), {
    ...detailsOf(response),
    retryAfterSeconds: secondsUntil(headers.get("retry-after")),
    sql: mistakeOf(parsed(headers.get("x-sql-error") ?? "")),
  });
}

function mistakeOf(told: unknown): SqlMistake | null {
  return typeof told === "object" && told !== null && "offset" in told ? (told as SqlMistake) : null;
}

function detailsOf({ status, headers }: Response) {
  return { status, requestId: headers.get("x-request-id") };
}

/** The text is read here too: it may break off or stop coming just as the headers may. */
async function exchange(connection: Connection, question: Question) {
  const timeout = AbortSignal.timeout(connection.timeoutMs);
  const signal = question.signal === undefined ? timeout : AbortSignal.any([timeout, question.signal]);
  try {
    const response = await send(connection, question, signal);
    return { response, text: await response.text() };
  } catch (cause) {
    question.signal?.throwIfAborted();
    if (timeout.aborted) throw tooSlow(connection, question, { why: "it took longer than", cause });
    throw noWholeAnswer(connection, question, { why: reasonOf(cause), cause });
  }
}

export function noWholeAnswer(
  { url }: Connection,
  { path }: Question,
  { why, cause }: { why: string; cause?: unknown },
): QuarryError {
  return new QuarryError("no-answer", `No whole answer from ${url}${path}: ${why}`, { cause });
}

export function tooSlow(
  { url, timeoutMs }: Connection,
  { path }: Question,
  { why, cause }: { why: string; cause: unknown },
): QuarryError {
  return new QuarryError("timeout", `No whole answer from ${url}${path}: ${why} ${timeoutMs} ms`, { cause });
}

export function send(connection: Connection, question: Question, signal: AbortSignal): Promise<Response> {
  const url = connection.url + question.path + queryText(question);
  return connection.fetch(url, { ...requestOf(connection, question), signal });
}

function requestOf({ key }: Connection, { body }: Question): RequestInit {
  const headers: Record<string, string> = { accept: "application/json" };
  // Unlike X-API-Key or the URL, this header is not handed on to another host by a redirect.
  if (key !== undefined) headers.authorization = `Bearer ${key}`;
  if (body === undefined) return { headers };
  return {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(body),
  };
}

function queryText({ query = {} }: Question): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const text = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]));
  return given.length === 0 ? "" : `?${text}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function sentenceOf(body: unknown, { status, statusText }: Response): string {
  const sentence = typeof body === "object" && body !== null && "error" in body ? body.error : undefined;
  return typeof sentence === "string" ? sentence : `The service answered ${status} ${statusText}`.trimEnd();
}

/** Retry-After is a number of seconds or a date. */
function secondsUntil(retryAfter: string | null): number | null {
  if (retryAfter === null) return null;
  const seconds = /^\d+$/.test(retryAfter)
    ? Number(retryAfter)
    : (Date.parse(retryAfter) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? null : Math.max(0, seconds);
}

/** `fetch` says only that it failed; why is in the cause. */
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
