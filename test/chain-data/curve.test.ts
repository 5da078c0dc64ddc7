import { describe, expect, it } from "vitest";
import { ethereum } from "../../src/chains/ethereum.ts";
import { DATA_SET } from "../support/nodes/bundles.ts";
import { coverageOf, totalOf } from "../support/nodes/coverage.ts";

/** Number of Curve swaps in the counts of the bundles, which were made without Quarry's decoder. */
const COUNTED = { "eth-covalent": 8, "eth-natives": 2 };

describe("Curve's swaps in whole blocks", () => {
  it.each(Object.entries(COUNTED))("all become trades: %s", async (bundle, counted) => {
    const coverage = [...(await coverageOf(bundle, ethereum))].filter(([kind]) => kind.startsWith("curve"));
    const { events, traded } = totalOf(new Map(coverage));
    expect(traded).toBe(events);
    if (DATA_SET === "full") expect(events).toBe(counted);
  });
});
