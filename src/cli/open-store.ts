import type { Chain } from "../chains/chain.ts";
import { resolveChains } from "../chains/chain-config.ts";
import type { ServerSetting } from "../config/groups/server-settings.ts";
import type { Settings } from "../config/settings.ts";
import { repairTail } from "../doctor/repair/tail.ts";
import { BaseError } from "../lib/error.ts";
import type { KeepLevel } from "../schema/scope.ts";
import { type ChainStoreOptions, openChainStore } from "../storage/clickhouse-store.ts";
import { registerChain, registerForm, storedChains, storedForm } from "../storage/commits/chain-registry.ts";
import { unchangingCommits } from "../storage/commits/commit-log.ts";
import { HeldLeases } from "../storage/commits/held-leases.ts";
import { serverCommits } from "../storage/commits/server-commits.ts";
import {
  holdsData,
  isReadOnlyData,
  openDataDirectory,
  openReadOnlyDirectory,
} from "../storage/directory/data-directory.ts";
import { removeOldFrozen } from "../storage/directory/frozen-files.ts";
import { LockHeld } from "../storage/directory/process-lock.ts";
import { openEmbeddedEngine } from "../storage/engines/embedded-engine.ts";
import type { ServerEngineOptions } from "../storage/engines/server/server-connection.ts";
import { connectServerEngine } from "../storage/engines/server/server-engine.ts";
import { mayWrite } from "../storage/engines/server/server-users.ts";
import { copyOf } from "../storage/extension/chain-copy.ts";
import { type EngineFront, openEngineFront } from "../storage/front/engine-front.ts";
import { connectFrontEngine } from "../storage/front/front-engine.ts";
import type { ChainCommits, ChainStore, Engine } from "../storage/store.ts";
import { requireCurrentTables } from "../storage/tables/upgrade-tables.ts";
import { completeTables, requireNothingToWrite } from "./complete-tables.ts";
import { configuredChain } from "./configured-chain.ts";
import { type ServerAddresses, serverAddresses, serverSetting } from "./server-addresses.ts";

export interface OpenStore {
  engine: Engine;
  /** The data directory; null if a server holds the tables. */
  directory: string | null;
  /**
   * True if this process cannot write to the data directory, or if it uses a server as a user who may only
   * read.
   */
  isReadOnly: boolean;
  /**
   * Opens a chain for writing. No other process can write to it until this store is closed. If a chain is
   * opened again, its earlier `ChainStore` must no longer be used.
   *
   * @param keep what to store of the chain; for an existing chain, this must be the stored level. Default:
   * the stored level, or everything for a new chain
   */
  openChain(chain: Chain, keep?: KeepLevel): Promise<ChainStore>;
  openChain(chain: Chain): Promise<ChainStore>;
  /** Opens, for writing, the hidden copy of a chain that `openChain` has opened. */
  openCopy(chain: string): Promise<ChainStore>;
  /** Returns the commits of a chain that this process does not write. */
  commitsOf(chain: string): ChainCommits;
  /** Lets other processes of the service use the engine, until the store is closed. */
  share(): Promise<EngineAddress>;
  /** Publishes the URL of this process's API, for commands that find the data directory in use. */
  publishAddress(url: string): Promise<void>;
  /** Shares the engine, and publishes its address for commands that find the data directory in use. */
  publishEngine(): Promise<void>;
  close(): Promise<void>;
}

/** Where another process of the service finds the engine: on a local socket, or at a ClickHouse server. */
export type EngineAddress = { socket: string } | { servers: ServerAddresses };

export interface OpenStoreOptions extends Partial<Settings<ServerSetting>> {
  data: string;
  /** The chains that have `clickhouse` as their own server. */
  serverOf?: readonly string[] | undefined;
  /** Memory limit of the embedded engine in MiB; a server has its own setting. */
  engineMemory?: number | undefined;
  /** Whether each write is synced to disk before it counts as done. */
  fsync?: boolean;
  /** Whether to open a data directory even if this process cannot write to it; default: that is an error. */
  mayBeReadOnly?: boolean;
}

/**
 * Opens the data directory with the embedded engine, or connects to the ClickHouse server if one is given.
 */
export async function openStore(options: OpenStoreOptions): Promise<OpenStore> {
  const { data, clickhouse, engineMemory, fsync = false, mayBeReadOnly = false } = options;
  if (clickhouse === undefined) {
    const isReadOnly = mayBeReadOnly && (await isReadOnlyData(data));
    return openEmbedded(data, { engineMemory, fsync, isReadOnly });
  }
  if (engineMemory !== undefined) throw new EngineMemoryWithServer();
  return openServer(serverAddresses(clickhouse, options, serverSetting(options.serverOf)), fsync);
}

/**
 * Requires that the data directory exists, unless a server is used. For commands that must not create one.
 *
 * @throws NoDataDirectory
 */
export function requireData({ data, clickhouse }: OpenStoreOptions): void {
  if (clickhouse === undefined && !holdsData(data)) throw new NoDataDirectory(data);
}

