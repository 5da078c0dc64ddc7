/** A request to the service that can be shown as a shell command or as a call to the client. */
export type ApiRequest =
  | { method: "ohlc" | "latestPrices" | "priceChanges" | "poolTvls" | "screener"; parameters: object }
  | { method: "walletsPerformance" | "walletPerformance" | "walletTokens"; parameters: object }
  | { method: "sql"; query: string };

interface Service {
  url: string;
  /**
   * Whether the service requires an API key. The formatted request names an environment variable that holds
   * the key; it never contains the key itself.
   */
  key: boolean;
}

/** The endpoint of each client method. Endpoints that take long lists use POST. */
const ENDPOINTS = {
  ohlc: { path: "/v1/price/historical/ohlc", isPost: false },
  latestPrices: { path: "/v1/price-api/batch-latest-token-prices", isPost: true },
  priceChanges: { path: "/v1/price-api/batch-latest-price-change", isPost: true },
  poolTvls: { path: "/v1/market-api/batch-latest-pool-tvl", isPost: true },
  screener: { path: "/v1/screener", isPost: false },
  walletsPerformance: { path: "/v1/wallet-api/batch-latest-total-performance", isPost: true },
  walletPerformance: { path: "/v1/wallet-api/latest-total-performance", isPost: false },
  walletTokens: { path: "/v1/wallet-api/latest-performance-per-token", isPost: false },
  sql: { path: "/v1/sql", isPost: true },
} as const;

/** Formats the request as a curl command. */
export function curlCommand(request: ApiRequest, { url, key }: Service): string {
  const { path, isPost } = ENDPOINTS[request.method];
  const input = inputOf(request);
  const options = key ? [`-H "Authorization: Bearer $QUARRY_KEY"`] : [];
  if (!isPost) return ["curl", ...options, shellQuoted(url + path + searchOf(input))].join(" ");
  options.push("-H 'Content-Type: application/json'", `-d ${shellQuoted(JSON.stringify(input))}`);
  return [`curl ${shellQuoted(url + path)}`, ...options].join(" \\\n  ");
}

/** Formats the request as a program that uses the typed client. */
export function clientCode(request: ApiRequest, { url, key }: Service): string {
  const options = `url: ${JSON.stringify(url)}${key ? ", key: process.env.QUARRY_KEY" : ""}`;
  const input = request.method === "sql" ? templateLiteral(request.query) : objectLiteral(request.parameters);
  return [
    'import { createClient } from "@quarry/sdk";',
    "",
    `const quarry = createClient({ ${options} });`,
    `const answer = await quarry.${request.method}(${input});`,
  ].join("\n");
}

function inputOf(request: ApiRequest): object {
  return request.method === "sql" ? { query: request.query } : request.parameters;
}

function searchOf(parameters: object): string {
  const defined = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return `?${new URLSearchParams(defined.map(([name, value]): [string, string] => [name, String(value)]))}`;
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function templateLiteral(text: string): string {
  return `\`${text.replaceAll(/[\\`]|\$\{/g, "\\$&")}\``;
}

function objectLiteral(parameters: object): string {
  const lines = Object.entries(parameters)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `  ${name}: ${JSON.stringify(value)},`);
  return `{\n${lines.join("\n")}\n}`;
}
