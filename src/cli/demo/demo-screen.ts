import type { LiveLine } from "../terminal/live-line.ts";
import { barText, paint } from "../terminal/screen.ts";

/** Prints a line about what the demo is doing. */
export function printStep(text: string): void {
  process.stdout.write(`${paint("dim", "·")} ${text}\n`);
}

/** Prints that a saved market resumes, with its length and end, which may differ from the settings. */
export function printResumed({
  days,
  endTime,
  block,
}: {
  days: number;
  endTime: number;
  block: number;
}): void {
  const made = new Date(endTime * 1_000).toISOString().slice(0, 16).replace("T", " ");
  printStep(`resuming the saved market at block ${block} (history of ${round(days)} d up to ${made} UTC)`);
}

const round = (days: number): number => Math.round(days * 100) / 100;

/**
 * Returns a function that shows the progress of the market's history: in the live line on a terminal,
 * otherwise one line per day.
 */
export function historyView(
  live: LiveLine | null,
): (progress: { day: number; days: number; blocks: number }) => void {
  let shownDay = -1;
  return ({ day, days, blocks }) => {
    const text = `market history: day ${Math.floor(day)} of ${round(days)}, ${blocks} blocks`;
    if (live !== null) live.show(`${barText(day / days)} ${text}`);
    if (live === null && Math.floor(day) > shownDay) printStep(text);
    if (live !== null && day >= days) printStep(text);
    shownDay = Math.floor(day);
  };
}

interface PrintBannerOptions {
  /** URL of the API. */
  url: string;
  /** A token with many trades. */
  token: string;
  symbol: string;
  /** Newest block. */
  block: number;
  /** Seconds between two blocks. */
  blockTime: number;
}

/** Prints where the API is, and three requests that work as printed. */
export function printBanner({ url, token, symbol, block, blockTime }: PrintBannerOptions): void {
  const sql =
    "SELECT token_symbol, COUNT(*) AS trades, SUM(amount_usd) AS volume_usd FROM eth_dex_trades \
WHERE timestamp >= NOW() - INTERVAL 1 DAY GROUP BY token_symbol ORDER BY volume_usd DESC LIMIT 5";
  const examples = [
    [
      `Daily candles of ${symbol}`,
      `curl '${url}/v1/price/historical/ohlc?token_address=${token}&pool_address=all&max_size=7'`,
    ],
    [
      `Latest price of ${symbol}`,
      `curl '${url}/v1/price-api/batch-latest-token-prices?token_address=${token}'`,
    ],
    [
      "SQL: the most traded tokens of the last day",
      `curl '${url}/v1/sql' -H 'Content-Type: application/json' \\\n    -d '{"query": "${sql}"}'`,
    ],
  ];
  const lines = examples.flatMap(([title, command]) => [
    "",
    `  ${paint("bold", title ?? "")}`,
    `  ${command}`,
  ]);
  process.stdout.write(
    `${["", `  ${paint(["bold", "green"], "Quarry")} is live on ${paint("underline", url)}`].join("\n")}
  A demo market on a real local EVM, indexed to block ${block}; a new block every ${blockTime === 1 ? "second" : `${blockTime} seconds`}.
${lines.join("\n")}

  ${paint("dim", "Ctrl-C stops it; the next start resumes where it stopped.")}

`,
  );
}
