import { BaseError } from "../lib/error.ts";

/** A wrong or contradictory setting. */
export class BadConfig extends BaseError {
  constructor(message: string, cause?: unknown) {
    super("bad-config", message, { cause });
  }
}
