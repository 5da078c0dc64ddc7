import { openChainStore } from "../../storage/clickhouse-store.ts";
import { storedChains } from "../../storage/commits/chain-registry.ts";
import { isHalfRewritten } from "../../storage/commits/commit-log.ts";
import type { Engine } from "../../storage/store.ts";

/**
 * Completes a step that a killed indexer or repair left half done, because such a state must not be backed
 * up. No other process may be writing.
 */
export async function completeInterrupted(engine: Engine): Promise<void> {
  for (const { name } of await storedChains(engine))
    if (await isHalfRewritten(engine, name)) await openChainStore(engine, name);
}
