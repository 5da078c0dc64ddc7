import { BaseError } from "../../lib/error.ts";
import { nearestName } from "../../lib/names/suggestion.ts";
import type { EventSubscription } from "../../streams/subscription.ts";
import {
  type Parameters,
  type RequestContext,
  readParameters,
  type Values,
} from "../parameters/parameter.ts";
import { preview } from "../parameters/preview.ts";
import type { StateQuery } from "./state-query.ts";
import { SUBSCRIPTION_TYPES } from "./subscription-types.ts";

/** Maximum number of subscriptions per stream. */
export const MAX_SUBSCRIPTIONS = 100;

/** Maximum number of states per stream: two subscriptions to prices of the maximum number of tokens. */
export const MAX_STATES = 2_000;

/**
 * Maximum number of candles that a stream sends when it begins or resumes. All are as of one commit, so they
 * are computed without a pause, which takes up to a tenth of a second.
 */
export const MAX_CANDLES = 10_000;

/** Maximum number of characters in a subscription's id. */
const MAX_ID = 64;

export interface Subscriptions {
  events: EventSubscription[];
  states: { id: string; queries: readonly StateQuery[]; history: number }[];
}

/**
 * Reads the subscriptions of a stream. Unlike elsewhere, unknown fields are errors, because a misspelled
 * filter would let every row through.
 *
 * @throws InvalidSubscription
 */
export function readSubscriptions(given: readonly unknown[], context: RequestContext): Subscriptions {
  if (given.length === 0 || given.length > MAX_SUBSCRIPTIONS) {
    throw new InvalidSubscription(`got ${given.length} subscriptions, expected 1 to ${MAX_SUBSCRIPTIONS}`);
  }
  const read: Subscriptions = { events: [], states: [] };
  const ids = new Set<string>();
  given.forEach((one, i) => {
    const id = addSubscription(read, one, `subscription ${i + 1} of ${given.length}`, context);
    if (ids.has(id)) {
      throw new InvalidSubscription(
        `subscription ${i + 1} of ${given.length}: the id ${JSON.stringify(id)} is taken; give each subscription its own id`,
      );
    }
    ids.add(id);
  });
  const states = read.states.reduce((sum, { queries }) => sum + queries.length, 0);
  if (states > MAX_STATES) {
    throw new InvalidSubscription(
      `got ${states} prices, candles and pools, but one stream can have at most ${MAX_STATES}`,
    );
  }
  const candles = read.states.reduce((sum, { history }) => sum + history, 0);
  if (candles > MAX_CANDLES) {
    throw new InvalidSubscription(
      `got a history of ${candles} candles, but one stream can have at most ${MAX_CANDLES}`,
    );
  }
  return read;
}

function addSubscription(read: Subscriptions, given: unknown, name: string, context: RequestContext): string {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw new InvalidSubscription(
      `${name}: got ${preview(given)}, expected a JSON object with the field type`,
    );
  }
  const { type, id = type, ...filters } = given as Record<string, unknown>;
  const declared =
    typeof type === "string" && Object.hasOwn(SUBSCRIPTION_TYPES, type)
      ? SUBSCRIPTION_TYPES[type]
      : undefined;
  if (declared === undefined) {
    throw new InvalidSubscription(
      `${name}: got the type ${preview(type)}, expected one of ${Object.keys(SUBSCRIPTION_TYPES).join(", ")}`,
    );
  }
  if (typeof id !== "string" || id === "" || id.length > MAX_ID) {
    throw new InvalidSubscription(
      `${name}: got the id ${preview(id)}, expected a string of 1 to ${MAX_ID} characters`,
    );
  }
  const named = `${name} (${type})`;
  const values = readFilters(named, declared.parameters, filters, context);
  const subscribed = naming(named, () => declared.read(values));
  if ("events" in subscribed) read.events.push({ id, ...subscribed.events });
  else read.states.push({ id, queries: subscribed.states, history: subscribed.history });
  return id;
}

/**
 * Reads filters, and rejects unknown ones.
 *
 * @param name name of the subscription or rule, for messages
 * @throws InvalidSubscription
 */
export function readFilters<P extends Parameters>(
  name: string,
  parameters: P,
  filters: Record<string, unknown>,
  context: RequestContext,
): Values<P> {
  const fields = Object.keys(parameters);
  const unknown = Object.keys(filters).find((field) => !fields.includes(field));
  if (unknown !== undefined) {
    const known = fields.length === 0 ? "it has no filters" : `its filters are ${fields.join(", ")}`;
    const nearest = nearestName(unknown, fields);
    const suggestion = nearest === null ? "" : ` (did you mean "${nearest}"?)`;
    throw new InvalidSubscription(`${name}: unknown filter ${preview(unknown)}${suggestion}; ${known}`);
  }
  return naming(name, () => readParameters(parameters, filters, context));
}

/**
 * Reads a part of a request; an error's message starts with the name of the part.
 *
 * @throws InvalidSubscription
 */
function naming<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof BaseError && error.code === "bad-input")
      throw new InvalidSubscription(`${name}: ${error.message}`);
    throw error;
  }
}

/** A subscription that is not valid; the message has the reason. */
export class InvalidSubscription extends BaseError {
  constructor(reason: string) {
    super("bad-input", `Cannot subscribe: ${reason.replace(/\.$/, "")}.`);
  }
}
