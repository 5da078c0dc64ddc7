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
  /** Swap-like events of pools in the full bundle, as counted without Quarry's decoder. */
  events: number;
  /** Events without trades by kind; docs/protocols.md says why. The excerpt has fewer. */
  without: Record<string, number>;
  /** Smallest share of the estimated dollars that become trades. */
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

/** Number of events without trades, by kind. */
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
      list.map(([kind, { events, traded }]) => [kind, events - traded]);
    if (DATA_SET === "full") {
      expect(coverage.reduce((sum, [, { events }]) => sum + events, 0)).toBe(660);
      expect(countOf(missing)).toEqual([["uniswap-v2", 4]]);
    }
    expect(countOf(missing).every(([kind, count]) => kind === "uniswap-v2" && Number(count) <= 4)).toBe(true);
  });
});