interface EmbeddedOptions {
  engineMemory: number | undefined;
  fsync: boolean;
  isReadOnly: boolean;
}

/** Opens a data directory. Its lock excludes other writers. */
async function openEmbedded(
  data: string,
  { engineMemory, fsync, isReadOnly }: EmbeddedOptions,
): Promise<OpenStore> {
  const directory = isReadOnly
    ? await openReadOnlyDirectory(data)
    : await openDataDirectory(data, { onLost: endNow });
  try {
    const engine = await openEmbeddedEngine({
      path: directory.enginePath,
      ...(engineMemory === undefined ? {} : { memoryBytes: engineMemory * 2 ** 20 }),
    });
    if (isReadOnly) await requireNothingToWrite(engine, data);
    else {
      await removeOldFrozen(directory.path, directory.enginePath);
      await completeTables(engine, directory);
    }
    let front: Promise<EngineFront> | undefined;
    const share = async () => {
      front ??= openEngineFront(engine.transport);
      return { socket: (await front).socket };
    };
    const close = async () => {
      await (await front?.catch(() => undefined))?.close();
      await engine.close();
      await directory.release();
    };
    const openChain = (chain: Chain, keep?: KeepLevel) => openForWriting(engine, chain, { fsync, keep });
    const openCopy = (chain: string) => openChainStore(engine, copyOf(chain), { fsync });
    const commitsOf = (chain: string) => unchangingCommits(engine, chain);
    // If the URL cannot be written, e.g. on a full disk, clients can still find the service by --url.
    const publishAddress = (address: string) => directory.publish({ address }).catch(() => {});
    // Without a socket, commands report only that the directory is in use.
    const publishEngine = () =>
      share()
        .then((shared) => directory.publish(shared))
        .catch(() => {});
    const published = { publishAddress, publishEngine };
    const opening = { openChain, openCopy, commitsOf };
    return { engine, directory: directory.path, isReadOnly, ...opening, share, ...published, close };
  } catch (error) {
    await directory.release();
    throw error;
  }
}

/** Called when another process writes to the directory: then not even a clean shutdown is safe. */
function endNow({ message }: Error): never {
  process.stderr.write(`quarry: ${message}\n`);
  process.exit(1);
}

/** Connects to a server, on which a lease for each chain excludes other writers. */
async function openServer(servers: ServerAddresses, fsync: boolean): Promise<OpenStore> {
  const engine = await connectServerEngine(...servers);
  const isReadOnly = !(await mayWrite(engine));
  const leases = new HeldLeases(engine);
  const openChain = async (chain: Chain, keep?: KeepLevel) => {
    if (isReadOnly) throw new ReadOnlyUser(servers[0]);
    const lease = await leases.hold(chain.name);
    return openForWriting(engine, chain, { fsync, lease, keep });
  };
  // The lease of a chain covers its copy.
  const openCopy = (chain: string) => {
    const lease = leases.get(chain);
    return openChainStore(engine, copyOf(chain), { fsync, ...(lease === undefined ? {} : { lease }) });
  };
  const close = async () => {
    await leases.release();
    await engine.close();
  };
  const commitsOf = (chain: string) => serverCommits(engine, chain);
  // Other processes can query the server directly.
  const published = { publishAddress: async () => {}, publishEngine: async () => {} };
  const share = async () => ({ servers });
  return {
    engine,
    directory: null,
    isReadOnly,
    openChain,
    openCopy,
    commitsOf,
    share,
    ...published,
    close,
  };
}

/** Opens the store of another process of the service, for reading. */
export async function connectStore(
  address: EngineAddress,
): Promise<Pick<OpenStore, "engine" | "commitsOf" | "close">> {
  const isEmbedded = "socket" in address;
  const engine = isEmbedded
    ? connectFrontEngine(address.socket)
    : await connectServerEngine(...address.servers);
  const read = isEmbedded ? unchangingCommits : serverCommits;
  return { engine, commitsOf: (chain) => read(engine, chain), close: () => engine.close() };
}

/**
 * Opens an engine for commands that write no blocks: the engine of the server, of the data directory or, if
 * another process has the directory open, of that process. Only the user who runs that process can open its
 * socket. `isShared` is true if the engine belongs to another process.
 *
 * @throws NoDataDirectory, EngineNotOffered
 */
export async function openEngine(
  options: OpenStoreOptions,
): Promise<Pick<OpenStore, "engine" | "close"> & { isShared: boolean }> {
  requireData(options);
  try {
    return { ...(await openStore(options)), isShared: false };
  } catch (error) {
    if (!(error instanceof LockHeld)) throw error;
    if (error.socket === null) throw new EngineNotOffered(error);
    return { ...(await connectStore({ socket: error.socket })), isShared: true };
  }
}

interface WritingOptions extends ChainStoreOptions {
  keep?: KeepLevel | undefined;
}

