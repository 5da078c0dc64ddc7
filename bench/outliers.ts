/**
 * How well does the robust rule tell manipulated trades from honest ones, and how far do those it believes bend
 * prices and candles? Labelled cases (test/support/outlier-cases.ts) through the price book that the indexer prices
 * blocks with, and the same through simpler rules.
 *
 *   npx tsx bench/outliers.ts
 */
import { bundlesArePresent } from "../test/support/bundles.ts";
import { manipulations, markets, moves, type OutlierCase, SETTINGS } from "../test/support/outlier-cases.ts";
import { priceBookRule, type Rule, SIMPLER_RULES, score } from "../test/support/outlier-score.ts";
import { morningCases, morningTrades } from "../test/support/real-morning.ts";
import { COLUMNS, perCent, printHead, printLine } from "./support/score-table.ts";

const RULES: Record<string, Rule> = { "**robust**": priceBookRule, ...SIMPLER_RULES };

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
