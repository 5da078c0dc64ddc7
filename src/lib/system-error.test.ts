import { expect, it } from "vitest";
import { fileReason } from "./system-error.ts";

const failure = (code: string) =>
  Object.assign(new Error(`${code}: text of the system, open '/a'`), { code });

it.each([
  ["EACCES", "this user has no permission (EACCES)"],
  ["EROFS", "the file system is read-only (EROFS)"],
  ["ENOSPC", "the disk is full (ENOSPC)"],
  ["EMFILE", "EMFILE: text of the system, open '/a'"],
])("says why an operation on a file failed: %s", (code, reason) => {
  expect(fileReason(failure(code))).toBe(reason);
});
