import { type Chain, scopeOf } from "../../chains/chain.ts";
import type { TokenList } from "../../chains/token-list.ts";
import type { Settings } from "../../config/settings.ts";
import { repairTail, UNSAFE_SECONDS } from "../../doctor/repair/tail.ts";
import { Extension } from "../../ingest/extension/extension.ts";
import { requireLinked } from "../../ingest/extension/require-linked.ts";
import type { Indexer } from "../../ingest/indexer.ts";
import { BaseError } from "../../lib/error.ts";
import type { Logger } from "../../lib/log.ts";
import { copyOf, dropCopy } from "../../storage/extension/chain-copy.ts";
import { requireExchange } from "../../storage/extension/exchange-copy.ts";
import { endExtension, storedExtension, writeExtension } from "../../storage/extension/extension-log.ts";
import type { ChainStore, Commit, Engine } from "../../storage/store.ts";
import { LOST_ROWS, type OpenStore, UNCHECKED_ROWS } from "../open-store.ts";
import { requireDisk } from "./extension-disk.ts";
import type { IndexingView } from "./indexing-view.ts";
import type { OpenSource } from "./open-source.ts";
import { roomCheck } from "./room-check.ts";

type ExtendingSettings = Settings<"from" | "diskReserve" | "batchBlocks" | "fsync">;

interface Opened extends Pick<OpenStore, "openCopy"> {
  chain: Chain;
  engine: Engine;
  chainStore: ChainStore;
  /** The data directory; null if the tables are on a server. */
  directory: string | null;
  tokenList: TokenList;
  signal: AbortSignal;
  logger: Logger;
  view: IndexingView;
}

interface PlannedExtension {
  /** First block for the chain's own indexer; undefined to continue after the stored blocks. */
  from: number | undefined;
  /** Opens the extension; null if the chain is not extended. */
  open: ((indexer: Indexer) => Promise<Extension>) | null;
}

/**
 * Decides whether to extend the chain to earlier blocks: if `--from` is below the first stored block, or if
 * an earlier process started an extension. Runs all checks that are possible in advance.
 *
 * @throws ExtensionInProgress, PrunedChain, TooLittleDisk, FilesTooShort, OtherChainBelow, CannotExchange
 */
export async function planExtension(
  settings: ExtendingSettings,
  open: OpenSource,
  opened: Opened,
): Promise<PlannedExtension> {
  const { from } = settings;
  const { chain, chainStore, engine, logger } = opened;
  const commit = await chainStore.committed();
  const begun = await begunExtension(opened, commit);
  if (commit === null) return { from, open: null };
  const isBelow = from !== undefined && from < commit.firstBlock;
  if (begun !== null && isBelow && from !== begun) throw new ExtensionInProgress(begun, from);
  if (begun !== null && from !== undefined && !isBelow) {
    logger.warn({ chain: chain.name, from: begun }, PAUSED);
    return { from, open: null };
  }
  const first = isBelow ? from : begun;
  if (first === null) return { from, open: null };
  requireUnpruned(chain, commit);
  await requireBlocks(first, commit, open, opened);
  await requireExchange(engine, chain.name);
  await requireDisk({
    ...opened,
    commit,
    from: first,
    reserveMiB: settings.diskReserve,
    isBegun: begun !== null,
  });
  return {
    from: commit.firstBlock,
    open: (indexer) => openExtension(first, settings, { indexer, open, opened }),
  };
}

const PAUSED =
  "an extension of the index to earlier blocks was started, but --from is not below the first stored block: the " +
  "extension is paused. Omit --from to continue it, or cancel it with: quarry extension --cancel";

/**
 * Returns the first block of a copy that an earlier process started to build; null if there is none. Drops
 * the copy if it is no longer needed.
 */
async function begunExtension({ engine, chain }: Opened, commit: Commit | null): Promise<number | null> {
  const extension = await storedExtension(engine, chain.name);
  if (extension?.state !== "building") return null;
  if (commit !== null && extension.firstBlock < commit.firstBlock) return extension.firstBlock;
  // The chain has no block now, or has been indexed again from that block or an earlier one since then.
  await dropCopy(engine, chain.name);
  await endExtension(engine, chain.name);
  return null;
}

