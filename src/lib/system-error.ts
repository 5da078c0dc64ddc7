import { messageOf } from "./error.ts";

/** Returns the code of an error, such as the system's `ENOENT`, or an empty string if it has none. */
export function systemCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/**
 * Returns why a request failed. The error of `fetch` reports only the failure, and its cause gives the
 * reason. Attempts at several addresses of a host have a code, but no message.
 */
export function networkReason(error: unknown): string {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(inner instanceof Error)) return String(inner);
  return inner.message === "" ? systemCode(inner) : inner.message;
}

const NO_HANDLE_CODES: ReadonlySet<string> = new Set(["EMFILE", "ENFILE"]);

/** Returns whether an operation failed because the process, or the machine, has no free file handle. */
export function lacksFileHandles(error: unknown): boolean {
  return NO_HANDLE_CODES.has(systemCode(error));
}

const FULL_DISK_CODES: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT"]);

/** Returns whether a write failed because the disk, or the user's quota on it, is full. */
export function meansFullDisk(error: unknown): boolean {
  return FULL_DISK_CODES.has(systemCode(error));
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ["EACCES", "this user has no permission (EACCES)"],
  ["EPERM", "this user has no permission (EPERM)"],
  ["EROFS", "the file system is read-only (EROFS)"],
  ["ENOENT", "there is no such file or directory (ENOENT)"],
  ["ENOTDIR", "part of the path is a file, not a directory (ENOTDIR)"],
  ["EISDIR", "it is a directory, not a file (EISDIR)"],
  ["ENOSPC", "the disk is full (ENOSPC)"],
  ["EDQUOT", "the disk quota is exhausted (EDQUOT)"],
]);

/** Returns why an operation on a file failed, for messages that name the file themselves. */
export function fileReason(error: unknown): string {
  const reason = REASONS.get(systemCode(error));
  return reason ?? messageOf(error);
}
