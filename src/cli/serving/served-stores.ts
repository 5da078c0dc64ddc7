import type { ChainServers } from "../../config/groups/chain-servers.ts";
import { BaseError } from "../../lib/error.ts";
import type { Logger } from "../../lib/log.ts";
import type { ReadableChain } from "../../reads/snapshot/snapshot.ts";
import { chainCommits } from "../../storage/commits/commit-log.ts";
import { holdsData } from "../../storage/directory/data-directory.ts";
import type { ChainCommits, Engine } from "../../storage/store.ts";
import {
  connectStore,
  type EngineAddress,
  type OpenStore,
  type OpenStoreOptions,
  openForReading,
  openStore,
  type ReadChains,
} from "../open-store.ts";
import { type DeliveryRight, deliveryRight } from "./webhooks.ts";

/** A store from which a process of a service reads chains. */
export interface ServiceStore extends Pick<OpenStore, "engine" | "commitsOf"> {
  /** The chains to read from this store. A chain that has its own server is read only from there. */
  chains: ReadChains;
  /** How this process gets the right to deliver the webhooks of these chains; undefined: it delivers none. */
  webhooks: DeliveryRight | undefined;
}

/** The stores of a process. Statements that read no table run in the main one. */
export interface ServiceStores<S = ServiceStore> {
  main: S;
  others: readonly S[];
}

/** Where a worker finds a store. */
export interface SharedStore extends Pick<ServiceStore, "chains" | "webhooks"> {
  address: EngineAddress;
}

/** A store that this process has opened. */
export interface OpenServiceStore extends ServiceStore {
  store: OpenStore;
}

/**
 * All open stores of a service. `main` is the store of --data or --clickhouse; without either, the store of
 * one of the chains.
 */
export interface OpenService extends ServiceStores<OpenServiceStore> {
  close(): Promise<void>;
}

/**
 * Opens the data directory or the ClickHouse server of a service, and the servers of chains that have their
 * own. If all chains have their own servers, and there is no data directory, none is created.
 *
 * @throws ServerOfChain, and the errors of `openStore`
 */
export async function openService(options: OpenStoreOptions, servers: ChainServers): Promise<OpenService> {
  const { engineMemory: _, ...ofServer } = options;
  const own = chainsByServer(servers, options.clickhouse);
  const except = [...own.values()].flat();
  const hasMain = options.clickhouse !== undefined || usesEmbeddedEngine(options, servers);
  const opened: OpenServiceStore[] = [];
  const close = async () => {
    for (const { store } of opened.toReversed()) await store.close();
  };
  try {
    if (hasMain) opened.push(serviceStore(await openStore({ ...options, mayBeReadOnly: true }), { except }));
    for (const [clickhouse, only] of own) {
      const store = await openStore({ ...ofServer, clickhouse, serverOf: only }).catch((cause) => {
        throw cause instanceof BaseError ? new ServerOfChain(only, cause) : cause;
      });
      opened.push(serviceStore(store, { only }));
    }
  } catch (error) {
    await close();
    throw error;
  }
  const [main, ...others] = opened;
  if (main === undefined) throw new BaseError("internal", "no store was opened");
  return { main, others, close };
}

/** Returns whether a service opens a data directory. */
export function usesEmbeddedEngine(
  { clickhouse, data }: Pick<OpenStoreOptions, "clickhouse" | "data">,
  servers: ChainServers,
): boolean {
  return clickhouse === undefined && (servers.size === 0 || holdsData(data));
}

function serviceStore(store: OpenStore, chains: ReadChains): OpenServiceStore {
  const { engine, commitsOf } = store;
  return { engine, commitsOf, chains, webhooks: deliveryRight(store), store };
}

/**
 * Returns the chains that have their own server, by the URL of that server. Leaves out chains whose own
 * server is `common`.
 */
function chainsByServer(servers: ChainServers, common: string | undefined): Map<string, string[]> {
  const chains = new Map<string, string[]>();
  for (const [chain, url] of servers) {
    if (url !== common) chains.set(url, [...(chains.get(url) ?? []), chain]);
  }
  return chains;
}

