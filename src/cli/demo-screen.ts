import { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

const paint = (style: Style, text: string) => (process.stdout.isTTY ? styleText(style, text) : text);

/** One line of what the demo is doing. */
export function printStep(text: string): void {
  process.stdout.write(`${paint("dim", "·")} ${text}\n`);
}

/**
 * Shows how far the market's history is: one line that changes on a terminal, one line a day elsewhere.
 */
export function historyView(): (progress: { day: number; days: number; blocks: number }) => void {
  let shownDay = -1;
  return ({ day, days, blocks }) => {
    const line = `${paint("dim", "·")} market history: day ${Math.floor(day)} of ${days}, ${blocks} blocks`;
    if (process.stdout.isTTY) process.stdout.write(`\r${line}${day >= days ? "\n" : ""}`);
    else if (Math.floor(day) > shownDay) process.stdout.write(`${line}\n`);
    shownDay = Math.floor(day);
  };
}

interface Welcome {
  /** Address of the API. */
  url: string;
  /** A token worth asking for. */
  token: string;
  symbol: string;
  /** Newest block. */
  block: number;
}

/** What a newcomer sees when the demo can be asked: where it is, and three questions that work as printed. */
export function printBanner({ url, token, symbol, block }: Welcome): void {
  const sql =
    "SELECT token_symbol, COUNT(*) AS trades, SUM(amount_usd) AS volume_usd FROM eth_dex_trades \
WHERE timestamp >= NOW() - INTERVAL 1 DAY GROUP BY token_symbol ORDER BY volume_usd DESC LIMIT 5";
  const questions = [
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
  const lines = questions.flatMap(([title, command]) => [
    "",
    `  ${paint("bold", title ?? "")}`,
    `  ${command}`,
  ]);
  process.stdout.write(
    `${["", `  ${paint(["bold", "green"], "Quarry")} is live on ${paint("underline", url)}`].join("\n")}
  A demo market on a real local EVM, indexed to block ${block}; a new block every 2 seconds.
${lines.join("\n")}

  ${paint("dim", "Ctrl-C stops it; the next start goes on from there.")}

`,
  );
}
