import type { NotChecked } from "../../doctor/check/not-checked.ts";
import { type Finding, spanText } from "../../doctor/finding.ts";
import type { BlockSpan } from "../../doctor/invariant.ts";
import type { RepairResult } from "../../doctor/repair/repair-chain.ts";
import { withOrigin } from "../../schema/block.ts";
import type { BlockProofs } from "../../serving/counts/block-proofs.ts";
import type { Check } from "../environment/check.ts";
import { paint } from "../terminal/screen.ts";

export interface CheckedChain {
  /** Blocks that were checked. */
  span: BlockSpan;
  found: readonly Finding[];
  /** Invariants that could not be checked, because their rows are not stored. */
  notChecked: readonly NotChecked[];
  /** null: no repair was requested or needed. */
  repair: RepairResult | null;
  /** Blocks that are stored without a complete proof, after the repair if there was one. */
  unproven: BlockProofs;
}

interface Report {
  chain: string;
  deep: boolean;
  environment: readonly Check[];
  /** null: no block of the chain is stored, or the store cannot be opened. */
  checked: CheckedChain | null;
}

export function isHealthy({ environment, checked }: Report): boolean {
  return isFit(environment) && (checked === null || remaining(checked).length === 0);
}

function isFit(environment: readonly Check[]): boolean {
  return environment.every(({ verdict }) => verdict !== "fail");
}

/** Returns the findings that were not repaired. */
function remaining({ found, repair }: CheckedChain): readonly Finding[] {
  return repair?.findings ?? found;
}

/** Prints the report as one JSON object; docs/shell.md lists its fields. */
export function printJson(report: Report): void {
  process.stdout.write(`${JSON.stringify(jsonOf(report))}\n`);
}

function jsonOf(report: Report) {
  const { chain, deep, environment, checked } = report;
  const repair = checked?.repair ?? null;
  return {
    chain,
    first_block: checked?.span.first ?? null,
    last_block: checked?.span.last ?? null,
    deep,
    healthy: isHealthy(report),
    environment,
    findings: checked?.found ?? [],
    not_checked: checked?.notChecked ?? [],
    unproven: (checked?.unproven ?? []).map(({ firstBlock, lastBlock, proof, origin }) => ({
      ...{ first_block: firstBlock, last_block: lastBlock, proof, origin },
    })),
    ...(repair === null
      ? {}
      : { replaced_blocks: repair.replaced, taken_back: repair.rolledBack, left: repair.findings }),
  };
}

const COLOURS = { ok: "green", warn: "yellow", fail: "red" } as const;

/** Prints a line for each check, with any advice below it. */
export function printEnvironment(environment: readonly Check[]): void {
  for (const { check, verdict, found, advice } of environment) {
    const mark = paint(COLOURS[verdict], verdict.padEnd(4));
    const next = advice === null ? "" : `\n      ${paint("dim", "->")} ${advice}`;
    process.stdout.write(`${mark}  ${check}: ${found}${next}\n`);
  }
}

/** @param store where the chain is stored, in words */
export function printChain(report: Report, store: string): void {
  process.stdout.write(`${chainLines(report, store).join("\n")}\n`);
}

function chainLines({ chain, deep, environment, checked }: Report, store: string): string[] {
  if (checked !== null) return [...checkedLines({ chain, deep, ...checked }), ...unprovenLines(checked)];
  return isFit(environment)
    ? [`No block of chain "${chain}" is stored in ${store}, so only the environment was checked.`]
    : ["No stored chain was checked. Fix the failed checks and run the command again."];
}

function checkedLines({
  chain,
  span,
  found,
  notChecked,
  repair,
  deep,
}: CheckedChain & Pick<Report, "chain" | "deep">): string[] {
  const checked = `${chain}, ${spanText(span)}${deep ? ", derived again" : ""}`;
  const left = notChecked.map(
    ({ invariant, reason }) => `  ${paint("dim", "not checked")}: ${invariant} (${reason})`,
  );
  if (found.length === 0) return [`${paint("green", "healthy")}: ${checked}`, ...left];
  const title = `${paint("red", `${found.length} finding${found.length === 1 ? "" : "s"}`)}: ${checked}`;
  return [title, ...found.flatMap(findingLines), "", ...left, ...repairLines(repair)];
}

function unprovenLines({ unproven }: CheckedChain): string[] {
  if (unproven.length === 0) return [];
  const ranges = unproven.map(
    ({ firstBlock, lastBlock, proof, origin }) =>
      `  ${withOrigin(spanText({ first: firstBlock, last: lastBlock }), origin)}: proof "${proof}"`,
  );
  const advice =
    "To replace them with proven blocks from an endpoint: `quarry doctor --deep --repair --rpc <url>`.";
  return [
    "",
    "Blocks whose proof was incomplete when they were stored, or was not recorded (docs/history-files.md):",
    ...ranges,
    advice,
  ];
}

function findingLines({
  invariant,
  remedy,
  doc,
  impact,
  blocks,
  rows,
  examples,
  complete,
}: Finding): string[] {
  const more = complete ? "" : "more than ";
  const where = remedy === "store" ? `rows: ${rows}` : `blocks: ${more}${blocks}, rows: ${more}${rows}`;
  return [
    "",
    `${paint("bold", invariant)} (${where})`,
    `  must hold: ${doc}`,
    `  impact: ${impact}`,
    ...examples.map((example) => `  ${paint("dim", "-")} ${example}`),
  ];
}

function repairLines(repair: RepairResult | null): string[] {
  if (repair === null) {
    return ["Nothing was changed. To repair the data, run the same command with --repair and --rpc <url>."];
  }
  const { replaced, rolledBack, findings } = repair;
  const done = [
    ...(replaced > 0
      ? [`Replaced ${replaced} block${replaced === 1 ? "" : "s"} with blocks from the endpoint.`]
      : []),
    ...(rolledBack === null
      ? []
      : [`Rolled back ${spanText(rolledBack)}; \`quarry index\` or \`quarry start\` fetches them again.`]),
  ];
  if (findings.length === 0)
    return [
      ...done,
      paint("green", "Everything is repaired: the same blocks were checked again, with no findings."),
    ];
  return [
    ...done,
    paint("red", "Not repaired:"),
    ...findings.map(({ invariant, examples }) => `  ${invariant}: ${examples[0] ?? ""}`),
    "Run the command again. If the findings remain, please report them, and index into another --data directory.",
  ];
}