/**
 * Checks that the chain was not pruned. Readers hide raw rows of blocks before `rawFrom`, so the raw rows of
 * the earlier blocks would never be visible.
 */
function requireUnpruned(chain: Chain, { firstBlock }: Commit): void {
  const { rawFrom } = scopeOf(chain);
  if (rawFrom > firstBlock) throw new PrunedChain(rawFrom);
}

async function requireBlocks(
  from: number,
  commit: Commit,
  { source, node, files }: OpenSource,
  { engine, chain }: Opened,
): Promise<void> {
  if (node === null && files !== null && (files.from > from || files.to < commit.firstBlock - 1))
    throw new FilesTooShort(files, from, commit.firstBlock - 1);
  await requireLinked(engine, chain.name, commit, source);
}

async function openExtension(
  from: number,
  { diskReserve, batchBlocks, fsync }: ExtendingSettings,
  { indexer, open, opened }: { indexer: Indexer; open: OpenSource; opened: Opened },
): Promise<Extension> {
  const { chain, engine, chainStore, directory, openCopy, tokenList, signal, logger, view } = opened;
  const { firstBlock: firstStored } = (await chainStore.committed()) ?? { firstBlock: from };
  const copied = { ...chain, name: copyOf(chain.name) };
  await writeExtension(engine, chain.name, { firstBlock: from, state: "building", tables: [] });
  const repaired = await repairTail(engine, copied, () => openCopy(chain.name));
  const { store: copy, rolledBack, unchecked } = repaired;
  if (rolledBack !== null) logger.warn({ chain: copied.name, ...rolledBack }, LOST_ROWS);
  if (unchecked !== null) logger.warn({ chain: copied.name, ...unchecked }, UNCHECKED_ROWS);
  return new Extension({
    ...{ chain, engine, tokenList, signal, logger, indexer, copy, from, firstStored, batchBlocks },
    source: open.source,
    store: chainStore,
    // The extension pauses while less than twice the reserve is free, so that the chain's own indexer can use
    // the rest.
    ...roomCheck(directory, 2 * diskReserve),
    settleMs: fsync ? 0 : UNSAFE_SECONDS * 1_000,
    onProgress: (progress) => view.updateExtension(progress),
  });
}

/**
 * Runs the indexer and the extension until both have ended. If the extension fails, the indexer continues.
 *
 * @throws the indexer's error, or the extension's error unless the process is stopping
 */
export async function runBoth(
  indexer: Indexer,
  extension: Extension | null,
  { logger, signal, chain, view }: Pick<Opened, "logger" | "signal" | "chain" | "view">,
): Promise<void> {
  if (extension === null) return indexer.run();
  const extending = extension.run().finally(() => view.updateExtension(null));
  const reported = extending.catch((error: Error) => {
    logger.error({ chain: chain.name, reason: error.message }, "the extension to earlier blocks failed");
  });
  try {
    await indexer.run();
  } catch (error) {
    extension.stop();
    await reported;
    throw error;
  }
  await reported;
  if (!signal.aborted) await extending;
}

class PrunedChain extends BaseError {
  constructor(rawFrom: number) {
    super(
      "bad-config",
      `the index cannot be extended to earlier blocks, because its raw rows before block ${rawFrom} were pruned. ` +
        "Index from the earlier block into a new --data directory.",
    );
  }
}

class ExtensionInProgress extends BaseError {
  constructor(begun: number, from: number) {
    super(
      "bad-config",
      `--from ${from}: the index is already being extended down to block ${begun}. Continue with --from ${begun} or ` +
        `without --from, or cancel that extension first with: quarry extension --cancel`,
    );
  }
}

class FilesTooShort extends BaseError {
  constructor({ from, to }: { from: number; to: number }, first: number, last: number) {
    super(
      "bad-config",
      `extending the index needs blocks ${first} to ${last}, but the files have blocks ${from} to ${to}. Add the ` +
        "missing files with --files, or an endpoint with --rpc.",
    );
  }
}
