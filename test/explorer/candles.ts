import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import type { Candle } from "../interface/support/expected.ts";
import type { Stage } from "./support/stage.ts";

/** Timeout for loading many pages of candles, one after another. */
const LONG = { timeout: 120_000 };

/** Returns candles from the API. `parameters` contain the token. */
export async function apiCandles({ api }: Stage, parameters: string): Promise<Candle[]> {
  const path = `/v1/price/historical/ohlc?with_volume=true&${parameters}`;
  return (await api.get<{ data: Candle[] }>(path)).data;
}

/** Returns the start of the legend's candle in Unix seconds. */
export async function timeOf(legend: Locator): Promise<number> {
  const [, day, minute] = (await legend.textContent())?.match(/([\d-]{10}) ([\d:]{5}) UTC/) ?? [];
  return Date.parse(`${day}T${minute}:00Z`) / 1000;
}

interface AllMinutesOptions {
  stage: Stage;
  page: Page;
  /** A chart with 1-minute candles. */
  chart: Locator;
  parameters: string;
}

/**
 * Scrolls back until there are no older candles, and expects each minute since the first trade exactly once.
 */
export async function expectAllMinutes({ stage, page, chart, parameters }: AllMinutesOptions): Promise<void> {
  await chart.locator("canvas").first().waitFor(LONG);
  const reached = page.getByText(/^All [\d,]+ candles since the first trade/);
  expect(await reached.count()).toBe(0);
  await chart.focus();
  const goBack = async () => {
    await page.keyboard.press("Shift+ArrowLeft");
    await page.keyboard.press("-");
    return reached.count();
  };
  await expect.poll(goBack, LONG).toBe(1);
  const [first] = await apiCandles(stage, `${parameters}&interval=1m&order=asc&max_size=1`);
  // Reads the last candle and the number of candles together, because new candles arrive.
  const [text, last] = await Promise.all([reached.textContent(), timeOf(page.getByTestId("legend"))]);
  const count = Number(text?.match(/[\d,]+/)?.[0].replaceAll(",", ""));
  expect(count).toBe((last - (first?.timestamp_open ?? 0)) / 60 + 1);
  expect(count).toBeGreaterThan(600);
}
