import { stat } from "node:fs/promises";

/** Returns a string that differs after every change to a file; empty if there is no file. */
export async function fileMark(path: string): Promise<string> {
  const found = await stat(path, { bigint: true }).catch(() => null);
  return found === null ? "" : [found.ino, found.size, found.mtimeNs, found.ctimeNs].join();
}
