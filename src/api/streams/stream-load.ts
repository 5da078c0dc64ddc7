import { fairShare } from "../../lib/queues/fair-share.ts";
import type { ApiLimits } from "../admission/limits.ts";
import { ClientOverload, ServiceOverload } from "../admission/overload.ts";
import type { Subscriptions } from "../subscriptions/read-subscriptions.ts";

/**
 * The cost of a stream's subscriptions: each may get a copy of every row, each state takes work in each
 * block, and each address takes memory.
 */
export interface StreamLoad {
  /** Number of subscriptions of the stream. */
  subscriptions: number;
  /** Number of prices, candles and pools that the stream follows. */
  states: number;
  /** Number of addresses in the filters of the stream's subscriptions. */
  addresses: number;
}

interface OpenLoads {
  /** The open streams of the client. */
  own: readonly StreamLoad[];
  /** The open streams of all clients. */
  all: readonly StreamLoad[];
  limits: Pick<ApiLimits, (typeof FIGURES)[number]["ofClient" | "ofAll"]>;
}

export function loadOf({ states, events }: Subscriptions): StreamLoad {
  return {
    subscriptions: states.length + events.length,
    states: sumOf(states, ({ queries }) => queries.length),
    addresses: sumOf(events, ({ conditions }) => sumOf(conditions, ({ values }) => values.size)),
  };
}

/** Limits on the states that are few, and on the candles of the first snapshot that they have together. */
const FEW_STATES = 50;
const FEW_CANDLES = 1_000;

/** Returns whether a stream computes its states in a moment. */
export function hasFewStates({ states }: Subscriptions): boolean {
  const candles = sumOf(states, ({ queries, history }) => queries.length * history);
  return sumOf(states, ({ queries }) => queries.length) <= FEW_STATES && candles <= FEW_CANDLES;
}

/** The limited figures of streams, with the limits of one client and of all clients. */
const FIGURES = [
  {
    name: "subscriptions",
    ofClient: "clientSubscriptions",
    ofAll: "streamSubscriptions",
    excess: (whose: string, [now, then, most]: Amounts) =>
      `${whose} streams have ${now} subscriptions, ${then} with this one, and may have at most ${most}`,
  },
  {
    name: "states",
    ofClient: "clientStates",
    ofAll: "streamStates",
    excess: (whose: string, [now, then, most]: Amounts) =>
      `${whose} streams follow ${now} prices, candles and pools, ${then} with this one, and may follow at most ${most}`,
  },
  {
    name: "addresses",
    ofClient: "clientFilters",
    ofAll: "streamFilters",
    excess: (whose: string, [now, then, most]: Amounts) =>
      `the filters of ${whose} streams have ${now} addresses, ${then} with this one, and may have at most ${most}`,
  },
] as const;

/** An amount without the new stream, with it, and the maximum. */
type Amounts = readonly [now: number, then: number, most: number];

/** Requires that one more stream of a client is within the limits. @throws ClientOverload, ServiceOverload */
export function requireLoad(load: StreamLoad, { own, all, limits }: OpenLoads): void {
  for (const { name, ofClient, ofAll, excess } of FIGURES) {
    const added = load[name];
    const amounts = (open: readonly StreamLoad[], most: number): Amounts => {
      const now = sumOf(open, (one) => one[name]);
      return [now, now + added, most];
    };
    const [client, service] = [amounts(own, limits[ofClient]), amounts(all, limits[ofAll])];
    const [now, then] = [client[0], client[1]];
    const others = service[0] - now;
    if (added > 0 && exceeds(client)) throw new ClientOverload(excess("its", client));
    if (added > 0 && exceeds(service)) throw new ServiceOverload(excess("all", service));
    if (added > 0 && exceedsShare(then, others, { ofClient: limits[ofClient], ofAll: limits[ofAll] })) {
      const most = Math.floor(fairShare(others, limits[ofAll]));
      throw new ServiceOverload(`${excess("its", [now, then, most])}, half of what other clients leave`);
    }
  }
}

/**
 * Returns whether a client would have more than its fair share. If the limit of one client is as high as that
 * of all, the operator lets one client have everything.
 */
export function exceedsShare(
  then: number,
  others: number,
  { ofClient, ofAll }: { ofClient: number; ofAll: number },
): boolean {
  return ofClient < ofAll && then > fairShare(others, ofAll);
}

function exceeds([, then, most]: Amounts): boolean {
  return then > most;
}

function sumOf<T>(items: Iterable<T>, figureOf: (item: T) => number): number {
  let sum = 0;
  for (const item of items) sum += figureOf(item);
  return sum;
}
