import { describe, expect, it } from "vitest";
import type { Holding } from "../../storage/stored-balances.ts";
import { planRound } from "./round.ts";

const holding = (name: string) => name as Holding;
const [A, B, C, D] = ["a", "b", "c", "d"].map(holding) as [Holding, Holding, Holding, Holding];
const [R, S] = [holding("r"), holding("s")];
const none = () => false;

describe("planRound", () => {
  it("continues after the last candidate that it read", () => {
    const plan = planRound({ rechecks: [R, S], candidates: [A, B, C], after: null, size: 3 }, none);
    expect(plan).toEqual({ holdings: [R, S, A], after: A });
  });

  it("stays in place while rechecks fill the round", () => {
    const plan = planRound({ rechecks: [R, S], candidates: [C, D], after: B, size: 2 }, none);
    expect(plan).toEqual({ holdings: [R, S], after: B });
  });

  it("reads nothing twice, and nothing that waits for its block to become final", () => {
    const isPending = (one: Holding) => one === A || one === R;
    const plan = planRound({ rechecks: [R, S], candidates: [A, B, S], after: null, size: 3 }, isPending);
    expect(plan).toEqual({ holdings: [S, B], after: S });
  });

  it("begins again after the last candidates", () => {
    expect(planRound({ rechecks: [], candidates: [C, D], after: B, size: 3 }, none)).toEqual({
      holdings: [C, D],
      after: null,
    });
    expect(planRound({ rechecks: [R], candidates: [C, D], after: B, size: 2 }, none).after).toBe(C);
    expect(planRound({ rechecks: [], candidates: [], after: null, size: 2 }, none).after).toBeNull();
  });
});
