import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Hex } from "../../lib/hex.ts";
import { blankTrade, NO_TRADE, TradeRows } from "./trade-rows.ts";

/** Room for about 130 trades, in chunks of 16. */
const MAX_BYTES = 15_000;

const hexOf = (number: number, bytes: number): Hex => `0x${number.toString(16).padStart(2 * bytes, "0")}`;

interface Trade {
  token: number;
  pool: number;
  time: number;
  block: number;
  id: number;
}

/** A block with trades, or a rollback by some blocks. */
type Step = { append: { token: number; pool: number }[]; gap: number } | { rollback: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      append: fc.array(fc.record({ token: fc.nat(4), pool: fc.nat(3) }), {
        minLength: 1,
        maxLength: 30,
        size: "max",
      }),
      gap: fc.nat(3),
    }),
  },
  { weight: 1, arbitrary: fc.record({ rollback: fc.integer({ min: 1, max: 6 }) }) },
);

/** Keeps the same trades in a `TradeRows` and in a plain list. */
class Model {
  readonly rows = new TradeRows(MAX_BYTES, -1);
  trades: Trade[] = [];
  #block = 0;
  #time = 1_000;
  #ids = 0;

  apply(step: Step): void {
    if ("rollback" in step) {
      this.#block -= step.rollback;
      this.rows.removeAbove(this.#block);
      this.trades = this.trades.filter(({ block }) => block <= this.#block);
      return;
    }
    this.#block++;
    this.#time += step.gap;
    for (const { token, pool } of step.append)
      this.#append({ token, pool, time: this.#time, block: this.#block, id: this.#ids++ });
    this.rows.trim(this.#time - 60, (end) => {
      this.trades = this.trades.slice(end - this.rows.first);
    });
  }

  #append(trade: Trade): void {
    this.trades.push(trade);
    const row = blankTrade();
    row.bytes.write(hexOf(trade.id, 32).slice(2), "hex");
    const { time: timestamp, block: blockNumber } = trade;
    const [token, pool] = [hexOf(trade.token, 20), hexOf(trade.pool, 20)];
    this.rows.append({ ...row, timestamp, blockNumber, token, pool, tickPrice: trade.id });
  }

  /** Returns the ids of a token's trades up to a time, newest first. */
  expected(token: number, until: number): number[] {
    return this.trades
      .filter((trade) => trade.token === token && trade.time <= until)
      .map(({ id }) => id)
      .reverse();
  }

  found(token: number, until: number): number[] {
    const ids: number[] = [];
    let trade = this.rows.newestOf(hexOf(token, 20), until);
    for (; trade !== NO_TRADE; trade = this.rows.previous(trade)) {
      const id = this.rows.priceOf(trade, "price_token_usd_tick_1");
      expect(this.rows.hashOf(trade)).toBe(hexOf(id, 32));
      const known = this.trades.find((one) => one.id === id);
      expect(this.rows.poolOf(trade)).toBe(this.rows.poolNumber(hexOf(known?.pool ?? -1, 20)));
      ids.push(id);
    }
    return ids;
  }
}

describe("the newest trades", () => {
  it("are found by token and time, after any appends, rollbacks and drops", () => {
    let dropped = 0;
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40, size: "max" }), fc.nat(80), (steps, age) => {
        const model = new Model();
        for (const one of steps) model.apply(one);
        dropped += model.rows.first;
        for (const until of [model.rows.newestTime - age, Number.POSITIVE_INFINITY])
          for (let token = 0; token < 5; token++)
            expect(model.found(token, until)).toEqual(model.expected(token, until));
      }),
    );
    expect(dropped).toBeGreaterThan(0);
  });

  it("of a busy token are found in few steps", () => {
    const rows = new TradeRows(100 * 2 ** 20, -1);
    for (let time = 0; time < 100_000; time++) rows.append({ ...blankTrade(), timestamp: time });
    let visited = 0;
    const { timeOf } = rows;
    rows.timeOf = (trade) => {
      visited++;
      return timeOf.call(rows, trade);
    };
    for (let time = 0; time < 100_000; time += 997) expect(rows.newestOf("0x", time)).toBe(time);
    expect(visited / 101).toBeLessThan(100);
  });
});
