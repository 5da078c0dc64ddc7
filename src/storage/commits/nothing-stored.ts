import { BaseError } from "../../lib/error.ts";

/** A command needs a chain of which no block is stored. */
export class NothingStored extends BaseError {
  /** @param place where it was looked for, e.g. "in ./data" */
  constructor(chain: string, place = "here") {
    super(
      "bad-config",
      `No block of chain "${chain}" is stored ${place}. Give the indexed chain with --chain and --data.`,
    );
  }
}
