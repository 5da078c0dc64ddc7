import { styleText } from "node:util";
import { Presets, SingleBar } from "cli-progress";
import type { ExaminationProgress } from "../doctor/examination.ts";
import { type Finding, spanText } from "../doctor/finding.ts";
import type { BlockSpan } from "../doctor/law.ts";
import type { RepairProgress } from "../doctor/repair.ts";
import type { Treatment } from "../doctor/treatment.ts";

/** Shows on a terminal how far the doctor is. */
export interface DoctorView {
  examined(progress: ExaminationProgress): void;
  compared(progress: RepairProgress): void;
  repaired(progress: RepairProgress): void;
  stop(): void;
}

/** One line that changes on a terminal, nothing elsewhere. */
export function doctorView(stream: NodeJS.WriteStream = process.stderr): DoctorView {
  if (!stream.isTTY) return { examined() {}, compared() {}, repaired() {}, stop() {} };
  const format = "{doing} {bar} {percentage}% {what}";
  const bar = new SingleBar({ stream, format, hideCursor: true, linewrap: false }, Presets.shades_classic);
  let isShown = false;
  const show = (doing: string, what: string, { done, total }: { done: number; total: number }) => {
    if (!isShown) bar.start(total, done, { doing, what });
    isShown = true;
    bar.setTotal(total);
    bar.update(done, { doing, what });
  };
  return {
    examined: (progress) => show("checking", progress.law, progress),
    compared: (progress) => show("comparing", `${progress.done} blocks`, progress),
    repaired: (progress) => show("mending", `${progress.done} blocks`, progress),
    stop() {
      if (isShown) bar.stop();
      isShown = false;
    },
  };
}

interface Report {
  chain: string;
  span: BlockSpan;
  found: readonly Finding[];
  /** null: nothing was to be mended. */
  treatment: Treatment | null;
  deep: boolean;
}

/** What was found and done: for a reader, or as one JSON object. */
export function printReport(report: Report, asJson: boolean): void {
  process.stdout.write(asJson ? `${JSON.stringify(jsonOf(report))}\n` : `${lines(report).join("\n")}\n`);
}

function jsonOf({ chain, span, found, treatment, deep }: Report) {
  const left = treatment?.findings ?? found;
  return {
    chain,
    first_block: span.first,
    last_block: span.last,
    deep,
    healthy: left.length === 0,
    findings: found,
    ...(treatment === null
      ? {}
      : { replaced_blocks: treatment.replaced, taken_back: treatment.takenBack, left }),
  };
}

const paint = (style: Parameters<typeof styleText>[0], text: string) =>
  process.stdout.isTTY ? styleText(style, text) : text;

function lines({ chain, span, found, treatment, deep }: Report): string[] {
  const checked = `${chain}, ${spanText(span)}${deep ? ", derived again" : ""}`;
  if (found.length === 0) return [`${paint("green", "healthy")}: ${checked}`];
  const title = `${paint("red", `${found.length} finding${found.length === 1 ? "" : "s"}`)}: ${checked}`;
  return [title, ...found.flatMap(findingLines), "", ...outcomeLines(treatment)];
}

function findingLines({ law, cure, doc, harm, blocks, rows, examples, complete }: Finding): string[] {
  const more = complete ? "" : "more than ";
  const where = cure === "store" ? `rows: ${rows}` : `blocks: ${more}${blocks}, rows: ${more}${rows}`;
  return [
    "",
    `${paint("bold", law)} (${where})`,
    `  must hold: ${doc}`,
    `  otherwise: ${harm}`,
    ...examples.map((example) => `  ${paint("dim", "-")} ${example}`),
  ];
}

function outcomeLines(treatment: Treatment | null): string[] {
  if (treatment === null) {
    return ["Nothing was changed. To mend it, run the same command with --repair and --rpc <url>."];
  }
  const { replaced, takenBack, findings } = treatment;
  const done = [
    ...(replaced > 0 ? [`Replaced ${replaced} block${replaced === 1 ? "" : "s"} from the endpoint.`] : []),
    ...(takenBack === null
      ? []
      : [`Took back ${spanText(takenBack)}: \`quarry index\` or \`quarry start\` fetches them again.`]),
  ];
  if (findings.length === 0)
    return [...done, paint("green", "All is mended: the same blocks were checked again.")];
  return [
    ...done,
    paint("red", "Not mended:"),
    ...findings.map(({ law, examples }) => `  ${law}: ${examples[0] ?? ""}`),
    "Run it again; if it stays, index into another --data directory and please report it.",
  ];
}
