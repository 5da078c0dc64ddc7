import { BaseError } from "../../lib/error.ts";

/** Something that a later fork may have added. */
export class UnknownFormat extends BaseError {
  readonly what: string;

  /** @param what in the plural */
  constructor(what: string) {
    super("unsupported", `${what} are not supported by this version of Quarry`);
    this.what = what;
  }
}