/**
 * Opens a chain for writing and stores its definition. Throws if the store holds a different chain with that
 * name, or if the stored level differs from `keep`.
 */
export async function openForWriting(
  engine: Engine,
  chain: Chain,
  { keep, ...options }: WritingOptions = {},
): Promise<ChainStore> {
  const { name, scope: _, numbering: __, ...definition } = chain;
  const registered = { name, chainId: chain.chainId, definition: JSON.stringify(definition) };
  await registerChain(engine, registered, keep);
  const store = await openChainStore(engine, name, options);
  await keepRewoundBlocks(engine, store);
  return store;
}

/**
 * Lowers `rawFrom` to the next block if pruned blocks were rolled back: they are indexed again with all their
 * rows.
 */
async function keepRewoundBlocks(engine: Engine, store: ChainStore): Promise<void> {
  const { scope } = await storedForm(engine, store.chain);
  const next = ((await store.committed())?.blockNumber ?? -1) + 1;
  if (next < scope.rawFrom) await registerForm(engine, store.chain, { scope: { ...scope, rawFrom: next } });
}

/** Returns a configured chain with the stored form of its rows. */
export async function asStored(engine: Engine, chain: Chain): Promise<Chain> {
  return { ...chain, ...(await storedForm(engine, chain.name)) };
}

/** Why blocks are rolled back at the start. */
export const LOST_ROWS =
  "rows of the newest blocks are missing, probably after a power loss; these blocks will be indexed again";

/** What to do about blocks that could not be checked at the start. */
export const UNCHECKED_ROWS =
  "these blocks could not be checked for rows lost in a power loss, because the check exceeded its limits; run " +
  "`quarry doctor` to check them";

/**
 * Opens a chain for writing, and rolls back its newest blocks if a power loss destroyed some of their rows.
 *
 * @param warn called if blocks were rolled back, or could not be checked, with the reason
 * @param keep see `openChain`
 */
export async function openRepaired(
  { engine, openChain }: Pick<OpenStore, "engine" | "openChain">,
  chain: Chain,
  warn: (reason: string, blocks: { first: number; last: number }) => void,
  keep?: KeepLevel,
): Promise<ChainStore> {
  const { store, rolledBack, unchecked } = await repairTail(engine, chain, () => openChain(chain, keep));
  if (rolledBack !== null) warn(LOST_ROWS, rolledBack);
  if (unchecked !== null) warn(UNCHECKED_ROWS, unchecked);
  return store;
}

/** Which chains of a store a process reads. */
export type ReadChains = { only: readonly string[] } | { except: readonly string[] };

/**
 * Returns chains of a store, with the definitions with which they were indexed.
 *
 * @param commitsOf returns the commits of a chain by its name
 * @param which the chains to return; default: all
 * @throws EarlierTables if another process must upgrade the tables
 */
export async function openForReading(
  engine: Engine,
  commitsOf: (chain: string) => ChainCommits,
  which: ReadChains = { except: [] },
): Promise<{ chain: Chain; store: ChainCommits }[]> {
  const isRead = (name: string) =>
    "only" in which ? which.only.includes(name) : !which.except.includes(name);
  const chains = (await readChains(engine)).filter(({ name }) => isRead(name));
  for (const { name } of chains) await requireCurrentTables(engine, name);
  return chains.map((chain) => ({ chain, store: commitsOf(chain.name) }));
}

/** Reads the definitions with which the chains of a store were indexed, and the forms of their rows. */
export async function readChains(engine: Engine): Promise<Chain[]> {
  const stored = await storedChains(engine);
  const chains = resolveChains(
    Object.fromEntries(stored.map(({ name, definition }) => [name, JSON.parse(definition)])),
  );
  return stored.map(({ name, scope, numbering }) => ({ ...configuredChain(chains, name), scope, numbering }));
}

class NoDataDirectory extends BaseError {
  constructor(data: string) {
    super(
      "bad-config",
      `${data} is not a data directory; nothing is indexed there. Give another with --data.`,
    );
  }
}

class EngineNotOffered extends BaseError {
  constructor(cause: LockHeld) {
    super(
      "data-directory",
      `${cause.message} Only a running \`quarry start\`, \`serve\`, \`index\` or \`demo\` shares its database with this command.`,
      { cause },
    );
  }
}

class ReadOnlyUser extends BaseError {
  constructor({ username = "default", setting }: ServerEngineOptions) {
    super(
      "bad-config",
      `The user ${JSON.stringify(username)} of the ClickHouse server may only read. Give ${setting} a user who may write: ` +
        "`quarry clickhouse grants` prints the SQL that creates one.",
    );
  }
}

/** Thrown because the setting would have no effect on a server. */
class EngineMemoryWithServer extends BaseError {
  constructor() {
    super(
      "bad-config",
      "--engine-memory (QUARRY_ENGINE_MEMORY) limits the embedded engine, but --clickhouse selects a server. Omit the " +
        "limit, and set max_server_memory_usage in the server's own configuration.",
    );
  }
}
