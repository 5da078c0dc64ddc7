/** A question to the service that can be told as a command and as a call of the client. */
export type ApiRequest =
  | { method: "ohlc"; question: object }
  | { method: "latestPrices" | "priceChanges" | "poolTvls" | "walletsPerformance"; question: object }
  | { method: "walletPerformance" | "walletTokens"; question: object }
  | { method: "sql"; question: string };

/** Where each method of the client asks; those with long lists send them in a body. */
const WAYS = {
  ohlc: { path: "/v1/price/historical/ohlc", isSent: false },
  latestPrices: { path: "/v1/price-api/batch-latest-token-prices", isSent: true },
  priceChanges: { path: "/v1/price-api/batch-latest-price-change", isSent: true },
  poolTvls: { path: "/v1/market-api/batch-latest-pool-tvl", isSent: true },
  walletsPerformance: { path: "/v1/wallet-api/batch-latest-total-performance", isSent: true },
  walletPerformance: { path: "/v1/wallet-api/latest-total-performance", isSent: false },
  walletTokens: { path: "/v1/wallet-api/latest-performance-per-token", isSent: false },
  sql: { path: "/v1/sql", isSent: true },
} as const;

/** The request as a command for a shell; `key` where the service asks for one, which is named and not told. */
export function curlCommand(request: ApiRequest, { url, key }: { url: string; key: boolean }): string {
  const { path, isSent } = WAYS[request.method];
  const lines: string[] = [];
  if (key) lines.push(`-H "Authorization: Bearer $QUARRY_KEY"`);
  if (!isSent) return ["curl", ...lines, inShell(url + path + queryText(request.question))].join(" ");
  const body = request.method === "sql" ? { query: request.question } : request.question;
  lines.push("-H 'Content-Type: application/json'", `-d ${inShell(JSON.stringify(body))}`);
  return [`curl ${inShell(url + path)}`, ...lines].join(" \\\n  ");
}

/** The same as a program with the typed client. */
export function clientCode(request: ApiRequest, { url, key }: { url: string; key: boolean }): string {
  const options = `url: ${JSON.stringify(url)}${key ? ", key: process.env.QUARRY_KEY" : ""}`;
  const question = request.method === "sql" ? inBackticks(request.question) : literal(request.question);
  return [
    'import { createClient } from "@quarry/sdk";',
    "",
    `const quarry = createClient({ ${options} });`,
    `const answer = await quarry.${request.method}(${question});`,
  ].join("\n");
}

function queryText(question: object | string): string {
  const given = Object.entries(question).filter(([, value]) => value !== undefined);
  return `?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))}`;
}

function inShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function inBackticks(text: string): string {
  return `\`${text.replaceAll(/[\\`]|\$\{/g, "\\$&")}\``;
}

function literal(question: object): string {
  const lines = Object.entries(question)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `  ${name}: ${JSON.stringify(value)},`);
  return `{\n${lines.join("\n")}\n}`;
}
