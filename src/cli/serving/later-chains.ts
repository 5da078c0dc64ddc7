import type { Clock } from "../../lib/async/clock.ts";
import type { Logger } from "../../lib/log.ts";
import type { ReadableChain } from "../../reads/snapshot/snapshot.ts";
import { readableChains, type ServiceStore, type ServiceStores } from "./served-stores.ts";

/** How often the stores are queried for new chains. If there is none, each query takes a few milliseconds. */
const LOOK_MS = 5_000;

interface LaterChainsOptions {
  stores: ServiceStores;
  /** The chains that the service has. */
  chains: readonly ReadableChain[];
  /** Adds a chain to them. */
  add(readable: ReadableChain): Promise<void>;
  logger: Logger;
  clock: Clock;
}

/**
 * Finds chains that other processes have begun to index since a service started, once they have a block.
 * Failed queries are repeated.
 */
export class LaterChains {
  readonly #options: LaterChainsOptions;
  readonly #stop = new AbortController();

  constructor(options: LaterChainsOptions) {
    this.#options = options;
  }

  /** Looks for chains until `stop` is called. */
  async run(): Promise<void> {
    const { clock } = this.#options;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await clock.sleep(LOOK_MS, signal).catch(() => undefined);
      if (!signal.aborted) await this.look().catch(() => undefined);
    }
  }

  stop(): void {
    this.#stop.abort();
  }

  async look(): Promise<void> {
    const { add, logger } = this.#options;
    for (const readable of await this.#unknown()) {
      const { name } = readable.chain;
      if ((await readable.store.committed()) === null) continue;
      if (this.#stop.signal.aborted) return;
      await add(readable);
      logger.info(
        { chain: name },
        `chain ${name} has been indexed since the start, and is served from now on`,
      );
    }
  }

  #unknown(): Promise<ReadableChain[]> {
    const { stores, chains } = this.#options;
    const known = new Set(chains.map(({ chain }) => chain.name));
    const main = without(stores.main, known);
    return readableChains({ main, others: stores.others.map((store) => without(store, known)) });
  }
}

/** Returns a store of which only unknown chains are read. */
function without(store: ServiceStore, known: ReadonlySet<string>): ServiceStore {
  const { chains } = store;
  if ("only" in chains) return { ...store, chains: { only: chains.only.filter((name) => !known.has(name)) } };
  return { ...store, chains: { except: [...chains.except, ...known] } };
}
