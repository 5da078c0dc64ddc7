import { join } from "node:path";
import type { Chain } from "../../chains/chain.ts";
import type { Settings } from "../../config/settings.ts";
import { BaseError } from "../../lib/error.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Logger } from "../../lib/log.ts";
import type { BlockRef } from "../../schema/block.ts";
import { openEraSource } from "../../sources/files/era-source.ts";
import type { FilePlace } from "../../sources/files/file-place.ts";
import { NothingProves } from "../../sources/files/file-source.ts";
import { eraFilesAt, localFiles } from "../../sources/files/local-files.ts";
import { remoteFiles } from "../../sources/files/remote-files.ts";
import { defaultThreads, Prover } from "../../sources/prover/prover.ts";
import { endpointUrls } from "../../sources/rpc/url.ts";
import { openRpcSource, type RpcSource } from "../../sources/rpc-source.ts";
import type { Source } from "../../sources/source.ts";
import { findTable } from "../../sources/tables/chain/table-place.ts";
import { openTables, tableFilesAt } from "../../sources/tables/table-files.ts";
import { openTableSource } from "../../sources/tables/table-source.ts";
import { DOWNLOADS_FOLDER } from "../../storage/directory/data-directory.ts";
import { DiskReserve } from "../../storage/directory/disk-space.ts";
import type { ChainStore } from "../../storage/store.ts";
import { endpointsIn } from "../rpc-endpoints.ts";

type SourceSettings = Settings<
  | "rpc"
  | "rpcTimeout"
  | "rpcConcurrency"
  | "rpcRate"
  | "headRequests"
  | "files"
  | "anchor"
  | "threads"
  | "unproven"
  | "verify"
  | "verifySenders"
  | "data"
  | "diskReserve"
>;

interface Opened {
  chain: Chain;
  chainStore: ChainStore;
  directory: string | null;
  logger: Logger;
  signal: AbortSignal;
}

/** Where blocks come from. */
export interface OpenSource {
  source: Source;
  /** The endpoints of the source; null if it has no endpoint. */
  node: RpcSource | null;
  /** First and last block in the files; null if there are no files. */
  files: { from: number; to: number } | null;
  /** Closes the source and the threads that prove its blocks. */
  close(): Promise<void>;
}

/**
 * Checks the settings of a source, before anything is opened.
 *
 * @throws InvalidEndpointUrl, OnlyWebSockets, UselessSetting, NothingProves
 */
export function checkSource(settings: SourceSettings, chain: Chain): void {
  const { rpc, files, anchor, verify, verifySenders, unproven } = settings;
  const urls = endpointsIn(rpc);
  if (verifySenders && !verify)
    throw new UselessSetting("--verify-senders applies only to verified blocks: leave out --no-verify.");
  if (urls !== null) endpointUrls(urls, chain.name);
  if (files === undefined) {
    if (anchor !== undefined) throw new UselessSetting("--anchor applies only to --files, which is missing.");
    if (unproven) throw new UselessSetting("--unproven applies only to --files, which is missing.");
    return;
  }
  if (!verify) throw new UselessSetting("blocks of --files are always verified: leave out --no-verify.");
  if (urls === null && files.some(isUrl)) {
    throw new UselessSetting(
      "files from a URL are indexed while later ones are downloaded, so --anchor cannot prove them in time. Give an " +
        "endpoint with --rpc, or download the files first.",
    );
  }
  if (urls === null && anchor === undefined && !unproven) throw new NothingProves();
}

/** Opens the endpoints and files in the settings. One thread pool proves the blocks of both. */
export async function openSource(settings: SourceSettings, opened: Opened): Promise<OpenSource> {
  const prover = new Prover(settings.threads ?? defaultThreads());
  try {
    const open = await openPlaces(settings, { ...opened, prover });
    const close = async () => {
      await open.source.close();
      await prover.close();
    };
    return { ...open, close };
  } catch (error) {
    await prover.close();
    throw error;
  }
}

type OpenPlaces = Omit<OpenSource, "close">;
type WithProver = Opened & { prover: Prover };

async function openPlaces(settings: SourceSettings, opened: WithProver): Promise<OpenPlaces> {
  const urls = endpointsIn(settings.rpc);
  const node = urls === null ? null : await openNode(urls, settings, opened);
  try {
    if (settings.files !== undefined) return await openFiles(settings, settings.files, node, opened);
    if (node === null) throw new UselessSetting("there is no source of blocks: set --rpc or --files.");
    return { source: node, node, files: null };
  } catch (error) {
    await node?.close();
    throw error;
  }
}

