import { choice } from "../../api/parameters/kinds/words.ts";
import { optional, type RequestContext, required } from "../../api/parameters/parameter.ts";
import { preview } from "../../api/parameters/preview.ts";
import { priceTypeParameter } from "../../api/parameters/shared-parameters.ts";
import {
  InvalidSubscription,
  readFilters,
  readSubscriptions,
} from "../../api/subscriptions/read-subscriptions.ts";
import { BaseError } from "../../lib/error.ts";
import { ADDRESS } from "../../reads/values/hex-values.ts";
import { DOUBLE } from "../../reads/values/number-values.ts";
import type { DescribedKind } from "../../reads/values/value-kind.ts";
import type { EventSubscription } from "../../streams/subscription.ts";
import type { PriceWatch } from "./price-watch.ts";

/** The subscriptions and price watches of a webhook. */
export interface Rules {
  /**
   * Subscriptions to rows, including subscriptions for watched prices: a watch and its subscription have the
   * same id.
   */
  events: readonly EventSubscription[];
  watches: readonly PriceWatch[];
}

/** The type of rule that webhooks have and streams do not. */
const WATCH_TYPE = "price_crosses";

const LEVEL: DescribedKind<number> = {
  allowed: () => "a number of US dollars above 0",
  parse(given) {
    const value = Number(DOUBLE.parse(given) ?? Number.NaN);
    return value > 0 ? value : undefined;
  },
  schema: { type: "number", exclusiveMinimum: 0 },
};

const WATCH_PARAMETERS = {
  token_address: required(ADDRESS, "token"),
  level: required(LEVEL, "price level, USD"),
  direction: optional(
    choice(["up", "down", "both"]),
    "both",
    "up: from below the level to at or above it; down: from at or above the level to below it",
  ),
  price_type: priceTypeParameter("price_token_usd_robust_tick_1"),
};

/**
 * Reads the rules of a webhook: subscriptions to rows as in a stream, and prices to watch. A watched price
 * becomes a subscription to the trades that may change it.
 *
 * @throws InvalidSubscription, NotAnEvent
 */
export function readRules(given: readonly unknown[], context: RequestContext): Rules {
  const watches: PriceWatch[] = [];
  const subscriptions = given.map((rule, i) => {
    if (!isWatch(rule)) return rule;
    const watch = readWatch(rule, `subscription ${i + 1} of ${given.length}`, context);
    watches.push(watch);
    const { id = WATCH_TYPE } = rule;
    return { id, type: "trades", token_address: [watch.token] };
  });
  const { events, states } = readSubscriptions(subscriptions, context);
  const [state] = states;
  if (state !== undefined) throw new NotAnEvent(state.id);
  for (const { id } of events) requireFreeName(id);
  return { events: events.map((one) => withPrice(one, watches)), watches };
}

/**
 * Rejects ids that are also names of properties of every object, because values are stored and delivered in
 * objects that have the ids as keys.
 */
function requireFreeName(id: string): void {
  if (id in Object.prototype)
    throw new InvalidSubscription(`the id ${JSON.stringify(id)} is reserved; choose another one`);
}

function isWatch(rule: unknown): rule is Record<string, unknown> {
  return typeof rule === "object" && rule !== null && "type" in rule && rule.type === WATCH_TYPE;
}

function readWatch(rule: Record<string, unknown>, name: string, context: RequestContext): PriceWatch {
  const { type, id = type, ...filters } = rule;
  const read = readFilters(`${name} (${WATCH_TYPE})`, WATCH_PARAMETERS, filters, context);
  const { token_address: token, price_type: priceType, level, direction } = read;
  return { id: String(id), token, priceType, level, direction };
}

/**
 * Restricts a watch's subscription to trades with the watched price, because other trades cannot change it.
 */
function withPrice(subscription: EventSubscription, watches: readonly PriceWatch[]): EventSubscription {
  const watch = watches.find(({ id }) => id === subscription.id);
  return watch === undefined ? subscription : { ...subscription, required: watch.priceType };
}

/**
 * A rule of a type that streams values, not rows: `prices`, `candles` or `pool_state`. Webhooks do not
 * deliver these.
 */
class NotAnEvent extends BaseError {
  constructor(id: string) {
    super(
      "bad-input",
      `Cannot add the rule ${preview(id)}: webhooks deliver only rows, not prices, candles or pool_state. ` +
        `Use the type ${WATCH_TYPE}, or a stream.`,
    );
  }
}
