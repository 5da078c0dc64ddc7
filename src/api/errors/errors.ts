import type { FastifyReply } from "fastify";
import { BaseError, type ErrorCode } from "../../lib/error.ts";
import { lacksFileHandles, systemCode } from "../../lib/system-error.ts";
import { SqlError } from "../../sql/syntax/sql-error.ts";
import { type ApiLimits, FULL_DISK_RETRY_SECONDS, RETRY_AFTER_SECONDS } from "../admission/limits.ts";
import { ClientOverload, QuotaUsed } from "../admission/overload.ts";
import { mistakeHeaders } from "./sql-mistake.ts";

/** Maps error codes to HTTP statuses. 500: a fault of the service, whose details stay internal. */
const STATUS: Record<ErrorCode, number> = {
  "bad-input": 400,
  "unknown-chain": 400,
  unsupported: 400,
  "too-large": 400,
  memory: 400,
  timeout: 408,
  busy: 429,
  quota: 429,
  overloaded: 503,
  "not-ready": 503,
  unavailable: 503,
  stale: 503,
  "disk-full": 503,
  "bad-config": 500,
  endpoint: 500,
  verification: 500,
  "reorg-too-deep": 500,
  "data-directory": 500,
  engine: 500,
  internal: 500,
};

/** Values of X-Error-Code: stable words for programs; messages are for people. */
export const PUBLIC_ERROR_CODES = [
  "bad-input",
  "bad-key",
  "forbidden",
  "not-found",
  "method-not-allowed",
  "not-acceptable",
  "not-json",
  "unknown-chain",
  "unsupported",
  "too-large",
  "memory",
  "timeout",
  "busy",
  "quota",
  "overloaded",
  "not-ready",
  "unavailable",
  "stale",
  "internal",
] as const;

export type PublicErrorCode = (typeof PUBLIC_ERROR_CODES)[number];

/**
 * Codes of requests that were rejected because there were too many. Such requests may have waited, but read
 * nothing.
 */
const REJECTED: readonly PublicErrorCode[] = ["busy", "quota", "overloaded"];

/** Returns whether a response reports a rejection because of too many requests. */
export function isRejection(reply: Pick<FastifyReply, "getHeader">): boolean {
  const code = reply.getHeader(ERROR_CODE);
  return REJECTED.some((rejected) => rejected === code);
}

const CODES_BY_STATUS: Record<number, PublicErrorCode> = {
  401: "bad-key",
  403: "forbidden",
  404: "not-found",
  405: "method-not-allowed",
  406: "not-acceptable",
  413: "too-large",
  414: "too-large",
  415: "not-json",
  429: "busy",
  431: "too-large",
  503: "busy",
};

/** A request that is rejected with its own HTTP status, before any query runs. */
export class HttpError extends BaseError {
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor(status: number, message: string, headers: Record<string, string> = {}) {
    super("bad-input", message);
    this.status = status;
    this.headers = headers;
  }
}

export function urlTooLong(maxLength: number): HttpError {
  return new HttpError(414, `The URL is longer than ${maxLength} characters. Send the parameters by POST.`);
}

export function wrongLength(): HttpError {
  return new HttpError(400, "The body's length does not match its Content-Length.");
}

/** An error as clients see it. */
export interface Problem {
  status: number;
  message: string;
  headers: Record<string, string>;
}

/** The parts of a request that messages mention. */
interface FailedRequest {
  id: string;
  routeOptions: { bodyLimit: number };
}

/**
 * Returns an error as the client sees it. Only messages written for clients leave the service: no engine
 * message, path or stack, whatever was thrown.
 */
export function problemOf(error: unknown, request: FailedRequest, limits: ApiLimits): Problem {
  const httpError = error instanceof HttpError ? error : frameworkError(error, request);
  if (httpError !== undefined) {
    const { status, message, headers } = httpError;
    return {
      status,
      message,
      headers: { ...codeHeader(CODES_BY_STATUS[status] ?? "bad-input"), ...headers },
    };
  }
  const status = error instanceof BaseError ? STATUS[error.code] : 500;
  const mistake = error instanceof SqlError ? mistakeHeaders(error) : {};
  return {
    status,
    message: messageOf(error, request.id, limits),
    headers: { ...codeHeader(publicCode(error)), ...retryHeaders(error, status), ...mistake },
  };
}

const ERROR_CODE = "x-error-code";

function codeHeader(code: PublicErrorCode): Record<string, string> {
  return { [ERROR_CODE]: code };
}

/** Returns the code for the client; codes of internal faults stay internal. */
function publicCode(error: unknown): PublicErrorCode {
  const code = error instanceof BaseError ? error.code : "internal";
  if (code === "disk-full") return "not-ready";
  return PUBLIC_ERROR_CODES.find((known) => known === code) ?? "internal";
}

function messageOf(error: unknown, requestId: string, limits: ApiLimits): string {
  if (!(error instanceof BaseError) || STATUS[error.code] === 500) {
    return `Something went wrong here. Please report it with the request id ${requestId}.`;
  }
  switch (error.code) {
    case "timeout":
      return `The query took longer than ${limits.queryTimeMs / 1000} s. Request a shorter time range or fewer groups.`;
    case "memory":
      return `The query needs more than ${Math.round(limits.queryMemoryBytes / 2 ** 20)} MiB of memory, or more than is free now. Request a shorter time range, fewer groups or fewer columns.`;
    case "disk-full":
      return "The service has no disk space left for this response at the moment. Try again later, or request fewer rows.";
    default:
      return error.message;
  }
}

function retryHeaders(error: unknown, status: number): Record<string, string> {
  if (status !== 429 && status !== 503) return {};
  return { "retry-after": String(retryAfterSeconds(error)) };
}

function retryAfterSeconds(error: unknown): number {
  if (error instanceof QuotaUsed || error instanceof ClientOverload) return error.retryAfterSeconds;
  const isDiskFull = error instanceof BaseError && error.code === "disk-full";
  return isDiskFull ? FULL_DISK_RETRY_SECONDS : RETRY_AFTER_SECONDS;
}

/**
 * Returns the error with our own message that replaces an error of the HTTP framework or the system;
 * undefined for all other errors.
 */
function frameworkError(error: unknown, { routeOptions }: FailedRequest): HttpError | undefined {
  if (lacksFileHandles(error)) {
    return new HttpError(
      503,
      "The service has too many open files. Try again in a moment.",
      retryHeaders(error, 503),
    );
  }
  switch (systemCode(error)) {
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return new HttpError(
        415,
        "The body must be JSON, sent with the header Content-Type: application/json.",
      );
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return new HttpError(413, `The body is larger than the allowed ${routeOptions.bodyLimit} bytes.`);
    case "FST_ERR_CTP_EMPTY_JSON_BODY":
      return new HttpError(400, "The body is empty; it must be a JSON object.");
    case "FST_ERR_CTP_INVALID_JSON_BODY":
      return new HttpError(400, "The body is not valid JSON.");
    case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
      return wrongLength();
    case "FST_ERR_BAD_URL":
      return new HttpError(400, "The path of the URL is not valid.");
    default:
      return error instanceof SyntaxError ? new HttpError(400, "The body is not valid JSON.") : undefined;
  }
}
