import { printTable } from "../print-table.ts";
import type { Measured } from "./measure.ts";
import { milliseconds } from "./report.ts";
import type { SideName } from "./sides.ts";

interface Verdict {
  question: string;
  bar: string;
  figure: string;
  isMet: boolean;
}

/** Maximum p99 of small questions with 32 clients, as a multiple of the median. */
const TAIL = 10;
const BUSY = 32;
/**
 * Numbers of clients for the comparison with PostgreSQL, and the maximum factor by which a question may be
 * slower.
 */
const COMPARED = [1, 8];
const SLOWER = 1.2;
const GEOMETRIC_MEAN = 3;

/** Prints each target of the questions and whether it is met. */
export function printBars(measured: readonly Measured[]): void {
  const verdicts = [
    ...measured.flatMap(ownBars),
    ...COMPARED.flatMap((clients) => againstPostgres(measured, clients)),
  ];
  process.stdout.write("\nBars:\n\n");
  printVerdicts(verdicts);
}

export function printVerdicts(verdicts: readonly Verdict[]): void {
  printTable(
    ["question", "bar", "measured", "met"],
    verdicts.map(({ question, bar, figure, isMet }) => [question, bar, figure, isMet ? "yes" : "**no**"]),
  );
}

function ownBars({ question, byClients }: Measured): Verdict[] {
  const { name, bar } = question;
  const figure = (clients: number, side: SideName) => byClients.get(clients)?.[side];
  const [alone, bareAlone] = [figure(1, "ours"), figure(1, "bare route")];
  const [busy, bareBusy] = [figure(BUSY, "ours"), figure(BUSY, "bare route")];
  const verdicts: Verdict[] = [];
  const add = (text: string, shown: string, isMet: boolean) =>
    verdicts.push({ question: name, bar: text, figure: shown, isMet });
  if (bar.p50Ms !== undefined && alone !== undefined) {
    add(`p50 <= ${bar.p50Ms} ms`, `${milliseconds(alone.p50)} ms`, alone.p50 <= bar.p50Ms);
  }
  if (bar.overBareMs !== undefined && alone !== undefined && bareAlone !== undefined) {
    const over = alone.p50 - bareAlone.p50;
    add(`p50 <= bare route + ${bar.overBareMs} ms`, `+ ${milliseconds(over)} ms`, over <= bar.overBareMs);
  }
  if (bar.shareOfBare !== undefined && busy !== undefined && bareBusy !== undefined) {
    const share = busy.perSecond / bareBusy.perSecond;
    const least = `${100 * bar.shareOfBare} %`;
    add(
      `>= ${least} of the bare route's requests/s, ${BUSY} clients`,
      perCent(share),
      share >= bar.shareOfBare,
    );
    const tail = busy.p99 / busy.p50;
    add(`p99 <= ${TAIL} x p50, ${BUSY} clients`, `${tail.toFixed(1)} x`, tail <= TAIL);
  }
  return verdicts;
}

const perCent = (share: number) => `${(100 * share).toFixed(0)} %`;

/**
 * Returns the verdicts on our medians compared with PostgreSQL's, for each question and as a geometric mean.
 */
function againstPostgres(measured: readonly Measured[], clients: number): Verdict[] {
  const ratios = measured.flatMap(({ question, byClients }) => {
    const { ours, PostgreSQL: postgres } = byClients.get(clients) ?? {};
    const isMeasured = ours !== undefined && postgres !== undefined && ours.requests * postgres.requests > 0;
    return isMeasured ? [{ name: question.name, ratio: ours.p50 / postgres.p50 }] : [];
  });
  if (ratios.length === 0) return [];
  const withClients = `${clients} client${clients === 1 ? "" : "s"}`;
  const each = ratios.map(({ name, ratio }) => ({
    question: name,
    bar: `p50 <= ${SLOWER} x PostgreSQL's, ${withClients}`,
    figure: `${ratio.toFixed(2)} x`,
    isMet: ratio <= SLOWER,
  }));
  const mean = Math.exp(-ratios.reduce((sum, { ratio }) => sum + Math.log(ratio), 0) / ratios.length);
  const overall = {
    question: "all, geometric mean",
    bar: `>= ${GEOMETRIC_MEAN} x faster than PostgreSQL, ${withClients}`,
    figure: `${mean.toFixed(2)} x faster`,
    isMet: mean >= GEOMETRIC_MEAN,
  };
  return [...each, overall];
}
