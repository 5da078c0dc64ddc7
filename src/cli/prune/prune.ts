import type { ServerSetting } from "../../config/groups/server-settings.ts";
import type { Config } from "../../config/load-config.ts";
import type { RangeEnd } from "../../exports/range.ts";
import { unlessAborted } from "../../lib/async/abort.ts";
import { chainCommits } from "../../storage/commits/commit-log.ts";
import { measurePruning, type PruneProgress } from "../../storage/rows/pruning.ts";
import { configuredChain } from "../configured-chain.ts";
import { asStored, openStore, requireData } from "../open-store.ts";
import { shutdownSignal } from "../shutdown.ts";
import { pruneTarget } from "./prune-target.ts";
import { PruneView, printPruned } from "./prune-view.ts";

export interface PruneFlags {
  before: RangeEnd;
  dryRun?: true;
  json?: true;
}

/** Removes the raw rows of old blocks, or prints what would be removed. */
export async function prune(
  { settings, chains }: Config<"chain" | "data" | ServerSetting | "engineMemory">,
  { before, dryRun, json }: PruneFlags,
): Promise<void> {
  const configured = configuredChain(chains, settings.chain);
  requireData(settings);
  const signal = shutdownSignal();
  const view = new PruneView();
  const store = await openStore(settings);
  try {
    const { engine } = store;
    const chain = await asStored(engine, configured);
    const commit = await chainCommits(engine, chain.name).committed();
    const scope = await pruneTarget(engine, chain, commit, before);
    const options = { signal, onProgress: (progress: PruneProgress) => view.update(progress) };
    const tables = await unlessAborted(signal, async () =>
      dryRun
        ? measurePruning(engine, chain.name, scope, options)
        : (await store.openChain(configured)).prune(scope, options),
    );
    view.stop();
    if (tables === null) view.interrupted();
    else
      printPruned(
        { chain: chain.name, rawFrom: scope.rawFrom, isDryRun: dryRun === true, tables },
        json === true,
      );
  } finally {
    view.stop();
    await store.close();
  }
}