/** Returns the store of a process that may also index a chain in it, so commits are read for each request. */
export function oneStore(engine: Engine, webhooks?: DeliveryRight): ServiceStores {
  const commitsOf = (chain: string) => chainCommits(engine, chain);
  return { main: { engine, commitsOf, chains: { except: [] }, webhooks }, others: [] };
}

/** Shares the stores of this process with workers. Returns where a worker finds each store. */
export async function shareService({ main, others }: OpenService): Promise<ServiceStores<SharedStore>> {
  return { main: await share(main), others: await Promise.all(others.map(share)) };
}

async function share({ chains, webhooks, store }: OpenServiceStore): Promise<SharedStore> {
  return { chains, webhooks, address: await store.share() };
}

/** Returns the stores for a process that delivers no webhooks. */
export function withoutWebhooks<S extends Pick<ServiceStore, "webhooks">>({
  main,
  others,
}: ServiceStores<S>): ServiceStores<S> {
  const without = (store: S) => ({ ...store, webhooks: undefined });
  return { main: without(main), others: others.map(without) };
}

/** Connects a worker to the stores that the primary process shares. */
export async function connectService(
  shared: ServiceStores<SharedStore>,
): Promise<ServiceStores & Pick<OpenService, "close">> {
  const main = await connect(shared.main);
  const others = await Promise.all(shared.others.map(connect));
  const close = async () => {
    for (const store of [...others, main]) await store.close();
  };
  return { main, others, close };
}

async function connect({
  address,
  ...store
}: SharedStore): Promise<ServiceStore & { close(): Promise<void> }> {
  return { ...store, ...(await connectStore(address)) };
}

/** Returns the commits of a chain; undefined to use its store's commits. */
type CommitsOf = (chain: string) => ChainCommits | undefined;

/**
 * Returns the chains of a service, sorted by name. Chains of the main store have no engine of their own.
 *
 * @throws EarlierTables if another process must upgrade the tables
 */
export async function readableChains(stores: ServiceStores, commitsOf?: CommitsOf): Promise<ReadableChain[]> {
  const chains = await Promise.all(storesOf(stores).map((store) => chainsIn(store, stores, commitsOf)));
  return chains.flat().sort((a, b) => (a.chain.name < b.chain.name ? -1 : 1));
}

/** Returns the chains of one store of a service. @throws EarlierTables */
export async function chainsIn(
  store: ServiceStore,
  { main }: ServiceStores,
  commitsOf: CommitsOf = () => undefined,
): Promise<ReadableChain[]> {
  const { engine, chains } = store;
  const found = await openForReading(engine, (name) => commitsOf(name) ?? store.commitsOf(name), chains);
  return engine === main.engine ? found : found.map((readable) => ({ ...readable, engine }));
}

export function storesOf<S>({ main, others }: ServiceStores<S>): S[] {
  return [main, ...others];
}

/** Logs which chains are not indexed on their own servers. */
export function warnOfMissing(
  service: ServiceStores,
  chains: readonly ReadableChain[],
  logger: Logger,
): void {
  const found = new Set(chains.map(({ chain }) => chain.name));
  const expected = storesOf(service).flatMap(({ chains: served }) => ("only" in served ? served.only : []));
  for (const chain of expected.filter((name) => !found.has(name))) {
    logger.warn({ chain }, `chain ${chain} is not indexed on its own ClickHouse server, so it is not served`);
  }
}

/** The server of one or more chains cannot be used. */
class ServerOfChain extends BaseError {
  constructor(chains: readonly string[], cause: BaseError) {
    const named = chains.map((chain) => `chain ${chain}`).join(" and ");
    const problem = `The ClickHouse server of ${named} in the configuration file cannot be used`;
    super(cause.code, `${problem}. ${cause.message}`, { cause, retryable: cause.retryable });
  }
}
