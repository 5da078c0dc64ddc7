import { BaseError, messageOf } from "../../lib/error.ts";
import { isTlsFailure } from "./server/server-tls.ts";

const TIMEOUT_CODES = new Set([159, 160, 209]);
/**
 * The last two codes mean a string or list above about a gigabyte, for which the engine does not even try to
 * allocate memory.
 */
const MEMORY_CODES = new Set([241, 173, 131, 128]);
const DISK_FULL_CODES = new Set([243]);
const OVERLOAD_CODES = new Set([202, 252]);
const DISK_FULL_TEXT = /errno: (?:28|122)\b|No space left on device|Disk quota exceeded|NOT_ENOUGH_SPACE/;
/** The process, or the whole machine, has no file handle left. */
const NO_HANDLE_CODES = new Set(["EMFILE", "ENFILE"]);
const NO_HANDLE_TEXT = /errno: (?:23|24)\b/;
/**
 * Codes of a server that is restarting, stopping or overloaded, that has lost its replicas or its Keeper, or
 * whose table is read-only because of that. Also codes of a statement that was killed, or whose first run is
 * still in progress.
 */
const UNAVAILABLE_CODES = new Set([
  203, 210, 216, 225, 236, 242, 254, 279, 285, 286, 289, 319, 341, 394, 415, 425, 439, 473, 529, 571, 745,
  999,
]);
/** Codes for a missing privilege, and for a setting of the user that forbids writes. */
const DENIED_CODES = new Set([497, 164]);
/** Node.js's codes for failures of a connection. */
const NETWORK_CODES = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "ECONNABORTED", "EPIPE", "ETIMEDOUT", "ENOTFOUND", "EAI_AGAIN"],
  ...["EHOSTDOWN", "EHOSTUNREACH", "ENETDOWN", "ENETUNREACH", "ERR_STREAM_PREMATURE_CLOSE"],
]);

/**
 * Returns the engine's number for an error, e.g. 60 for an unknown table; undefined for errors that are not
 * the engine's.
 */
export function engineCode(error: unknown): number | undefined {
  const text = messageOf(error);
  const number =
    /Code: (\d+)\./.exec(text)?.[1] ?? property(error, "clickhouseCode") ?? property(error, "code");
  return number !== undefined && /^\d+$/.test(String(number)) ? Number(number) : undefined;
}

/**
 * Translates the error of a failed statement into one with the code `timeout`, `memory`, `disk-full`, `busy`,
 * `unavailable` or `engine`. A client may see the message, so the engine's own message is only in `cause`,
 * for the log.
 */
export function engineFailure(error: unknown): BaseError {
  if (error instanceof BaseError) return error;
  const code = engineCode(error) ?? -1;
  if (isDiskFull(error, code)) return new DiskFull(error);
  if (isWithoutHandle(error)) return new NoFileHandle(error);
  if (TIMEOUT_CODES.has(code)) return new QueryTimeout(error);
  if (MEMORY_CODES.has(code)) return new QueryMemory(error);
  if (OVERLOAD_CODES.has(code)) return new EngineBusy(error);
  if (UNAVAILABLE_CODES.has(code)) return new EngineUnavailable(error);
  if (DENIED_CODES.has(code)) return new NotAllowed(error);
  const system = String(property(error, "code"));
  if (NETWORK_CODES.has(system) || isTlsFailure(system)) return new EngineUnreachable(error);
  return new EngineFailure(error);
}

/**
 * Translates the error of a failed write, or of a wait for other replicas. Neither has a time limit of its
 * own, so a timeout means that a server waited too long for its replicas.
 */
export function writeFailure(error: unknown): BaseError {
  const failure = engineFailure(error);
  return failure instanceof QueryTimeout ? new EngineUnavailable(failure.cause) : failure;
}

function isDiskFull(error: unknown, code: number): boolean {
  const system = property(error, "code");
  return (
    DISK_FULL_CODES.has(code) ||
    system === "ENOSPC" ||
    system === "EDQUOT" ||
    DISK_FULL_TEXT.test(messageOf(error))
  );
}

function isWithoutHandle(error: unknown): boolean {
  return NO_HANDLE_CODES.has(String(property(error, "code"))) || NO_HANDLE_TEXT.test(messageOf(error));
}

function property(error: unknown, name: string): unknown {
  return typeof error === "object" && error !== null ? (error as Record<string, unknown>)[name] : undefined;
}

export class QueryTimeout extends BaseError {
  constructor(cause?: unknown, timeoutMs?: number) {
    const limit = timeoutMs === undefined ? "its time limit" : `its limit of ${timeoutMs} ms`;
    super("timeout", `The query ran longer than ${limit}. Narrow the query or raise the limit.`, { cause });
  }
}

export class QueryMemory extends BaseError {
  constructor(cause?: unknown) {
    super("memory", "The query needs more memory than it may use. Narrow the query or raise the limit.", {
      cause,
    });
  }
}

export class DiskFull extends BaseError {
  constructor(cause?: unknown) {
    super("disk-full", "The disk that holds the data is full. Free some space.", { cause });
  }
}

export class EngineBusy extends BaseError {
  constructor(cause?: unknown) {
    super("busy", "The database is busy: too many queries are waiting for it. Try again in a moment.", {
      cause,
      retryable: true,
    });
  }
}

export class EngineClosed extends BaseError {
  constructor() {
    super("not-ready", "The store is closed.");
  }
}

export class EngineUnreachable extends BaseError {
  constructor(cause: unknown) {
    super("unavailable", "The database does not respond. Try again in a moment.", { cause, retryable: true });
  }
}

class EngineUnavailable extends BaseError {
  constructor(cause: unknown) {
    super("unavailable", "The database cannot run the statement at present. Try again in a moment.", {
      cause,
      retryable: true,
    });
  }
}

class NoFileHandle extends BaseError {
  constructor(cause: unknown) {
    super("unavailable", "The service has too many open files. Try again in a moment.", {
      cause,
      retryable: true,
    });
  }
}

class NotAllowed extends BaseError {
  constructor(cause: unknown) {
    super(
      "engine",
      "The database user lacks a required permission. `quarry clickhouse grants` prints the permissions that Quarry's users need.",
      { cause },
    );
  }
}

class EngineFailure extends BaseError {
  constructor(cause: unknown) {
    super("engine", "The database could not run the statement.", { cause });
  }
}
