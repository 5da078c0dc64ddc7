import { expect, it } from "vitest";
import { DAY_SECONDS, HOUR_SECONDS } from "../../../lib/seconds.ts";
import { MAX_ROWS } from "../answer.ts";
import type { Ask } from "../ask.ts";
import { candles } from "./candles.ts";

const TOKEN = `0x${"ab".repeat(20)}`;
const START = 20_000 * DAY_SECONDS;

/**
 * Returns hourly candles as the service does: newest first, and none before the candle of the first trade.
 */
function priceHistory(firstTrade: number): Ask {
  return async (_endpoint, { from_timestamp, until_timestamp, max_size }: Record<string, unknown>) => {
    const isShown = (open: number) => open >= Math.max(Number(from_timestamp), firstTrade);
    const data: object[] = [];
    for (let open = Math.floor(Number(until_timestamp) / HOUR_SECONDS) * HOUR_SECONDS; isShown(open); ) {
      if (data.length === max_size) break;
      data.push({ timestamp_open: open, num_trades: 1 });
      open -= HOUR_SECONDS;
    }
    return { body: { token_address: TOKEN, data }, header: () => null };
  };
}

async function pageOf(given: object, firstTrade = 0): Promise<{ rows: unknown[][]; cursor?: string }> {
  const parameters = { token_address: TOKEN, chain: "eth", interval: "1h", ...given };
  return JSON.parse(await candles.run(parameters, priceHistory(firstTrade)));
}

it("gives a cursor exactly if there are older candles", async () => {
  const until_timestamp = START + (MAX_ROWS - 1) * HOUR_SECONDS;
  const page = (from_timestamp: number, firstTrade?: number) =>
    pageOf({ from_timestamp, until_timestamp }, firstTrade);
  // The last page ends at the start of the period, between two candles or at the first trade.
  for (const last of [
    await page(START),
    await page(START - 1),
    await page(START - HOUR_SECONDS + 1),
    await page(0, START),
  ]) {
    expect(last.rows).toHaveLength(MAX_ROWS);
    expect(last.cursor).toBeUndefined();
  }
  const first = await page(START - HOUR_SECONDS);
  expect(first.rows).toHaveLength(MAX_ROWS);
  const second = await pageOf({ cursor: first.cursor });
  expect([second.rows.map(([open]) => open), second.cursor]).toEqual([[START - HOUR_SECONDS], undefined]);
});
