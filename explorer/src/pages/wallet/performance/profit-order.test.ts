import { expect, it } from "vitest";
import { byAbsoluteProfit } from "./profit-order.ts";

it("sorts tokens by their total profit or loss", () => {
  const profits = (realized_profit: number, unrealized_profit: number) => ({
    realized_profit,
    unrealized_profit,
  });
  const [even, lost, won] = [profits(900, -890), profits(-300, -200), profits(100, 50)];
  expect([even, won, lost].toSorted(byAbsoluteProfit)).toEqual([lost, won, even]);
});
