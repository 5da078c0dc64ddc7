import { type Clock, systemClock } from "../../../lib/async/clock.ts";
import type { Logger } from "../../../lib/log.ts";
import type { ReadableChain } from "../../../reads/snapshot/snapshot.ts";
import { chainsIn, type ServiceStore, type ServiceStores, storesOf } from "../served-stores.ts";

/**
 * How often the stores are queried for new chains. Without new chains, each query takes a few milliseconds.
 */
const LOOK_MS = 5_000;

interface LaterChainsOptions {
  stores: ServiceStores;
  /** The chains that the service has. */
  chains: readonly ReadableChain[];
  /** Adds a chain to `chains`. */
  add(readable: ReadableChain): Promise<void>;
  logger: Logger;
  /** Ends the search. */
  signal: AbortSignal;
  clock?: Clock;
}

/**
 * Finds chains that other processes have begun to index since a service started, once they have a block. Each
 * store is searched on its own, so that a store that fails or does not respond does not affect the chains of
 * other stores.
 */
export async function addLaterChains(options: LaterChainsOptions): Promise<void> {
  await Promise.all(storesOf(options.stores).map((store) => search(store, options)));
}

/** Looks for chains in a store until the signal aborts. Logs the first failure of a series, and its end. */
async function search(store: ServiceStore, options: LaterChainsOptions): Promise<void> {
  const { signal, logger, clock = systemClock } = options;
  const named = "only" in store.chains ? { chains: store.chains.only } : {};
  let isFailing = false;
  while (!signal.aborted) {
    await clock.sleep(LOOK_MS, signal).catch(() => undefined);
    const failure = signal.aborted ? null : await look(store, options);
    if (signal.aborted || isFailing === (failure !== null)) continue;
    isFailing = failure !== null;
    if (failure === null) logger.info(named, "searching a store for new chains has resumed");
    else
      logger.warn({ ...named, reason: failure.message }, "cannot search a store for new chains; will retry");
  }
}

/** Adds the chains that are new in a store. Returns the error if that failed; otherwise null. */
async function look(store: ServiceStore, options: LaterChainsOptions): Promise<Error | null> {
  const { stores, chains, add, logger, signal } = options;
  const known = new Set(chains.map(({ chain }) => chain.name));
  try {
    for (const readable of await chainsIn(without(store, known), stores)) {
      const { name } = readable.chain;
      if ((await readable.store.committed()) === null) continue;
      if (signal.aborted) return null;
      await add(readable);
      logger.info(
        { chain: name },
        `chain ${name} was first indexed after the service started, and is served from now on`,
      );
    }
    return null;
  } catch (error) {
    return error as Error;
  }
}

/** Returns the store, restricted to chains that are not known yet. */
function without(store: ServiceStore, known: ReadonlySet<string>): ServiceStore {
  const { chains } = store;
  if ("only" in chains) return { ...store, chains: { only: chains.only.filter((name) => !known.has(name)) } };
  return { ...store, chains: { except: [...chains.except, ...known] } };
}
