import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { base } from "../../src/chains/base.ts";
import type { Chain } from "../../src/chains/chain.ts";
import { ethereum } from "../../src/chains/ethereum.ts";
import { polygon } from "../../src/chains/polygon.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { DATA_SET } from "../support/nodes/bundles.ts";
import { type Coverage, coverageOf, topicCoverageOf, totalOf } from "../support/nodes/coverage.ts";

const OPTIMISM = join(import.meta.dirname, "../../docs/chains/optimism.json");
const { settings, chains } = loadConfig(["chain"], { flags: {}, env: {}, file: OPTIMISM });
const optimism = chains.get(settings.chain) ?? expect.fail(`${OPTIMISM} defines no chain`);

interface Expected {
  /** Number of swap-like events of pools in the full bundle, counted without Quarry's decoder. */
  events: number;
  /** Number of events without trades, by kind. docs/protocols.md explains them. The excerpt has fewer. */
  without: Record<string, number>;
  /** Minimum share of the estimated dollars that must become trades. */
  usdShare: number;
}

const BUNDLES: Record<string, [chain: Chain, expected: Expected]> = {
  "eth-covalent": [
    ethereum,
    {
      events: 150,
      without: {
        dodo: 2,
      },
      usdShare: 0.97,
    },
  ],
  "eth-natives": [ethereum, { events: 92, without: {}, usdShare: 0.999 }],
  polygon: [polygon, { events: 27, without: {}, usdShare: 1 }],
  base: [base, { events: 6, without: { "uniswap-v2:unlisted": 2 }, usdShare: 0 }],
  optimism: [optimism, { events: 12, without: {}, usdShare: 1 }],
};

/** Number of events without trades in the blocks of July 2023, by kind. docs/protocols.md explains them. */
const LEFT_OUT: Record<string, number> = {
  "uniswap-v2": 4,
  "bancor-v2": 2,
  "bancor-v3": 1,
};

/** The figures for an event in the table of docs/protocols.md. */
type Figures = Record<"events" | "before" | "traded" | "usd" | "usdBefore" | "usdTraded", number>;

/** Returns the chain with only the Uniswap families. */
const uniswapAlone = (chain: Chain): Chain => ({
  ...chain,
  deployments: chain.deployments.filter(({ family }) => family.startsWith("uniswap-")),
});

/** Sums the figures of all bundles by kind of event. Blocks that are counted by topic add no USD. */
async function figuresByEvent(): Promise<Map<string, Figures>> {
  const sums = new Map<string, Figures>();
  const add = (kind: string, figures: Partial<Figures>) => {
    const event = kind.replace(":unlisted", "");
    const sum = sums.get(event) ?? { events: 0, before: 0, traded: 0, usd: 0, usdBefore: 0, usdTraded: 0 };
    for (const [name, value] of Object.entries(figures)) sum[name as keyof Figures] += value;
    sums.set(event, sum);
  };
  for (const [name, [chain]] of Object.entries(BUNDLES)) {
    const before = await coverageOf(name, uniswapAlone(chain));
    for (const [kind, { events, traded, usd, tradedUsd }] of await coverageOf(name, chain)) {
      const old = before.get(kind);
      add(kind, { events, before: old?.traded ?? 0, traded });
      add(kind, { usd, usdBefore: old?.tradedUsd ?? 0, usdTraded: tradedUsd });
    }
  }
  const before = await topicCoverageOf("mainnet-17686110", uniswapAlone(ethereum));
  for (const [kind, { events, traded }] of await topicCoverageOf("mainnet-17686110", ethereum))
    add(kind, { events, before: before.get(kind)?.traded ?? 0, traded });
  return sums;
}

/** Reads the figures in the table of docs/protocols.md, by event. */
function documentedFigures(): Map<string, number[]> {
  const page = readFileSync(join(import.meta.dirname, "../../docs/protocols.md"), "utf8");
  const [, table = ""] = /^\| event \|.*\n\|[-|]*\n((?:\|.*\n)+)/m.exec(page) ?? [];
  const rows = table.trimEnd().split("\n");
  return new Map(
    rows.map((row): [string, number[]] => {
      const [kind = "", ...cells] = row.split("|").slice(1, -1);
      return [kind.trim().replaceAll("`", ""), cells.map((cell) => Number(cell.replaceAll(",", "")))];
    }),
  );
}

/** Returns the number of events without trades, by kind. */
function without(coverage: ReadonlyMap<string, Coverage>): Record<string, number> {
  const missing = [...coverage].map(([kind, { events, traded }]): [string, number] => [
    kind,
    events - traded,
  ]);
  return Object.fromEntries(missing.filter(([, events]) => events > 0));
}

describe("swap-like events of real blocks that become trades", () => {
  it.each(Object.entries(BUNDLES))("%s", async (name, [chain, expected]) => {
    const coverage = await coverageOf(name, chain);
    const { events, usd, tradedUsd } = totalOf(coverage);
    const missing = without(coverage);
    if (DATA_SET === "full") expect(events).toBe(expected.events);
    for (const [kind, count] of Object.entries(missing)) {
      expect(count, kind).toBeLessThanOrEqual(expected.without[kind] ?? 0);
    }
    if (DATA_SET === "full") expect(missing).toEqual(expected.without);
    expect(usd === 0 ? 0 : tradedUsd / usd).toBeGreaterThanOrEqual(expected.usdShare);
  });

  it("mainnet-17686110, by topic", async () => {
    const coverage = [...(await topicCoverageOf("mainnet-17686110", ethereum))];
    const missing = coverage.filter(([, { events, traded }]) => traded < events);
    const countOf = (list: typeof coverage) =>
      list.map(([kind, { events, traded }]): [string, number] => [kind, events - traded]);
    if (DATA_SET === "full") {
      expect(coverage.reduce((sum, [, { events }]) => sum + events, 0)).toBe(667);
      expect(Object.fromEntries(countOf(missing))).toEqual(LEFT_OUT);
    }
    for (const [kind, count] of countOf(missing))
      expect(count, kind).toBeLessThanOrEqual(LEFT_OUT[kind] ?? 0);
  });

  it("are as many as docs/protocols.md says, by event", async () => {
    const documented = documentedFigures();
    const counted = [...(await figuresByEvent())].map(([kind, sum]): [string, number[]] => {
      const { events, before, traded, usd, usdBefore, usdTraded } = sum;
      return [kind, [events, before, traded, usd, usdBefore, usdTraded].map(Math.round)];
    });
    if (DATA_SET === "full") expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(counted));
    // The excerpt contains only some of the blocks.
    for (const [kind, figures] of counted) {
      const written = documented.get(kind) ?? expect.fail(`docs/protocols.md has no row of ${kind}`);
      for (const [i, figure] of figures.entries()) expect(figure, kind).toBeLessThanOrEqual(written[i] ?? 0);
    }
  });
});
