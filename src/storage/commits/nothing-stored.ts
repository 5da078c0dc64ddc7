import { BaseError } from "../../lib/error.ts";

/** A command needs a chain, but no block of it is stored. */
export class NothingStored extends BaseError {
  /** @param place where the chain was looked for, e.g. "in ./data" */
  constructor(chain: string, place = "here") {
    super(
      "bad-config",
      `No block of chain "${chain}" is stored ${place}. Give the indexed chain with --chain and --data.`,
    );
  }
}
