import type { Command } from "commander";
import type { StatusAnswer } from "../../api/endpoints/operations/status.ts";
import { PROOF_MEANINGS, withOrigin } from "../../schema/block.ts";
import { extensionText } from "../indexing/indexing-view.ts";
import { ageText } from "../terminal/duration.ts";
import { type Columns, tableOf } from "../terminal/text-table.ts";
import { fetchJson, responseError } from "./api-request.ts";
import { openQueryTarget } from "./query-target.ts";
import type { QueryConfig } from "./target-settings.ts";

type ChainStatus = StatusAnswer["chains"][number];

const EXIT_NOT_READY = 1;

/** Prints how far each chain is indexed. */
export async function printStatus(command: Command, config: QueryConfig): Promise<void> {
  const target = await openQueryTarget(command, config);
  try {
    process.stderr.write(`quarry: ${target.description}\n`);
    const text = await fetchJson(target.url, "/v1/status", config.settings.key);
    const answer: StatusAnswer = JSON.parse(text);
    if (!Array.isArray(answer.chains)) throw responseError(target.url, 200, text);
    process.stdout.write(command.opts().json === true ? `${text}\n` : statusText(answer));
    if (!isReady(answer)) process.exitCode = EXIT_NOT_READY;
  } finally {
    await target.close();
  }
}

function isReady({ chains }: StatusAnswer): boolean {
  return chains.length > 0 && chains.every(({ ready }) => ready);
}

function statusText({ chains }: StatusAnswer): string {
  if (chains.length === 0) {
    return "No chain is indexed here yet. Index one with `quarry start` or `quarry index`, or try `quarry demo`.\n";
  }
  const table = tableOf(COLUMNS, chains);
  const notes = chains.flatMap((chain) => notesOf(chain).map((note) => `${chain.chain}: ${note}`));
  return `${[table, ...notes].join("\n")}\n`;
}

function notesOf(chain: ChainStatus): string[] {
  const { message, extension, opening_balances, keep, proofs, first_block, raw_first_block } = chain;
  const isPruned = raw_first_block != null && first_block !== null && raw_first_block > first_block;
  return [
    ...(message === null ? [] : [message]),
    ...(extension == null ? [] : [extensionNote(extension)]),
    ...(opening_balances == null ? [] : [openingNote(opening_balances)]),
    // Services of earlier versions do not report `keep`.
    ...((keep ?? "all") === "all" ? [] : [`--keep ${keep} leaves out some tables or columns`]),
    ...proofs.filter(({ proof }) => proof !== "block").map(proofText),
    ...(isPruned ? [`transactions, logs and transfers before block ${raw_first_block} were pruned`] : []),
  ];
}

/** Describes how far a range of blocks is proven, e.g. only its receipts and logs. */
function proofText({ first_block, last_block, proof, origin }: ChainStatus["proofs"][number]): string {
  const blocks = withOrigin(`blocks ${first_block} to ${last_block}`, origin);
  return `${blocks}: ${PROOF_MEANINGS[proof]}`;
}

function extensionNote(extension: NonNullable<ChainStatus["extension"]>): string {
  const { from_block, block, target_block, blocks_per_second, eta_seconds, message } = extension;
  const text = extensionText({
    ...{ from: from_block, block, target: target_block },
    ...{ blocksPerSecond: blocks_per_second, etaSeconds: eta_seconds },
  });
  return message === null ? text : `${text} (${message})`;
}

function openingNote({
  mode,
  reading,
  waiting,
  confirmed,
  rejected,
  unapplied,
  message,
}: NonNullable<ChainStatus["opening_balances"]>): string {
  const text =
    `balances before the first block (${mode}): ${confirmed} confirmed, ${rejected} rejected (they stay null), ` +
    `${waiting} waiting for a transfer, ${reading} waiting for finality, ${unapplied} not applied yet`;
  return message === null ? text : `${text} (${message})`;
}

/** Shown for values that are unknown, e.g. without an indexer in the service. */
const UNKNOWN = "-";

const COLUMNS: Columns<ChainStatus> = {
  chain: ({ chain }) => chain,
  state: ({ ready, lag_blocks }) => (!ready ? "not ready" : lag_blocks === null ? "served" : "indexing"),
  first_block: ({ first_block }) => blockText(first_block),
  indexed_block: ({ indexed_block }) => blockText(indexed_block),
  head_block: ({ head_block }) => blockText(head_block),
  lag_blocks: ({ lag_blocks }) => blockText(lag_blocks),
  age: ({ lag_seconds }) => (lag_seconds === null ? UNKNOWN : ageText(lag_seconds)),
  trades: ({ rows }) => blockText(rows.dex_trades ?? null),
};

function blockText(number: number | null): string {
  return number === null ? UNKNOWN : String(number);
}
