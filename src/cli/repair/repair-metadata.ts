import { type Chain, scopeOf } from "../../chains/chain.ts";
import type { TokenList } from "../../chains/token-list.ts";
import type { Config } from "../../config/load-config.ts";
import { hasBufferTrades } from "../../ingest/discovery/buffer-assets.ts";
import { type FoundMetadata, findMissingMetadata } from "../../ingest/discovery/missing-metadata.ts";
import { isCopyUsable, rebuildChain } from "../../ingest/extension/rebuild-chain.ts";
import { unlessAborted } from "../../lib/async/abort.ts";
import { BaseError } from "../../lib/error.ts";
import { createLogger, type Logger } from "../../lib/log.ts";
import { endpointUrls } from "../../sources/rpc/url.ts";
import { openRpcSource } from "../../sources/rpc-source.ts";
import type { Source } from "../../sources/source.ts";
import { chainCommits } from "../../storage/commits/commit-log.ts";
import { NothingStored } from "../../storage/commits/nothing-stored.ts";
import { dropCopy } from "../../storage/extension/chain-copy.ts";
import { requireExchange } from "../../storage/extension/exchange-copy.ts";
import { endExtension, storedExtension, writeExtension } from "../../storage/extension/extension-log.ts";
import type { Commit } from "../../storage/store.ts";
import { configuredChain } from "../configured-chain.ts";
import { requireRoomForCopy } from "../indexing/extension-disk.ts";
import { IndexingView } from "../indexing/indexing-view.ts";
import { roomCheck } from "../indexing/room-check.ts";
import { readTokenLists } from "../indexing/token-lists.ts";
import { asStored, type OpenStore, openRepaired, openStore, requireData } from "../open-store.ts";
import { endpointsIn } from "../rpc-endpoints.ts";
import { shutdownSignal } from "../shutdown.ts";
import type { REPAIR_SETTINGS } from "./repair-settings.ts";

type RepairConfig = Config<(typeof REPAIR_SETTINGS)[number]>;

/**
 * Finds metadata that stored tokens lack. If there is any, indexes the chain again with it, from the stored
 * rows, because amounts, prices and all values that follow from them may change in any later block.
 */
export async function repairMetadata({ settings, chains }: RepairConfig, isDryRun: boolean): Promise<void> {
  const configured = configuredChain(chains, settings.chain);
  const urls = endpointsIn(settings.rpc);
  if (urls === null && settings.tokens === undefined) throw new NothingToAsk();
  if (urls !== null) endpointUrls(urls, configured.name);
  requireData(settings);
  const tokenList = await readTokenLists(settings.tokens, configured);
  const logger = createLogger(settings.logLevel);
  const signal = shutdownSignal();
  // The copy replaces the chain as soon as it is complete, so a power loss must not damage it.
  const store = await openStore({ ...settings, fsync: true });
  const view = new IndexingView({ log: (fields, text) => logger.info(fields, text) });
  try {
    const commit = await chainCommits(store.engine, configured.name).committed();
    if (commit === null) throw new NothingStored(configured.name);
    const chain = await asStored(store.engine, configured);
    const open = () => openRpcSource({ urls: urls ?? [], chain, verify: true, logger, signal });
    const source = urls === null ? NO_NODE : await unlessAborted(signal, open);
    if (source === null) return;
    try {
      const given = { source, hasNode: urls !== null, tokenList, reserveMiB: settings.diskReserve };
      await repair({ ...store, ...given, chain, signal, logger, view, isDryRun }, commit);
    } finally {
      await source.close();
    }
  } finally {
    view.stop();
    await store.close();
  }
}

interface Opened extends Pick<OpenStore, "engine" | "directory" | "openChain" | "openCopy"> {
  chain: Chain;
  source: Source;
  hasNode: boolean;
  tokenList: TokenList;
  reserveMiB: number;
  signal: AbortSignal;
  logger: Logger;
  view: IndexingView;
  isDryRun: boolean;
}

async function repair(opened: Opened, commit: Commit): Promise<void> {
  const { engine, chain, source, tokenList, signal, logger } = opened;
  await requireRebuildable(opened, commit);
  const call: Source["call"] = (calls) => source.call(calls);
  const block = { number: commit.blockNumber, hash: commit.blockHash };
  const query = { engine, chain: chain.name, call, tokenList, block, signal };
  const metadata = await unlessAborted(signal, () => findMissingMetadata(query));
  if (metadata === null) return;
  report(metadata, opened);
  if (metadata.found.size === 0 || opened.isDryRun) return;
  const rebuilt = await rebuild(metadata.found, opened);
  if (rebuilt === null) {
    logger.warn({ chain: chain.name }, "stopped: nothing has changed yet; run the command again to continue");
    return;
  }
  logger.info({ chain: chain.name, tokens: metadata.found.size }, "repaired: all tables have the new values");
}