function openNode(
  urls: readonly string[],
  settings: SourceSettings,
  { chain, logger, signal, prover }: WithProver,
): Promise<RpcSource> {
  return openRpcSource({
    urls,
    chain,
    verify: settings.verify,
    verifySenders: settings.verifySenders,
    prover,
    logger,
    limits: {
      requestTimeoutMs: settings.rpcTimeout * 1_000,
      maxConcurrency: settings.rpcConcurrency,
      callsPerSecond: settings.rpcRate ?? 0,
      headRequestsPerBlock: settings.headRequests,
    },
    signal,
  });
}

async function openFiles(
  settings: SourceSettings,
  named: readonly string[],
  node: RpcSource | null,
  opened: WithProver,
): Promise<OpenPlaces> {
  const { chain, chainStore, logger, prover } = opened;
  const commit = await chainStore.committed();
  const stored = commit && { number: commit.blockNumber, hash: commit.blockHash };
  const tables = await tablesIn(named);
  const { source, files } =
    tables.length > 0
      ? await openTableFiles(settings, tables, node, { chain, prover, stored })
      : await openEraFiles(settings, named, node, { ...opened, stored });
  const { from, to } = source.range;
  logger.info({ chain: chain.name, files, from, to }, "block files are ready");
  if (node === null) logger.warn({ chain: chain.name }, TOKENS_WITHOUT_ENDPOINT);
  if (node === null && from > 1) logger.warn({ chain: chain.name, from }, POOLS_WITHOUT_ENDPOINT);
  return { source, node, files: source.range };
}

/** @throws UselessSetting if there are files of both kinds */
async function tablesIn(named: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    named.map(async (place) => (isUrl(place) ? [] : await tableFilesAt(place))),
  );
  const tables = found.flat();
  if (tables.length === 0) return [];
  const other = named.find((_, i) => found[i]?.length === 0);
  if (other !== undefined) {
    throw new UselessSetting(
      `--files: ${other} has no Parquet, csv or JSON files, but another place does. Pass files of one format at a time`,
    );
  }
  const [era] = (await Promise.all(named.map(eraFilesAt))).flat();
  if (era === undefined) return tables;
  const table = await firstTable(tables);
  if (table === null) return [];
  throw new UselessSetting(
    `--files: ${era} is an era file, ${table} is not. Era files prove more, and need no other files: pass only era ` +
      "files, or only files of one other format",
  );
}

/**
 * Returns the first file that has rows of blocks; null if all are other files, such as JSON lists of era
 * files.
 */
async function firstTable(paths: readonly string[]): Promise<string | null> {
  for (const path of paths) if ((await findTable(path)) !== null) return path;
  return null;
}

async function openTableFiles(
  { anchor, unproven }: SourceSettings,
  paths: readonly string[],
  node: RpcSource | null,
  { chain, prover, stored }: Pick<WithProver, "chain" | "prover"> & { stored: BlockRef | null },
) {
  const tables = await openTables(paths);
  const source = await openTableSource({
    tables,
    chainId: chain.chainId,
    node,
    anchor: anchorOf(anchor),
    allowUnproven: unproven,
    stored,
    prover,
  });
  return { source, files: tables.files };
}

async function openEraFiles(
  { anchor, unproven, data, diskReserve }: SourceSettings,
  named: readonly string[],
  node: RpcSource | null,
  { chain, directory, signal, prover, stored }: WithProver & { stored: BlockRef | null },
) {
  if (unproven) throw new UselessSetting("era files are always proven: omit --unproven.");
  const places: FilePlace[] = [];
  const cache = join(directory ?? data, DOWNLOADS_FOLDER);
  const reserve = new DiskReserve(cache, diskReserve * 2 ** 20);
  const download = { cache, requireRoom: () => reserve.requireRoom(), signal };
  for (const place of named) {
    places.push(...(isUrl(place) ? await remoteFiles(place, download) : await localFiles(place)));
  }
  const options = { places, chainId: chain.chainId, node, anchor: anchorOf(anchor), stored, prover, signal };
  return { source: await openEraSource(options), files: places.length };
}

function anchorOf(anchor: string | undefined): Hex | null {
  return anchor === undefined ? null : (anchor.toLowerCase() as Hex);
}

const TOKENS_WITHOUT_ENDPOINT =
  "without an endpoint, contracts cannot be called: only tokens in --tokens have names, decimals, prices and values; " +
  "for the others, set --rpc to any node";
const POOLS_WITHOUT_ENDPOINT =
  "without an endpoint, contracts cannot be called: swaps in pools that were created before the first block give no " +
  "trades unless transactions prove the pool; to include them all, set --rpc to any node";

function isUrl(place: string): boolean {
  return /^https?:\/\//i.test(place);
}

class UselessSetting extends BaseError {
  constructor(problem: string) {
    super("bad-config", problem);
  }
}
