import { join } from "node:path";
import type { Chain } from "../chains/chain.ts";
import { resolveChains } from "../chains/chain-config.ts";
import { repairTail } from "../doctor/repair/tail.ts";
import { BaseError } from "../lib/error.ts";
import { type ChainStoreOptions, openChainStore } from "../storage/clickhouse-store.ts";
import { registerChain, storedChains } from "../storage/commits/chain-registry.ts";
import { chainCommits, unchangingCommits } from "../storage/commits/commit-log.ts";
import { acquireLease, type WriterLease } from "../storage/commits/writer-lease.ts";
import { holdsData, openDataDirectory } from "../storage/directory/data-directory.ts";
import { openEmbeddedEngine } from "../storage/engines/embedded-engine.ts";
import { connectServerEngine } from "../storage/engines/server-engine.ts";
import type { ChainCommits, ChainStore, Engine } from "../storage/store.ts";
import { configuredChain } from "./configured-chain.ts";

/** An open store: the engine behind it, and how to leave it. */
export interface OpenStore {
  engine: Engine;
  /** Folder for what belongs beside the tables; null when a server holds them. */
  directory: string | null;
  /** Opens a chain for writing, which no other process may do meanwhile. */
  openChain(chain: Chain): Promise<ChainStore>;
  /** The commits of a chain that this process does not write. */
  commitsOf(chain: string): ChainCommits;
  /** Notes where this process answers, for commands that find the data directory in use. */
  publishAddress(url: string): Promise<void>;
  close(): Promise<void>;
}

interface StorePlace {
  data: string;
  clickhouse?: string | undefined;
  /** MiB that the embedded engine may take; a server has a setting of its own. */
  engineMemory?: number | undefined;
  /** Sync each write to disk before it counts as done. */
  fsync?: boolean;
}

/** Opens the data directory with the embedded engine, or the ClickHouse server when one is given. */
export async function openStore(place: StorePlace): Promise<OpenStore> {
  const { clickhouse, engineMemory, fsync = false } = place;
  if (clickhouse === undefined) return openEmbedded(place.data, { engineMemory, fsync });
  if (engineMemory !== undefined) throw new MemoryOfServer();
  return openServer(new URL(clickhouse), fsync);
}

/**
 * For commands that only look at what is there, or take from it.
 *
 * @throws NoData where a data directory is meant that is none
 */
export function requireData({ data, clickhouse }: StorePlace): void {
  if (clickhouse === undefined && !holdsData(data)) throw new NoData(data);
}

/** The lock of the directory keeps other writers out. */
async function openEmbedded(
  data: string,
  { engineMemory, fsync }: { engineMemory: number | undefined; fsync: boolean },
): Promise<OpenStore> {
  const directory = await openDataDirectory(data);
  try {
    const engine = await openEmbeddedEngine({
      path: directory.enginePath,
      ...(engineMemory === undefined ? {} : { memoryBytes: engineMemory * 2 ** 20 }),
    });
    const close = async () => {
      await engine.close();
      await directory.release();
    };
    const openChain = (chain: Chain) => openForWriting(engine, chain, { fsync });
    const commitsOf = (chain: string) => unchangingCommits(engine, chain);
    // A service whose address cannot be noted, as on a full disk, can still be named by --url.
    const publishAddress = (url: string) => directory.publishAddress(url).catch(() => {});
    return { engine, directory: directory.path, openChain, commitsOf, publishAddress, close };
  } catch (error) {
    await directory.release();
    throw error;
  }
}

/** Nothing but a lease keeps other writers out of a server. */
async function openServer(url: URL, fsync: boolean): Promise<OpenStore> {
  const engine = await connectServerEngine({
    url: url.origin,
    ...(url.username === "" ? {} : { username: decodeURIComponent(url.username) }),
    ...(url.password === "" ? {} : { password: decodeURIComponent(url.password) }),
    ...(url.pathname.length > 1 ? { database: url.pathname.slice(1) } : {}),
  });
  const leases: WriterLease[] = [];
  const openChain = async (chain: Chain) => {
    const lease = await acquireLease(engine, chain.name);
    leases.push(lease);
    return openForWriting(engine, chain, { fsync, lease });
  };
  const close = async () => {
    await Promise.all(leases.map((lease) => lease.release()));
    await engine.close();
  };
  const commitsOf = (chain: string) => chainCommits(engine, chain);
  // A server may be asked beside the service.
  const publishAddress = async () => {};
  return { engine, directory: null, openChain, commitsOf, publishAddress, close };
}

/** Opens a chain for writing and writes down its definition. Refuses a store that holds another chain of that name. */
export async function openForWriting(
  engine: Engine,
  chain: Chain,
  options?: ChainStoreOptions,
): Promise<ChainStore> {
  const { name, ...definition } = chain;
  await registerChain(engine, { name, chainId: chain.chainId, definition: JSON.stringify(definition) });
  return openChainStore(engine, chain.name, options);
}

/** Why blocks are taken back at the start. */
export const LOST_ROWS =
  "rows of the newest blocks are missing, as after a loss of power: these blocks are indexed again";

/**
 * Opens a chain for writing, and takes back its newest blocks where a loss of power took some of their rows.
 *
 * @param onLoss told the first and the last block that were taken back
 */
export async function openSound(
  { engine, openChain }: Pick<OpenStore, "engine" | "openChain">,
  chain: Chain,
  onLoss: (first: number, last: number) => void,
): Promise<ChainStore> {
  const { store, rolledBack } = await repairTail(engine, chain, () => openChain(chain));
  if (rolledBack !== null) onLoss(rolledBack.first, rolledBack.last);
  return store;
}

/**
 * Every chain of a store, as it was indexed.
 *
 * @param commitsOf the commits of a chain, by its name
 */
export async function openForReading(
  engine: Engine,
  commitsOf: (chain: string) => ChainCommits,
): Promise<{ chain: Chain; store: ChainCommits }[]> {
  const stored = await storedChains(engine);
  const chains = resolveChains(
    Object.fromEntries(stored.map(({ name, definition }) => [name, JSON.parse(definition)])),
  );
  return stored.map(({ name }) => ({
    chain: configuredChain(chains, name),
    store: commitsOf(name),
  }));
}

class NoData extends BaseError {
  constructor(data: string) {
    super("bad-config", `${data} is no data directory; nothing is indexed there. Name another with --data.`);
  }
}

/** A bound that holds nothing would be believed to hold. */
class MemoryOfServer extends BaseError {
  constructor() {
    super(
      "bad-config",
      "--engine-memory (QUARRY_ENGINE_MEMORY) is for the embedded engine, and --clickhouse names a server: " +
        "leave it out, and set max_server_memory_usage in the server's own configuration.",
    );
  }
}

/** Folder of the demo's chain inside the data directory. */
export function demoDirectory(directory: string): string {
  return join(directory, "demo-chain");
}
