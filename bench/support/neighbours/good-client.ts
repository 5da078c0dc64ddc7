import { setTimeout as sleep } from "node:timers/promises";
import type { Hex } from "../../../src/lib/hex.ts";
import { type ApiRequest, get, post } from "../serving/clients/requests.ts";
import { LATEST, OHLC } from "../serving/questions.ts";

/** Requests that a dashboard repeats. The text of the small SQL varies. */
const GOOD_REQUESTS = {
  "latest price": (token: Hex) => get(LATEST, { token_address: token }),
  "small SQL": (token: Hex, i: number) =>
    post("/v1/sql", {
      query: `SELECT timestamp, side, amount_usd FROM eth_dex_trades WHERE token_address = '${token}' ORDER BY timestamp DESC LIMIT ${1 + (i % 100)}`,
    }),
  candles: (token: Hex) => get(OHLC, { token_address: token, interval: "1h", max_size: 100 }),
} satisfies Record<string, (token: Hex, i: number) => ApiRequest>;

export type GoodName = keyof typeof GOOD_REQUESTS;
export const GOOD_NAMES = Object.keys(GOOD_REQUESTS) as GoodName[];

export interface GoodFigures {
  /** Times of each kind of request, in milliseconds. */
  times: Record<GoodName, number[]>;
  refused: number;
  refusal: string | null;
  /** Highest indexing lag seen. */
  lagSeconds: number;
}

const PAUSE_MS = 50;

/** Runs one client that sends a request of each kind in turn, with pauses. */
export async function behaveWell(url: string, token: Hex, seconds: number): Promise<GoodFigures> {
  const figures: GoodFigures = {
    times: { "latest price": [], "small SQL": [], candles: [] },
    refused: 0,
    refusal: null,
    lagSeconds: 0,
  };
  const endMs = performance.now() + seconds * 1000;
  for (let i = 0; performance.now() < endMs || i === 0; i++) {
    for (const name of GOOD_NAMES) {
      await ask(url, GOOD_REQUESTS[name](token, i), name, figures);
      await sleep(PAUSE_MS);
    }
    figures.lagSeconds = Math.max(figures.lagSeconds, await lagOf(url));
  }
  return figures;
}

async function ask(url: string, request: ApiRequest, name: GoodName, figures: GoodFigures): Promise<void> {
  const startedMs = performance.now();
  const { status, text } = await send(url, request);
  if (status === 200) figures.times[name].push(performance.now() - startedMs);
  else {
    figures.refused++;
    figures.refusal = `${status} ${text.slice(0, 160)}`;
  }
}

async function send(url: string, { path, body }: ApiRequest): Promise<{ status: number; text: string }> {
  const headers = { "content-type": "application/json" };
  try {
    const response = await fetch(
      `${url}${path}`,
      body === undefined ? {} : { method: "POST", headers, body },
    );
    return { status: response.status, text: await response.text() };
  } catch (error) {
    return { status: 0, text: String((error as Error).cause ?? error) };
  }
}

async function lagOf(url: string): Promise<number> {
  const { status, text } = await send(url, get("/v1/status"));
  if (status !== 200) return 0;
  const { chains } = JSON.parse(text) as { chains: { lag_seconds: number | null }[] };
  return chains[0]?.lag_seconds ?? 0;
}
