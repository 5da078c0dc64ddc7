import { describe, expect, it } from "vitest";
import {
  manipulations,
  markets,
  moves,
  patientWallets,
  SETTINGS,
} from "../../../test/support/markets/outlier-cases.ts";
import { priceBookRule, score } from "../../../test/support/markets/outlier-score.ts";
import { morningCases, morningTrades } from "../../../test/support/markets/real-morning.ts";
import { DATA_SET } from "../../../test/support/nodes/bundles.ts";

/**
 * For each market: how far an attack may move a candle, and the minimum share of manipulated trades that must
 * be rejected.
 */
const BOUNDS: Record<string, { moved: number; recall: number }> = {
  "busy coin": { moved: 0.02, recall: 1 },
  "thin pool next to deep ones": { moved: 0.02, recall: 1 },
  "one ordinary pool": { moved: 0.035, recall: 0.92 },
  "one thin pool": { moved: 0.04, recall: 0.88 },
  "volatile token, fees of 1 and 0.3 %": { moved: 0.06, recall: 0.65 },
};

/** For each market: how far one wallet that makes hundreds of small trades may move a candle. */
const PATIENT_BOUNDS: Record<string, number> = {
  "busy coin": 0.03,
  "thin pool next to deep ones": 0.03,
  "one ordinary pool": 0.05,
  "one thin pool": 0.075,
  "volatile token, fees of 1 and 0.3 %": 0.075,
};

describe("the robust rule, measured", () => {
  it.each(
    SETTINGS.flatMap((setting) =>
      manipulations([setting]).map((each) => ({ market: setting.name, ...each })),
    ),
  )("$name in a $market", ({ market, variants }) => {
    const { moved, recall, accepted } = score(variants, priceBookRule);
    const bounds = BOUNDS[market] ?? expect.fail(market);
    expect(moved).toBeLessThanOrEqual(bounds.moved);
    expect(recall).toBeGreaterThanOrEqual(bounds.recall);
    expect(accepted).toBeGreaterThan(0.99);
  });

  it.each(Object.entries(PATIENT_BOUNDS))("one patient wallet in a %s", (market, most) => {
    const { variants } = patientWallets(
      1,
      SETTINGS.filter(({ name }) => name === market),
    );
    const { moved, accepted } = score(variants, priceBookRule);
    expect(moved).toBeLessThanOrEqual(most);
    expect(accepted).toBeGreaterThan(0.99);
  });

  it.each(moves())("$name", ({ name, variants }) => {
    const { lag, accepted } = score(variants, priceBookRule);
    expect(lag).toBeLessThan(10);
    // After a sudden fall, six trades are rejected until the new price is accepted: more than one in a
    // hundred.
    expect(accepted).toBeGreaterThan(/crash|rug/.test(name) ? 0.98 : 0.99);
  });

  it.each(markets())("$name", ({ variants }) => {
    expect(score(variants, priceBookRule).accepted).toBeGreaterThan(0.99);
  });

  it("the morning of 2024-01-05, as it was and with attacks", async () => {
    const [calm, attacked] = morningCases(await morningTrades()).map(({ variants }) =>
      score(variants, priceBookRule),
    );
    expect(calm).toMatchObject({ accepted: 1, lag: 0 });
    // The excerpt has the first two hours, which deviate more from the exchange than the rest of the morning.
    expect(calm?.price.p95).toBeLessThan(DATA_SET === "full" ? 0.0025 : 0.0035);
    expect(attacked).toMatchObject({ accepted: 1, precision: 1, recall: 1 });
    expect(attacked?.moved).toBeLessThan(0.02);
  });
});
