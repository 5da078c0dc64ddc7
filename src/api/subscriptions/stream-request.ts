import { type Position, parsePosition } from "../../streams/frame.ts";
import { CHAIN, choice, text } from "../parameters/kinds/words.ts";
import {
  derived,
  InvalidParameter,
  optional,
  type ParameterKind,
  type Parameters,
  type RequestContext,
  readParameters,
} from "../parameters/parameter.ts";
import { maxLagParameter } from "../parameters/shared-parameters.ts";
import { InvalidSubscription, readSubscriptions, type Subscriptions } from "./read-subscriptions.ts";
import { SUBSCRIPTION_TYPES } from "./subscription-types.ts";

/** A client's request for a stream. */
export interface StreamRequest {
  chain: string;
  subscriptions: Subscriptions;
  /** The position of the last frame that the client has; null to begin with a snapshot. */
  after: Position | null;
  /** Maximum age of the newest block when the stream begins, in seconds; null for any age. */
  maxLag: number | null;
}

const LIST: ParameterKind<unknown[]> = {
  allowed: () => "a JSON array of subscriptions, each an object with the field type",
  parse: (given) => listOf(given),
  schema: {
    type: "array",
    items: { type: "object", properties: { type: { type: "string" } }, required: ["type"] },
    minItems: 1,
  },
  schemaOnGet: { type: "string", description: "JSON" },
};

function listOf(given: unknown): unknown[] | undefined {
  if (Array.isArray(given)) return given;
  if (typeof given !== "string") return undefined;
  try {
    const parsed: unknown = JSON.parse(given);
    return Array.isArray(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

const POSITION: ParameterKind<Position> = {
  allowed: () => "the id of a frame, <commit>:<block>:<block hash>",
  parse: (given) => (typeof given === "string" ? (parsePosition(given) ?? undefined) : undefined),
  schema: { type: "string", pattern: "^[0-9]+:[0-9]+:0x[0-9a-fA-F]{64}$" },
};

const OWN = {
  chain: optional(CHAIN, "eth", "chain to stream; GET /v1/status lists the available chains"),
  subscriptions: derived(LIST, "one or more subscriptions: see docs/streams.md; with GET, as JSON text"),
  after: derived(
    POSITION,
    "id of the last frame that the client has: the stream resumes after it and sends no snapshot. The header Last-Event-ID takes precedence",
  ),
  max_lag: {
    ...maxLagParameter(),
    doc: "maximum age of the newest block when the stream begins, in seconds: if it is older, the request fails with 503; by default, any age",
  },
  type: derived(
    choice(Object.keys(SUBSCRIPTION_TYPES)),
    "instead of subscriptions: the type of a single subscription, whose filters are then separate parameters",
  ),
  id: derived(
    text("a string"),
    "instead of subscriptions: the id of the single subscription; default: its type",
  ),
} as const satisfies Parameters;

/**
 * Returns the filters of all types, for a request with a single subscription. Such a request may use only the
 * filters of its type.
 */
function filtersOfAllTypes(): Parameters {
  const types = Object.entries(SUBSCRIPTION_TYPES);
  const names = new Set(types.flatMap(([, { parameters }]) => Object.keys(parameters)));
  return Object.fromEntries(
    [...names].map((name) => {
      const having = types.filter(([, { parameters }]) => Object.hasOwn(parameters, name));
      const [first] = having.map(([, { parameters }]) => parameters[name]);
      const docs = new Map(having.map(([type, { parameters }]) => [parameters[name]?.doc, type]));
      const doc = [...docs].map(([text, type]) => `${type}: ${text}`).join("; ");
      return [name, { kind: first?.kind ?? text("a string"), doc, required: false }];
    }),
  );
}

/** The documented parameters of a stream. */
export const STREAM_PARAMETERS: Parameters = { ...OWN, ...filtersOfAllTypes() };

/** Parameters that concern the stream or the request, not a subscription. */
const COMMON = ["chain", "subscriptions", "after", "max_lag", "key"];

/**
 * @param given parameters as the client gave them
 * @throws InvalidParameter, InvalidSubscription
 */
export function readStreamRequest(given: Record<string, unknown>, context: RequestContext): StreamRequest {
  const { chain, subscriptions, after, max_lag } = readParameters(OWN, given, context);
  const single = Object.fromEntries(Object.entries(given).filter(([name]) => !COMMON.includes(name)));
  if (subscriptions !== undefined && Object.keys(single).length > 0) {
    const [name = ""] = Object.keys(single);
    throw new InvalidParameter(
      name,
      "a filter in addition to subscriptions",
      "either subscriptions, or type and its filters",
    );
  }
  if (subscriptions === undefined && given.type === undefined) {
    const types = Object.keys(SUBSCRIPTION_TYPES).join(", ");
    throw new InvalidSubscription(`neither type nor subscriptions is given; the types are ${types}`);
  }
  return {
    chain,
    subscriptions: readSubscriptions(subscriptions ?? [single], context),
    after: after ?? null,
    maxLag: max_lag ?? null,
  };
}
