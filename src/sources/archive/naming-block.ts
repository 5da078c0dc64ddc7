import { BaseError } from "../../lib/error.ts";
import type { EraFile } from "../e2store/era-file.ts";
import { InvalidFile } from "../e2store/invalid-file.ts";
import { UnknownFormat } from "./unknown-format.ts";

/**
 * Returns an error about the block's data with the file and the block added. Returns other errors unchanged.
 */
export function withBlock(file: EraFile, number: number, error: unknown): unknown {
  if (error instanceof InvalidFile) return error;
  if (error instanceof UnknownFormat)
    return new UnknownFormat(`${file.name}, block ${number}: ${error.what}`);
  const isOfData = error instanceof BaseError && DATA_ERRORS.has(error.code);
  return isOfData ? file.invalid(number, error.message) : error;
}

/**
 * Codes of the errors that invalid data causes. One of them is "endpoint", because some checks are also made
 * on responses from endpoints, and their errors have that code.
 */
const DATA_ERRORS: ReadonlySet<string> = new Set(["verification", "endpoint"]);

export function namingBlock<T>(file: EraFile, number: number, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw withBlock(file, number, error);
  }
}