/** Logs what was found, with the symbols of some of the tokens. */
function report({ incomplete, found, firstBlock }: FoundMetadata, { chain, logger }: Opened): void {
  const symbols = [...found.values()].slice(0, SHOWN_TOKENS).map(({ symbol, address }) => symbol ?? address);
  logger.info(
    { chain: chain.name, incomplete, found: found.size, firstBlock, symbols },
    found.size === 0 ? "found no metadata to fill in" : "found metadata to fill in",
  );
}

const SHOWN_TOKENS = 10;

async function rebuild(found: TokenList, opened: Opened): Promise<Commit | null> {
  const { engine, chain, directory, openCopy, hasNode, logger, view, reserveMiB } = opened;
  const warn = (reason: string, blocks: { first: number; last: number }) =>
    logger.warn({ chain: chain.name, ...blocks }, reason);
  const store = await openRepaired(opened, chain, warn);
  const commit = await store.committed();
  if (commit === null) return null;
  await requireExchange(engine, chain.name);
  if (!(await isCopyBegun(found, opened))) {
    const { firstBlock, sequence, blockNumber } = commit;
    await dropCopy(engine, chain.name);
    const extension = { firstBlock, state: "building", tables: [] } as const;
    await writeExtension(engine, chain.name, extension, { sequence, blockNumber, hasNode });
  }
  await requireRoomForCopy({ chain, engine, directory, commit, from: commit.firstBlock, reserveMiB });
  const blocks = commit.blockNumber - commit.firstBlock + 1;
  logger.info({ chain: chain.name, blocks }, "indexing the stored blocks again, in a hidden copy");
  const rebuilt = await rebuildChain({
    ...opened,
    ...roomCheck(directory, reserveMiB),
    tokenList: found,
    store,
    copy: await openCopy(chain.name),
    onProgress: (progress) => view.update(progress),
  });
  if (rebuilt !== null) {
    await dropCopy(engine, chain.name);
    await endExtension(engine, chain.name);
  }
  return rebuilt;
}

/** Returns whether an interrupted run has begun a copy that can be continued. */
async function isCopyBegun(found: TokenList, { engine, chain, openCopy, hasNode }: Opened): Promise<boolean> {
  if ((await storedExtension(engine, chain.name)) === null) return false;
  // The interrupted run may not have created all of its tables.
  await openCopy(chain.name);
  return isCopyUsable(engine, chain.name, { tokenList: found, hasNode });
}

async function requireRebuildable({ engine, chain, hasNode }: Opened, commit: Commit): Promise<void> {
  const extension = await storedExtension(engine, chain.name);
  if (extension !== null && extension.firstBlock < commit.firstBlock) throw new BeingExtended(chain);
  const { keep, rawFrom } = scopeOf(chain);
  if (rawFrom > commit.firstBlock) throw new RowsMissing(`raw rows before block ${rawFrom} were pruned`);
  if (keep !== "all" && !hasNode)
    throw new RowsMissing(
      `--keep ${keep} stores only part of each block; give an endpoint with --rpc to fetch the rest`,
    );
  if (!hasNode && (await hasBufferTrades(engine, chain.name)))
    throw new RowsMissing(
      "some trades went through Balancer V3 buffers, and only an endpoint (--rpc) reveals their underlying tokens",
    );
}

/**
 * The source without an endpoint. It has no data: everything comes from the stored rows and the token list.
 */
const NO_NODE: Source = {
  head: () => Promise.reject(new NothingToAsk()),
  nextHead: () => Promise.resolve(),
  blockRef: () => Promise.resolve(null),
  hasBlock: () => Promise.resolve(false),
  requireUndisputed: () => Promise.resolve(),
  finalized: () => Promise.resolve(null),
  // biome-ignore lint/correctness/useYield: it has no block
  async *blocks({ from, to }) {
    throw new RowsMissing(`the rows of blocks ${from} to ${to} are incomplete; give an endpoint with --rpc`);
  },
  call: () => Promise.resolve(null),
  pastLogs: () => Promise.resolve(null),
  close: () => Promise.resolve(),
};

class NothingToAsk extends BaseError {
  constructor() {
    super(
      "bad-config",
      "repair metadata needs an endpoint (--rpc <url[,url]>), a token list (--tokens <file[,file]>), or both.",
    );
  }
}

class BeingExtended extends BaseError {
  constructor({ name }: Chain) {
    super(
      "bad-config",
      `${name} is being extended to earlier blocks. Let that finish, or cancel it with: quarry extension --cancel`,
    );
  }
}

class RowsMissing extends BaseError {
  constructor(problem: string) {
    super("bad-config", `the chain cannot be indexed again from its stored rows: ${problem}.`);
  }
}
