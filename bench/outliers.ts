/**
 * How well does the robust rule distinguish manipulated trades from honest ones, and how far do accepted
 * trades move prices and candles? Runs labelled cases (test/support/markets/outlier-cases.ts) through the
 * price book that the indexer uses, and through simpler rules for comparison.
 *
 *   npm run bench -- outliers
 */

import { Level, type Observation, REACH_VOTES } from "../src/pricing/robust/robust-price.ts";

import type { LabelledTrade } from "../test/support/markets/amm-market.ts";
import { hex, USDC } from "../test/support/markets/market.ts";
import {
  manipulations,
  markets,
  moves,
  type OutlierCase,
  patientWallets,
  SETTINGS,
} from "../test/support/markets/outlier-cases.ts";
import { priceBookRule, type Rule, SIMPLER_RULES, score } from "../test/support/markets/outlier-score.ts";
import { morningCases, morningTrades } from "../test/support/markets/real-morning.ts";
import { benchOptions } from "./support/bench-options.ts";
import { COLUMNS, perCent, printHead, printLine } from "./support/score-table.ts";

const { cases: mostCases, variants: mostVariants } = benchOptions(
  { cases: 1_000, variants: 1_000 },
  { cases: 1, variants: 1 },
);
const SOME_SETTINGS = SETTINGS.slice(0, mostCases);

const RULES: Record<string, Rule> = { "**robust**": priceBookRule, ...SIMPLER_RULES };

function printCases(title: string, cases: readonly OutlierCase[]): void {
  console.log(`\n${title}\n`);
  printHead(["case", "rule", ...COLUMNS.map(([name]) => name)]);
  for (const { name, variants } of cases.slice(0, mostCases)) {
    for (const [rule, judge] of Object.entries(RULES)) {
      const result = score(variants.slice(0, mostVariants), judge);
      printLine([name, rule, ...COLUMNS.map(([, text]) => text(result))]);
    }
  }
}

/** Numbers of wallets of an attacker who widens the tolerance with many small trades. */
const PATIENT = [1, 2, 3, 5, 10];

const patientCases = (settings: typeof SETTINGS) => PATIENT.map((count) => patientWallets(count, settings));

function printMoved(): void {
  console.log("\nThe farthest that a candle was moved, by market, in per cent; and recall\n");
  const cases = SOME_SETTINGS.map((setting) => [...manipulations([setting]), ...patientCases([setting])]);
  printHead(["case", ...SOME_SETTINGS.map(({ name }) => name)]);
  for (const [place, { name }] of (cases[0] ?? []).slice(0, mostCases).entries()) {
    const results = cases.map((each) =>
      score(each[place]?.variants.slice(0, mostVariants) ?? [], priceBookRule),
    );
    printLine([name, ...results.map(({ moved, recall }) => `${perCent(moved, 2)} (${perCent(recall, 0)})`)]);
  }
}

/**
 * Prints the distance of honest trades from the price level before their block. Any limit on this distance
 * must be high enough to accept these trades.
 */
function printScatter(): void {
  console.log("\nHonest trades' distance from the level, in per cent\n");
  printHead(["market", "90 % within", "99 % within", "worst"]);
  const [quiet] = markets();
  for (const [i, { name }] of SOME_SETTINGS.entries()) {
    const seeds = (quiet?.variants.length ?? 0) / SETTINGS.length;
    const variants = quiet?.variants.slice(i * seeds, i * seeds + Math.min(seeds, mostVariants)) ?? [];
    const distances = variants.flatMap(distancesFromLevel).sort((a, b) => a - b);
    const at = (share: number) =>
      distances[Math.min(distances.length - 1, Math.floor(share * distances.length))];
    printLine([name, ...[0.9, 0.99, 1].map((share) => perCent(at(share) ?? Number.NaN, 2))]);
  }
}

function distancesFromLevel(trades: readonly LabelledTrade[]): number[] {
  const all = trades.map(
    (trade, recordIndex): Observation => ({
      ...{ recordIndex, blockNumber: trade.block, timestamp: trade.timestamp, forCash: true },
      ...{ trader: hex("a", trade.trader), quote: USDC, price: trade.price, usd: trade.usd },
    }),
  );
  return all.slice(REACH_VOTES).map((trade) => {
    const before = all.filter(({ blockNumber }) => blockNumber < trade.blockNumber);
    return Math.abs(Math.log(trade.price) - new Level(before.slice(-REACH_VOTES)).logPrice);
  });
}

printCases("Manipulations", [...manipulations(), patientWallets(1)]);
printMoved();
printScatter();
printCases("Honest moves", moves());
printCases("Honest markets", markets());
printCases("The morning of 2024-01-05", morningCases(await morningTrades()));
const honest = [...moves(), ...markets()]
  .slice(0, mostCases)
  .flatMap(({ variants }) => variants.slice(0, mostVariants));
console.log(
  `\nAccepted of all honest moves and markets: ${perCent(score(honest, priceBookRule).accepted, 2)} %`,
);
