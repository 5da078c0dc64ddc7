import { stat } from "node:fs/promises";
import { BaseError } from "./error.ts";

/**
 * Returns the size of a file in bytes. Symbolic links are followed.
 *
 * @throws NotAFile for a pipe or a device, because opening or reading it may never end, and for a folder
 */
export async function fileBytes(path: string): Promise<number> {
  const found = await stat(path);
  if (!found.isFile()) throw new NotAFile(path);
  return found.size;
}

class NotAFile extends BaseError {
  constructor(path: string) {
    super("bad-config", `Cannot read ${path}: it is not a regular file.`);
  }
}
