import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commitTrades, hashOf, hexOf, type Market, openMarket } from "../../../reads/support/market.ts";
import type { Engine } from "../../../storage/store.ts";
import { createServer } from "../../http/server.ts";
import { post } from "../../support/http.ts";
import { bufferFiles, canListOpenFiles } from "../../support/open-files.ts";

const AT = 1_704_412_800;

/** Streamed endpoints, each with the prices in its answer, oldest first. */
const STREAMED = [
  {
    path: "/v1/sql",
    body: { query: "SELECT price_token_usd_tick_1 AS price FROM eth_dex_trades ORDER BY record_index" },
    pricesOf: (body: { price: number }[]) => body.map(({ price }) => price),
  },
  {
    path: "/v1/price/historical/tick",
    body: { token_address: hexOf(1), until_timestamp: AT + 1 },
    pricesOf: ({ data }: { data: { price_usd: number }[] }) =>
      data.map(({ price_usd }) => price_usd).toReversed(),
  },
  {
    path: "/v1/topk-api/dex-trades",
    body: { groupby: "token_address", eq: hexOf(1), order: "asc", size: 9 },
    pricesOf: (body: Record<string, { price_token_usd_tick_1: number }[]>) =>
      (body[hexOf(1)] ?? []).map(({ price_token_usd_tick_1 }) => price_token_usd_tick_1),
  },
];

describe.each(STREAMED)("POST $path during reorgs", ({ path, body, pricesOf }) => {
  const block = { number: 1000, hash: hashOf(1000), timestamp: AT };
  let forks = 0;
  let reorged: Market;

  beforeAll(async () => {
    reorged = await openMarket([0, 1].map((n) => ({ token: hexOf(1), at: AT + n, price: 1 })));
  });
  afterAll(() => reorged.close());

  /** Replaces the newest block during the first queries that stream their rows. */
  function unsteady(reorgs: number): Engine {
    const { engine, store } = reorged;
    let left = reorgs;
    return {
      query: (...given) => engine.query(...given),
      stream: async function* (...given) {
        yield* engine.stream(...given);
        if (left-- <= 0) return;
        await store.rollback(block);
        const trade = { token: hexOf(1), at: AT + 1, price: 100 + ++forks };
        await commitTrades(store, [trade], { firstBlock: 1001, fork: forks });
      },
      execute: (...given) => engine.execute(...given),
      insert: (...given) => engine.insert(...given),
      close: () => Promise.resolve(),
    };
  }

  async function askDuring(reorgs: number) {
    const service = await createServer({
      engine: unsteady(reorgs),
      chains: reorged.chains,
      limits: { answerMemoryBytes: 10 },
    });
    const answer = await post(service, path, body);
    await service.close();
    return answer;
  }

  it("retries, and answers once, as of the new blocks", async () => {
    const { status, body, headers } = await askDuring(2);
    expect([status, pricesOf(body)]).toEqual([200, [1, 100 + forks]]);
    expect(headers).toMatchObject({
      "x-indexed-block": "1001",
      "x-indexed-block-hash": hashOf(1001, forks),
      "x-commit": String(1 + 2 * forks),
    });
  });

  it.skipIf(!canListOpenFiles)("gives up after some attempts, and leaves no files of them", async () => {
    const { status, body, headers } = await askDuring(100);
    expect([status, headers["retry-after"], headers["x-indexed-block"]]).toEqual([503, "1", undefined]);
    expect(body.error).toBe("Chain eth is being reorganized. Try again in a moment.");
    await expect.poll(bufferFiles).toBe(0);
  });
});
