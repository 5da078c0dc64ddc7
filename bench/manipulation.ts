/**
 * Does the robust rule give the same verdicts on a real EVM? Runs the labelled cases of bench/outliers.ts
 * with each trade as a transaction to the real Uniswap contracts. Indexes and verifies the blocks as on any
 * chain, and reads the verdicts from the served rows. Compares them with the same cases in simulated pools.
 *
 *   npm run bench -- manipulation
 */
import {
  manipulations,
  markets,
  moves,
  type OutlierCase,
  SETTINGS,
} from "../test/support/markets/outlier-cases.ts";
import { priceBookRule, type Rule, type Score, score } from "../test/support/markets/outlier-score.ts";
import { playCases } from "../test/support/markets/played-cases.ts";
import { benchOptions } from "./support/bench-options.ts";
import { COLUMNS, printHead, printLine } from "./support/score-table.ts";

const options = benchOptions({ cases: 1_000, variants: 1_000 }, { cases: 1, variants: 1 });

/** Maximum number of cases to run at once. More would not fit into one block. */
const PLAYS_AT_ONCE = 12;

interface Played {
  real: Score;
  simulated: Score;
  trades: number;
  /** Number of trades whose verdict in the index differs from the verdict in the simulation. */
  disagreements: number;
}

async function played({ variants: simulated }: OutlierCase): Promise<Played> {
  const verdicts = new Map<readonly unknown[], boolean[]>();
  const real: OutlierCase["variants"] = [];
  let disagreements = 0;
  for (let from = 0; from < simulated.length; from += PLAYS_AT_ONCE) {
    const variants = simulated.slice(from, from + PLAYS_AT_ONCE);
    const { served, reported } = await playCases(variants.map((trades) => ({ trades })));
    await served.close();
    for (const [i, { trades, verdicts: accepted }] of reported.entries()) {
      const expected = priceBookRule(variants[i] ?? []);
      disagreements += accepted.filter((verdict, at) => verdict !== expected[at]).length;
      verdicts.set(trades, accepted);
      real.push(trades);
    }
  }
  const asServed: Rule = (trades) => verdicts.get(trades) ?? [];
  return {
    real: score(real, asServed),
    simulated: score(simulated, priceBookRule),
    trades: real.reduce((sum, { length }) => sum + length, 0),
    disagreements,
  };
}

printHead(["case", "pools", "trades", "judged otherwise", ...COLUMNS.map(([name]) => name)]);
const attacks = SETTINGS.flatMap((setting) =>
  manipulations([setting]).map((each) => ({ ...each, market: setting.name })),
);
const all = [...attacks, ...[...moves(), ...markets()].map((move) => ({ ...move, market: "" }))];
for (const each of all.slice(0, options.cases)) {
  const variants = each.variants.slice(0, options.variants);
  const { real, simulated, trades, disagreements } = await played({ ...each, variants });
  const name = [each.name, each.market].filter((part) => part !== "").join(", ");
  printLine([name, "real", `${trades}`, `${disagreements}`, ...COLUMNS.map(([, text]) => text(real))]);
  printLine([name, "simulated", `${trades}`, "", ...COLUMNS.map(([, text]) => text(simulated))]);
}
