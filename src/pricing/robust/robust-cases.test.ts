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

describe("the robust rule, measured", () => {
  it.each(
    SETTINGS.flatMap((setting) =>
      manipulations([setting]).map((each) => ({ market: setting.name, bounds: setting.bounds, ...each })),
    ),
  )("$name in a $market", ({ bounds, variants }) => {
    const { moved, recall, accepted } = score(variants, priceBookRule);
    expect(moved).toBeLessThanOrEqual(bounds.moved);
    expect(recall).toBeGreaterThanOrEqual(bounds.recall);
    expect(accepted).toBeGreaterThan(0.99);
  });

  it.each(SETTINGS)("one patient wallet in a $name", (setting) => {
    const { moved, accepted } = score(patientWallets(1, [setting]).variants, priceBookRule);
    expect(moved).toBeLessThanOrEqual(setting.bounds.patient);
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
