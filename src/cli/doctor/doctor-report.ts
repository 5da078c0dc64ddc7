import { type Finding, spanText } from "../../doctor/finding.ts";
import type { BlockSpan } from "../../doctor/invariant.ts";
import type { RepairResult } from "../../doctor/repair/repair-chain.ts";
import type { Check } from "../environment/check.ts";
import { paint } from "../terminal/screen.ts";

/** A stored chain that was looked at. */
export interface Visited {
  span: BlockSpan;
  found: readonly Finding[];
  /** null: nothing was to be mended. */
  treatment: RepairResult | null;
}

interface Report {
  chain: string;
  deep: boolean;
  environment: readonly Check[];
  /** null: nothing of the chain is stored, or the store cannot be opened. */
  visited: Visited | null;
}

export function isHealthy({ environment, visited }: Report): boolean {
  return isFit(environment) && (visited === null || left(visited).length === 0);
}

function isFit(environment: readonly Check[]): boolean {
  return environment.every(({ verdict }) => verdict !== "fail");
}

/** Findings that stay. */
function left({ found, treatment }: Visited): readonly Finding[] {
  return treatment?.findings ?? found;
}

/** All that was found and done, as one JSON object. */
export function printJson(report: Report): void {
  process.stdout.write(`${JSON.stringify(jsonOf(report))}\n`);
}

function jsonOf(report: Report) {
  const { chain, deep, environment, visited } = report;
  const treatment = visited?.treatment ?? null;
  return {
    chain,
    first_block: visited?.span.first ?? null,
    last_block: visited?.span.last ?? null,
    deep,
    healthy: isHealthy(report),
    environment,
    findings: visited?.found ?? [],
    ...(treatment === null
      ? {}
      : { replaced_blocks: treatment.replaced, taken_back: treatment.rolledBack, left: treatment.findings }),
  };
}

const COLOURS = { ok: "green", warn: "yellow", fail: "red" } as const;

/** A line for each check, and one below it where something is to be done. */
export function printEnvironment(environment: readonly Check[]): void {
  for (const { check, verdict, found, advice } of environment) {
    const mark = paint(COLOURS[verdict], verdict.padEnd(4));
    const next = advice === null ? "" : `\n      ${paint("dim", "->")} ${advice}`;
    process.stdout.write(`${mark}  ${check}: ${found}${next}\n`);
  }
}

/** What was found and done of the chain, for a reader. */
export function printChain(report: Report, place: string): void {
  process.stdout.write(`${chainLines(report, place).join("\n")}\n`);
}

function chainLines({ chain, deep, environment, visited }: Report, place: string): string[] {
  if (visited !== null) return lines({ chain, deep, ...visited });
  return isFit(environment)
    ? [`Nothing of the chain "${chain}" is stored in ${place}: only the environment was checked.`]
    : [`No stored chain was checked. Mend what failed, and run it again.`];
}

function lines({ chain, span, found, treatment, deep }: Visited & Pick<Report, "chain" | "deep">): string[] {
  const checked = `${chain}, ${spanText(span)}${deep ? ", derived again" : ""}`;
  if (found.length === 0) return [`${paint("green", "healthy")}: ${checked}`];
  const title = `${paint("red", `${found.length} finding${found.length === 1 ? "" : "s"}`)}: ${checked}`;
  return [title, ...found.flatMap(findingLines), "", ...outcomeLines(treatment)];
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
    `  otherwise: ${impact}`,
    ...examples.map((example) => `  ${paint("dim", "-")} ${example}`),
  ];
}

function outcomeLines(treatment: RepairResult | null): string[] {
  if (treatment === null) {
    return ["Nothing was changed. To mend it, run the same command with --repair and --rpc <url>."];
  }
  const { replaced, rolledBack, findings } = treatment;
  const done = [
    ...(replaced > 0 ? [`Replaced ${replaced} block${replaced === 1 ? "" : "s"} from the endpoint.`] : []),
    ...(rolledBack === null
      ? []
      : [`Took back ${spanText(rolledBack)}: \`quarry index\` or \`quarry start\` fetches them again.`]),
  ];
  if (findings.length === 0)
    return [...done, paint("green", "All is mended: the same blocks were checked again.")];
  return [
    ...done,
    paint("red", "Not mended:"),
    ...findings.map(({ invariant, examples }) => `  ${invariant}: ${examples[0] ?? ""}`),
    "Run it again; if it stays, index into another --data directory and please report it.",
  ];
}
