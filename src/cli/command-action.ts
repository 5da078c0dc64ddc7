import { BaseError } from "../lib/error.ts";

/** The output of an action of a command such as `quarry hooks`, as text for people and as JSON. */
export interface ActionResult {
  text: string;
  json: unknown;
  /** Present if the action failed. */
  isOk?: false;
}

/** The target of an action is missing. */
export class MissingWord extends BaseError {
  constructor(missing: string, example: string) {
    super("bad-config", `${missing} is missing. Example: quarry ${example}`);
  }
}

/** An action that takes no target was given one. */
export class UnusedWord extends BaseError {
  constructor(word: string, action = "list") {
    super("bad-config", `${action} takes no further argument, but ${JSON.stringify(word)} was given.`);
  }
}
