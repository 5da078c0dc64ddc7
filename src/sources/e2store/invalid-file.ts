import { BaseError } from "../../lib/error.ts";

/**
 * A file of blocks that is damaged, incomplete or in another format. The message names the file and the place
 * of the problem in it.
 */
export class InvalidFile extends BaseError {
  constructor(file: string, place: string, problem: string, cause?: unknown) {
    super("verification", `${file}, ${place}: ${problem}. Replace the file with an intact copy`, { cause });
  }
}

/** @param offset in bytes from the start of the file */
export function invalidAt(file: string, offset: number, problem: string): InvalidFile {
  return new InvalidFile(file, `offset ${offset}`, problem);
}
