import { Command, Option } from "commander";
import type { Config } from "../../config/load-config.ts";
import type { RangeEnd } from "../../exports/range.ts";
import { unlessAborted } from "../../lib/async/abort.ts";
import { chainCommits } from "../../storage/commits/commit-log.ts";
import { measurePruning, type PruneProgress } from "../../storage/rows/pruning.ts";
import { configuredChain } from "../configured-chain.ts";
import { asStored, openStore, requireData } from "../open-store.ts";
import { addExamples, addSettings, configOf } from "../options.ts";
import { rangeEnd } from "../range-end.ts";
import { shutdownSignal } from "../shutdown.ts";
import { pruneTarget } from "./prune-target.ts";
import { PruneView, printPruned } from "./prune-view.ts";

const SETTING_NAMES = ["chain", "data", "clickhouse", "engineMemory"] as const;

interface PruneFlags {
  before: RangeEnd;
  dryRun?: true;
  json?: true;
}

/** `quarry prune`: removes the raw rows of old blocks. */
export function pruneCommand(): Command {
  const command = new Command("prune")
    .description(
      "remove transactions, logs and transfers of old blocks; prices, trades, balances and wallets do not change",
    )
    .addOption(
      new Option("--before <block>", "first block or day (YYYY-MM-DD) whose rows stay")
        .argParser(rangeEnd)
        .makeOptionMandatory(),
    )
    .option("--dry-run", "print what would be removed without removing it")
    .option("--json", "print the result as one JSON object");
  addSettings(command, SETTING_NAMES);
  addExamples(command, [
    ["show what would be freed", "quarry prune --before 2024-01-01 --dry-run --data ./mainnet"],
    ["remove it; stop the service first", "quarry prune --before 2024-01-01 --data ./mainnet"],
  ]);
  return command.action(async () => {
    await runPrune(configOf(command, SETTING_NAMES), command.opts<PruneFlags>());
  });
}

async function runPrune(
  { settings, chains }: Config<(typeof SETTING_NAMES)[number]>,
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
