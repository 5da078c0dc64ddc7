import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ENDPOINTS } from "../../src/api/endpoints/endpoints.ts";
import { createServer } from "../../src/api/http/server.ts";
import { CURRENT_TIME, type Parameter } from "../../src/api/parameters/parameter.ts";
import { BUILT_IN_CHAINS } from "../../src/chains/chains.ts";
import type { Hex } from "../../src/lib/hex.ts";
import { hexOf, type Market, openMarket } from "../../src/reads/support/market.ts";
import { recordIndexOf } from "../../src/schema/record-index.ts";

/** Matches the endpoints that the page describes. One table of top records represents all of them. */
const DESCRIBED = /\/price|\/wallet|\/market|\/topk-api\/blocks$|\/v1\/search$|\/v1\/screener$|\/rpc$/;
const PAGE = join(import.meta.dirname, "../../docs/endpoints.md");
const [A, B] = [hexOf(0xa1), hexOf(0xa2)];
const MORNING = 1_704_412_800;

let market: Market;
let app: FastifyInstance;

beforeAll(async () => {
  market = await openMarket(
    [
      { token: A, at: MORNING + 60, price: 2 },
      { token: A, at: MORNING + 1800, price: 2.5 },
      { token: B, at: MORNING + 1900, price: 0.001 },
      { token: A, at: MORNING + 5400, price: 40, robust: null },
      { token: A, at: MORNING + 6000, price: 2.25 },
    ],
    { named: [A, B] },
  );
  await openPool(market);
  app = await createServer(market);
});
afterAll(async () => {
  await app.close();
  await market.close();
});

/** Adds a block after the trades, in which a pool of both tokens receives its balances. */
async function openPool({ store }: Market): Promise<void> {
  const [number, timestamp, pool] = [1005, MORNING + 6060, hexOf(0xb00)];
  const shared = { block_number: number, timestamp };
  const held = (token: Hex, units: bigint, ordinal: number) => ({
    wallet_address: pool,
    token_address: token,
    token_symbol: `T${Number(token)}`,
    balance_base: units * 10n ** 18n,
    balance_token: Number(units),
    ...shared,
    record_index: recordIndexOf("wide", number, ordinal),
  });
  const created = {
    block_number_created: number,
    timestamp_created: timestamp,
    factory_address: hexOf(0xfa),
  };
  const tokens = {
    token_0_address: A,
    token_1_address: B,
    token_addresses: `${A},${B}`,
    underlying_token_addresses: "",
  };
  await store.commit({
    firstBlock: number,
    lastBlock: { number, hash: hexOf(number, 32), timestamp },
    rows: {
      pool_metadata: [
        {
          ...created,
          ...tokens,
          pool_address: pool,
          protocol: "uniswap_v3",
          fee: 3000,
          hooks_address: null,
          hooks_flags: null,
          record_index: recordIndexOf("wide", number, 0),
          family: "uniswap-v3",
          first_seen_block_number: number,
        },
      ],
      token_balances: [held(A, 40n, 0), held(B, 90_000n, 1)],
    },
  });
}

it("docs/endpoints.md has every parameter as it is declared, and answers that the service gives", async () => {
  const page = readFileSync(PAGE, "utf8");
  const described = [...page.matchAll(/<!-- parameters: (\S+) -->/g)].map(([, path]) => path);
  expect(described).toEqual(ENDPOINTS.map(({ path }) => path).filter((path) => DESCRIBED.test(path)));
  // After a change of the endpoints, run `npx vitest run test/pages/endpoints-page.test.ts -u` to write the
  // page.
  await expect(await withAnswers(withParameters(page))).toMatchFileSnapshot(PAGE);
});

it("docs/endpoints.md names the endpoints that take only POST", () => {
  const [sentence = ""] = /[^.]*take only\s+POST\./.exec(readFileSync(PAGE, "utf8")) ?? [];
  const postOnly = ENDPOINTS.filter(({ methods }) => !methods.some((method) => method === "GET"));
  expect([...sentence.matchAll(/`(\/\S+)`/g)].map(([, path]) => path).sort()).toEqual(
    postOnly.map(({ path }) => path).sort(),
  );
  const getOnly = ENDPOINTS.filter(({ methods }) => !methods.some((method) => method === "POST"));
  expect(getOnly.filter(({ path }) => DESCRIBED.test(path))).toEqual([]);
});

/** Returns the page with a table of parameters after each mark. */
function withParameters(page: string): string {
  return page.replaceAll(
    /(<!-- parameters: (\S+) -->)\n(?:\n\|(?:[^\n]*\n\|)*[^\n]*\n)?/g,
    (_, mark: string, path: string) => `${mark}\n\n${tableOf(path)}\n`,
  );
}

function tableOf(path: string): string {
  const { parameters = {} } = ENDPOINTS.find((one) => one.path === path) ?? {};
  const rows = Object.entries(parameters).map(([name, parameter]) => rowOf(name, parameter));
  return ["| parameter | default | allowed | |", "| --- | --- | --- | --- |", ...rows].join("\n");
}

function rowOf(name: string, { kind, doc, required, fallback }: Parameter<unknown>): string {
  const standard = fallback === CURRENT_TIME ? "now" : fallback === undefined ? "" : `\`${fallback}\``;
  const chains = BUILT_IN_CHAINS.map((chain) => chain.name);
  // The configured chains differ between services.
  const allowed = kind
    .allowed(undefined, { method: "POST", now: 0, chains })
    .replace("configured chains: ", "configured chains, such as ");
  return `| \`${name}\` | ${required ? "required" : standard} | ${allowed.replaceAll("<", "\\<")} | ${doc} |`;
}

/** Returns the page with the service's response after each example. */
async function withAnswers(page: string): Promise<string> {
  const [head = "", ...examples] = page.split("```http\n");
  const answered: string[] = [];
  // Sends one request after another: on a loaded machine, the last of many concurrent requests may wait too
  // long.
  for (const example of examples) answered.push(await withAnswer(example));
  return [head, ...answered].join("```http\n");
}

async function withAnswer(example: string): Promise<string> {
  const [, method, url = "", payload = ""] = /^(GET|POST) (\S+)\n([^`]*)```/.exec(example) ?? [];
  const { statusCode, body } = await app.inject(
    method === "POST" ? { method, url, payload: JSON.parse(payload) } : { url },
  );
  expect([url, statusCode, body]).toEqual([url, 200, body]);
  const json = JSON.stringify(JSON.parse(body), null, 2);
  return example.replace(/```json\n[^`]*```/, () => `\`\`\`json\n${json}\n\`\`\``);
}
