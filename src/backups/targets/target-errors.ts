import { BaseError } from "../../lib/error.ts";

/** A file of a backup is missing. */
export class MissingFile extends BaseError {
  readonly file: string;

  constructor(place: string, file: string) {
    super("verification", `${file} is missing from ${place}.`);
    this.file = file;
  }
}

export class TargetInUse extends BaseError {
  constructor(place: string, holder: string) {
    super(
      "busy",
      `Another backup is being written to ${place} (${holder}). Wait until it ends, or choose another place.`,
      { retryable: true },
    );
  }
}
