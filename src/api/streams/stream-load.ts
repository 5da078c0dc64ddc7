import type { ApiLimits } from "../admission/limits.ts";
import { ClientOverload, ServiceOverload } from "../admission/overload.ts";
import type { Subscriptions } from "../subscriptions/read-subscriptions.ts";

/**
 * What the subscriptions of a stream cost: each state takes work in each block, and each address takes
 * memory.
 */
export interface StreamLoad {
  /** Number of prices, candles and pools that the stream follows. */
  states: number;
  /** Number of addresses in the filters of the stream's subscriptions. */
  addresses: number;
}

interface OpenLoads {
  /** The open streams of the client. */
  own: Iterable<StreamLoad>;
  /** The open streams of all clients. */
  all: Iterable<StreamLoad>;
  limits: Pick<ApiLimits, "clientStates" | "streamStates" | "clientFilters" | "streamFilters">;
}

export function loadOf({ states, events }: Subscriptions): StreamLoad {
  return {
    states: sumOf(states, ({ queries }) => queries.length),
    addresses: sumOf(events, ({ conditions }) => sumOf(conditions, ({ values }) => values.size)),
  };
}

/** Requires that one more stream of a client is within the limits. @throws ClientOverload, ServiceOverload */
export function requireLoad(load: StreamLoad, open: OpenLoads): void {
  if (load.states > 0) requireStates(load.states, open);
  if (load.addresses > 0) requireAddresses(load.addresses, open);
}

function requireStates(states: number, { own, all, limits }: OpenLoads): void {
  const { clientStates, streamStates } = limits;
  const followed = sumOf(own, (one) => one.states);
  if (followed + states > clientStates) {
    throw new ClientOverload(
      `its streams follow ${followed} prices, candles and pools, with this one ${followed + states}, and may follow ${clientStates}`,
    );
  }
  const inAll = sumOf(all, (one) => one.states);
  if (inAll + states > streamStates) {
    throw new ServiceOverload(
      `all streams follow ${inAll} prices, candles and pools, with this one ${inAll + states}, and may follow ${streamStates}`,
    );
  }
}

function requireAddresses(addresses: number, { own, all, limits }: OpenLoads): void {
  const { clientFilters, streamFilters } = limits;
  const listed = sumOf(own, (one) => one.addresses);
  if (listed + addresses > clientFilters) {
    throw new ClientOverload(
      `the filters of its streams have ${listed} addresses, with this one ${listed + addresses}, and may have ${clientFilters}`,
    );
  }
  const inAll = sumOf(all, (one) => one.addresses);
  if (inAll + addresses > streamFilters) {
    throw new ServiceOverload(
      `the filters of all streams have ${inAll} addresses, with this one ${inAll + addresses}, and may have ${streamFilters}`,
    );
  }
}

function sumOf<T>(items: Iterable<T>, figureOf: (item: T) => number): number {
  let sum = 0;
  for (const item of items) sum += figureOf(item);
  return sum;
}
