import type { ServerSetting } from "../../config/groups/server-settings.ts";
import type { Config } from "../../config/load-config.ts";
import { createLogger } from "../../lib/log.ts";
import { chainCommits } from "../../storage/commits/commit-log.ts";
import { bytesOnDisk, copyOf, dropCopy } from "../../storage/extension/chain-copy.ts";
import { endExtension, storedExtension, writeExtension } from "../../storage/extension/extension-log.ts";
import type { Engine } from "../../storage/store.ts";
import { configuredChain } from "../configured-chain.ts";
import { openEngine, openStore, requireData } from "../open-store.ts";

type ExtensionConfig = Config<"chain" | "data" | ServerSetting | "logLevel">;

/** Prints the progress of an extension to earlier blocks. */
export async function showExtension({ settings, chains }: ExtensionConfig): Promise<void> {
  const { name } = configuredChain(chains, settings.chain);
  const { engine, close } = await openEngine(settings);
  try {
    process.stdout.write(`${await descriptionOf(engine, name)}\n`);
  } finally {
    await close();
  }
}

async function descriptionOf(engine: Engine, chain: string): Promise<string> {
  const extension = await storedExtension(engine, chain);
  const commit = await chainCommits(engine, chain).committed();
  const indexed =
    commit === null
      ? "no block is indexed"
      : `blocks ${commit.firstBlock} to ${commit.blockNumber} are indexed`;
  if (extension?.state !== "building") return `${chain}: ${indexed}; no extension is in progress`;
  const copied = await chainCommits(engine, copyOf(chain)).committed();
  const mib = Math.ceil((await bytesOnDisk(engine, copyOf(chain))) / 2 ** 20);
  if (extension.firstBlock === commit?.firstBlock)
    return `${chain}: ${indexed}; a repair of metadata was interrupted: run it again, or cancel it with --cancel`;
  const built = copied === null ? "nothing is built yet" : `built up to block ${copied.blockNumber}`;
  return `${chain}: ${indexed}; the extension begins with block ${extension.firstBlock}, ${built} (${mib} MiB)`;
}

/** Cancels an extension and frees its disk space. */
export async function cancelExtension({ settings, chains }: ExtensionConfig): Promise<void> {
  const chain = configuredChain(chains, settings.chain);
  requireData(settings);
  const logger = createLogger(settings.logLevel);
  const store = await openStore(settings);
  const { engine } = store;
  try {
    await store.openChain(chain);
    const extension = await storedExtension(engine, chain.name);
    if (extension?.state !== "building") {
      logger.info({ chain: chain.name }, "no extension is in progress");
      return;
    }
    const mib = Math.ceil((await bytesOnDisk(engine, copyOf(chain.name))) / 2 ** 20);
    await writeExtension(engine, chain.name, { ...extension, state: "cancelled" });
    await dropCopy(engine, chain.name);
    await endExtension(engine, chain.name);
    logger.info({ chain: chain.name, from: extension.firstBlock, freedMiB: mib }, "extension cancelled");
  } finally {
    await store.close();
  }
}
