/**
 * How well does the robust rule tell manipulated trades from honest ones, and how far do those it believes bend
 * prices and candles? Labelled cases (test/support/outlier-cases.ts) through the price book that the indexer prices
 * blocks with, and the same through simpler rules.
 *
 *   npx tsx bench/outliers.ts
 */
import { bundlesArePresent } from "../test/support/bundles.ts";
import { manipulations, markets, moves, type OutlierCase, SETTINGS } from "../test/support/outlier-cases.ts";
import { priceBookRule, type Rule, type Score, SIMPLER_RULES, score } from "../test/support/outlier-score.ts";
import { morningCases, morningTrades } from "../test/support/real-morning.ts";

const RULES: Record<string, Rule> = { "**robust**": priceBookRule, ...SIMPLER_RULES };

const perCent = (share: number, digits = 1) => (Number.isFinite(share) ? (100 * share).toFixed(digits) : "-");

function spread({ median, p95, worst }: Score["price"]): string {
  return [median, p95, worst].map((value) => perCent(value, 2)).join(" / ");
}

const COLUMNS: [string, (of: Score) => string][] = [
  ["accepted", (of) => perCent(of.accepted, 2)],
  ["precision", (of) => perCent(of.precision)],
  ["recall", (of) => perCent(of.recall)],
  ["price off", (of) => spread(of.price)],
  ["1-minute candle off", (of) => spread(of.minutes)],
  ["1-hour candle off", (of) => spread(of.hours)],
  ["moved", (of) => perCent(of.moved, 2)],
  ["rejected in a row", (of) => String(of.lag)],
];

function printLine(cells: readonly string[]): void {
  console.log(`| ${cells.join(" | ")} |`);
}

function printHead(cells: readonly string[]): void {
  printLine(cells);
  printLine(cells.map(() => "---"));
}

function printCases(title: string, cases: readonly OutlierCase[]): void {
  console.log(`\n${title}\n`);
  printHead(["case", "rule", ...COLUMNS.map(([name]) => name)]);
  for (const { name, variants } of cases) {
    for (const [rule, judge] of Object.entries(RULES)) {
      const result = score(variants, judge);
      printLine([name, rule, ...COLUMNS.map(([, text]) => text(result))]);
    }
  }
}

function printMoved(): void {
  console.log("\nThe farthest that a candle was moved, by market, in per cent; and recall\n");
  const cases = SETTINGS.map((setting) => manipulations([setting]));
  printHead(["case", ...SETTINGS.map(({ name }) => name)]);
  for (const [place, { name }] of (cases[0] ?? []).entries()) {
    const results = cases.map((each) => score(each[place]?.variants ?? [], priceBookRule));
    printLine([name, ...results.map(({ moved, recall }) => `${perCent(moved, 2)} (${perCent(recall, 0)})`)]);
  }
}

printCases("Manipulations", manipulations());
printMoved();
printCases("Honest moves", moves());
printCases("Honest markets", markets());
if (bundlesArePresent) printCases("The morning of 2024-01-05", morningCases(await morningTrades()));
const honest = [...moves(), ...markets()].flatMap(({ variants }) => variants);
console.log(
  `\nAccepted of all honest moves and markets: ${perCent(score(honest, priceBookRule).accepted, 2)} %`,
);
