import { BaseError } from "../../lib/error.ts";

/** The data has a feature that this version does not know. A later fork may have added it. */
export class UnknownFormat extends BaseError {
  readonly what: string;

  /** @param what a plural noun, for the message */
  constructor(what: string) {
    super("unsupported", `${what} are not supported by this version of Quarry`);
    this.what = what;
  }
}
