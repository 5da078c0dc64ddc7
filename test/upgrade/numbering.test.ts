import { afterAll, beforeAll, expect, it } from "vitest";
import { createServer } from "../../src/api/http/server.ts";
import { post } from "../../src/api/support/http.ts";
import type { Chain } from "../../src/chains/chain.ts";
import { checkChain } from "../../src/doctor/check/check-chain.ts";
import { sql } from "../../src/engine-sql/sql-text.ts";
import { type RecordNumbering, recordIndexOf } from "../../src/schema/record-index.ts";
import { chainCommits } from "../../src/storage/commits/commit-log.ts";
import type { ChainStore, Engine } from "../../src/storage/store.ts";
import { engineTable } from "../../src/storage/tables/ddl.ts";
import { openFreshEngine } from "../support/engine/fresh-engine.ts";
import { indexBlocks } from "../support/engine/index-blocks.ts";
import { poolIdOf } from "../support/markets/uniswap-v4.ts";
import { FREE_POOL, playV4Market, type V4Market, v4Chain } from "../support/markets/v4-market.ts";
import { restAnswers } from "../support/processes/rest-answers.ts";

let market: V4Market;
let engine: Engine;
let closeEngine: () => Promise<void>;
const chains = new Map<RecordNumbering, { chain: Chain; store: ChainStore }>();

beforeAll(async () => {
  market = await playV4Market();
  ({ engine, close: closeEngine } = await openFreshEngine());
  const to = Number(await market.node.rpc("eth_blockNumber"));
  for (const numbering of ["narrow", "wide"] as const) {
    const chain = { ...v4Chain(numbering, market.node.exchange.manager), numbering };
    chains.set(numbering, { chain, store: await indexBlocks(engine, chain, { url: market.node.url, to }) });
  }
});

afterAll(async () => {
  await closeEngine?.();
  await market?.node.stop();
});

function indexed(numbering: RecordNumbering) {
  const found = chains.get(numbering);
  if (found === undefined) throw new Error(`${numbering} is not indexed`);
  return found;
}

/** Returns the rows without the columns in which the two indexes differ. */
const unnumbered = (value: unknown, chain: string): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll(`"${chain}"`, '"chain"'), (key, one) =>
    key === "record_index" ? undefined : one,
  );

async function answersOf(numbering: RecordNumbering): Promise<unknown> {
  const { chain } = indexed(numbering);
  const [last] = market.swaps.slice(-1);
  const [traded, paid] = [FREE_POOL.currency0, FREE_POOL.currency1];
  const questions = {
    tokens: [traded, paid],
    pool: { address: poolIdOf(FREE_POOL), token: traded },
    until: last?.timestamp ?? 0,
  };
  const answers = await restAnswers(engine, chain, questions);
  return unnumbered({ ...answers, history: await tvlHistory(chain, questions.until) }, numbering);
}

async function tvlHistory(chain: Chain, until_timestamp: number): Promise<unknown> {
  const app = await createServer({ engine, chains: [{ chain, store: chainCommits(engine, chain.name) }] });
  try {
    const body = { chain: chain.name, pool_address: poolIdOf(FREE_POOL), interval: "1m", until_timestamp };
    const { status, body: history } = await post(app, "/v1/market-api/pool-tvl-history", body);
    expect(status, JSON.stringify(history)).toBe(200);
    return history;
  } finally {
    await app.close();
  }
}

it("both numberings give the same answers", async () => {
  const narrow = await answersOf("narrow");
  expect(JSON.stringify(narrow)).toContain(poolIdOf(FREE_POOL));
  expect(narrow).toEqual(await answersOf("wide"));
});

it.each(["narrow", "wide"] as const)(
  "the doctor accepts an index, %s, and finds one with the other",
  async (numbering) => {
    const { chain, store } = indexed(numbering);
    const commit = await store.committed();
    if (commit === null) throw new Error("nothing is committed");
    expect(await checkChain({ engine, chain, commit })).toEqual([]);
    const other = { ...chain, numbering: numbering === "wide" ? "narrow" : "wide" } as const;
    const found = await checkChain({ engine, chain: other, commit });
    const misnumbered = ["transactions", "logs", "erc20", "dex_trades", "pool_metadata", "token_balances"];
    expect(found.map(({ invariant }) => invariant)).toEqual(
      expect.arrayContaining(misnumbered.map((table) => `rows of ${table}`)),
    );
  },
);

it("rows are numbered by their place in their block", async () => {
  for (const numbering of chains.keys()) {
    const rows = await engine.query<{ block_number: number; log_index: number; record_index: number }>(
      sql`SELECT toUInt32(block_number) AS block_number, log_index, record_index
        FROM ${engineTable(numbering, "logs")}`,
    );
    expect(rows.length).toBeGreaterThan(20);
    for (const { block_number, log_index, record_index } of rows)
      expect(record_index).toBe(recordIndexOf(numbering, block_number, log_index));
  }
});
