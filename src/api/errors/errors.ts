import { BaseError, type ErrorCode } from "../../lib/error.ts";
import { SqlError } from "../../sql/syntax/sql-error.ts";
import type { ApiLimits } from "../admission/limits.ts";
import { mistakeHeaders } from "./sql-mistake.ts";

/** The one table from what went wrong to an HTTP status. 500: not the client's doing, and not told. */
const STATUS: Record<ErrorCode, number> = {
  "bad-input": 400,
  "unknown-chain": 400,
  unsupported: 400,
  "too-large": 400,
  memory: 400,
  timeout: 408,
  busy: 429,
  "not-ready": 503,
  "bad-config": 500,
  endpoint: 500,
  verification: 500,
  "reorg-too-deep": 500,
  "data-directory": 500,
  "disk-full": 500,
  engine: 500,
  internal: 500,
};

/** What clients are told in X-Error-Code: a stable word for programs, where the sentence is for people. */
export const TOLD_CODES = [
  "bad-input",
  "bad-key",
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
  "not-ready",
  "internal",
] as const;

export type ToldCode = (typeof TOLD_CODES)[number];

const CODES_OF_REFUSALS: Record<number, ToldCode> = {
  401: "bad-key",
  404: "not-found",
  405: "method-not-allowed",
  406: "not-acceptable",
  413: "too-large",
  414: "too-large",
  415: "not-json",
};

/** A request that HTTP alone refuses, before any question is asked. */
export class Refused extends BaseError {
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor(status: number, message: string, headers: Record<string, string> = {}) {
    super("bad-input", message);
    this.status = status;
    this.headers = headers;
  }
}

export function urlTooLong(maxLength: number): Refused {
  return new Refused(414, `The URL is longer than ${maxLength} characters. Send the parameters by POST.`);
}

/** What a client is told of an error. */
export interface Problem {
  status: number;
  sentence: string;
  headers: Record<string, string>;
}

/** Nothing but our own sentences leaves: no engine message, path or stack, whatever was thrown. */
export function problemOf(
  error: unknown,
  { requestId, limits }: { requestId: string; limits: ApiLimits },
): Problem {
  const refused = error instanceof Refused ? error : frameworkRefusal(error, limits);
  if (refused !== undefined) {
    const { status, message: sentence, headers } = refused;
    return {
      status,
      sentence,
      headers: { ...codeHeader(CODES_OF_REFUSALS[status] ?? "bad-input"), ...headers },
    };
  }
  const status = error instanceof BaseError ? STATUS[error.code] : 500;
  const mistake = error instanceof SqlError ? mistakeHeaders(error) : {};
  return {
    status,
    sentence: sentenceOf(error, { requestId, limits }),
    headers: { ...codeHeader(toldCode(error)), ...retryHeaders(status), ...mistake },
  };
}

export function codeHeader(code: ToldCode): Record<string, string> {
  return { "x-error-code": code };
}

/** What broke inside is nobody's business outside. */
function toldCode(error: unknown): ToldCode {
  const code = error instanceof BaseError ? error.code : "internal";
  return TOLD_CODES.find((told) => told === code) ?? "internal";
}

function sentenceOf(error: unknown, { requestId, limits }: { requestId: string; limits: ApiLimits }): string {
  if (!(error instanceof BaseError) || STATUS[error.code] === 500) {
    return `Something went wrong here. Please report it with the request id ${requestId}.`;
  }
  switch (error.code) {
    case "timeout":
      return `The query took longer than ${limits.queryTimeMs / 1000} s. Ask for a shorter time range or fewer groups.`;
    case "memory":
      return `The query needs more than ${Math.round(limits.queryMemoryBytes / 2 ** 20)} MiB of memory, or more than is free now. Ask for a shorter time range, fewer groups or fewer columns.`;
    default:
      return error.message;
  }
}

function retryHeaders(status: number): Record<string, string> {
  return status === 429 || status === 503 ? { "retry-after": "1" } : {};
}

/** Refusals that the HTTP framework makes by itself, in our words. */
function frameworkRefusal(error: unknown, limits: ApiLimits): Refused | undefined {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  switch (code) {
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return new Refused(415, "The body must be JSON, sent with the header Content-Type: application/json.");
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return new Refused(413, `The body is larger than the allowed ${limits.bodyBytes} bytes.`);
    case "FST_ERR_CTP_EMPTY_JSON_BODY":
      return new Refused(400, "The body is empty; it must be a JSON object.");
    case "FST_ERR_CTP_INVALID_JSON_BODY":
      return new Refused(400, "The body is not valid JSON.");
    case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
      return new Refused(400, "The body is not as long as its Content-Length says.");
    case "FST_ERR_BAD_URL":
      return new Refused(400, "The path is not a valid URL.");
    default:
      return error instanceof SyntaxError ? new Refused(400, "The body is not valid JSON.") : undefined;
  }
}
