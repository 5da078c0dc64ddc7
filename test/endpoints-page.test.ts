import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ENDPOINTS } from "../src/api/endpoints.ts";
import { CURRENT_TIME, type Parameter } from "../src/api/parameter.ts";
import { createServer } from "../src/api/server.ts";
import { BUILT_IN_CHAINS } from "../src/chains/chains.ts";
import { hexOf, type Market, openMarket } from "../src/reads/support/market.ts";

/** Of the tables of top records one stands for all. */
const DESCRIBED = /\/price|\/wallet|\/topk-api\/blocks$|\/rpc$/;
const PAGE = join(import.meta.dirname, "../docs/endpoints.md");
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
  app = await createServer(market);
});
afterAll(async () => {
  await app.close();
  await market.close();
});

it("docs/endpoints.md has every parameter as it is declared, and answers that the service gives", async () => {
  const page = readFileSync(PAGE, "utf8");
  const described = [...page.matchAll(/<!-- parameters: (\S+) -->/g)].map(([, path]) => path);
  expect(described).toEqual(ENDPOINTS.map(({ path }) => path).filter((path) => DESCRIBED.test(path)));
  // Changed the endpoints? `npx vitest run test/endpoints-page.test.ts -u` writes the page.
  await expect(await withAnswers(withParameters(page))).toMatchFileSnapshot(PAGE);
});

/** The page with the tables of parameters behind their marks. */
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
  const allowed = kind.allowed({ method: "POST", now: 0, chains });
  return `| \`${name}\` | ${required ? "required" : standard} | ${allowed.replaceAll("<", "\\<")} | ${doc} |`;
}

/** The page with what the service answers to each example behind it. */
async function withAnswers(page: string): Promise<string> {
  const [head = "", ...examples] = page.split("```http\n");
  const answered = await Promise.all(examples.map(withAnswer));
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
