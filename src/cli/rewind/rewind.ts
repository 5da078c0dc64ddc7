import type { ServerSetting } from "../../config/groups/server-settings.ts";
import type { Config } from "../../config/load-config.ts";
import { rollbackCopy } from "../../doctor/repair/rollback-chain.ts";
import { storedBlock } from "../../ingest/reorg/stored-block.ts";
import { BaseError } from "../../lib/error.ts";
import { createLogger } from "../../lib/log.ts";
import { chainCommits } from "../../storage/commits/commit-log.ts";
import type { Commit } from "../../storage/store.ts";
import { configuredChain } from "../configured-chain.ts";
import { openStore, requireData } from "../open-store.ts";

/** Rolls back all blocks above the given one. */
export async function rewind(
  block: string,
  { settings, chains }: Config<"chain" | "data" | ServerSetting | "logLevel">,
): Promise<void> {
  const number = blockNumber(block);
  const chain = configuredChain(chains, settings.chain);
  requireData(settings);
  const logger = createLogger(settings.logLevel);
  const store = await openStore(settings);
  try {
    const commit = await chainCommits(store.engine, chain.name).committed();
    const isInRange = commit !== null && number <= commit.blockNumber;
    const stored = isInRange ? await storedBlock(store.engine, chain.name, number) : null;
    if (commit === null || stored === null) throw new NotStored(number, commit);
    const opened = await store.openChain(chain);
    await rollbackCopy(stored.number + 1, { engine: store.engine, chain, openCopy: store.openCopy });
    await opened.rollback(stored);
    const { blockNumber: from } = commit;
    logger.info({ chain: chain.name, from, to: stored.number, blocks: from - stored.number }, "rewound");
  } finally {
    await store.close();
  }
}

function blockNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidBlockNumber(text);
  return Number(text);
}

class InvalidBlockNumber extends BaseError {
  constructor(text: string) {
    super(
      "bad-config",
      `"${text.slice(0, 40)}" is not a block number. Give the number of the block that becomes the newest.`,
    );
  }
}

class NotStored extends BaseError {
  constructor(block: number, commit: Commit | null) {
    const reason =
      commit === null || commit.blockNumber < commit.firstBlock
        ? "no block is indexed here. Give the indexed chain with --chain and --data"
        : `blocks ${commit.firstBlock} to ${commit.blockNumber} are indexed. Give one of these`;
    super("bad-config", `block ${block} cannot be the newest: ${reason}.`);
  }
}
