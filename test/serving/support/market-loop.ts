/**
 * Commits and rolls back random trades on a ClickHouse server until it is killed. Prints "done" after each
 * commit and each rollback.
 * Usage: market-loop.ts URL CHAIN
 */
import { integer, sql } from "../../../src/engine-sql/sql-text.ts";
import type { Hex } from "../../../src/lib/hex.ts";
import { commitTrades, type Trade } from "../../../src/reads/support/market.ts";
import { openChainStore } from "../../../src/storage/clickhouse-store.ts";
import { connectServerEngine } from "../../../src/storage/engines/server/server-engine.ts";
import { engineTable } from "../../../src/storage/tables/ddl.ts";
import { Random } from "../random.ts";
import { POOLS, TOKENS, TRADERS } from "../random-chain.ts";

const [url = "", chain = ""] = process.argv.slice(2);
const START = 1_700_000_000;
const FIRST_BLOCK = 1000;
const MAX_REORG_BLOCKS = 3;

const random = new Random(process.pid);
const engine = await connectServerEngine({ url });
const store = await openChainStore(engine, chain, { checkpointBlocks: 16 });

function trade(block: number): Trade {
  const price = (1 + random.below(50)) / 8;
  return {
    at: START + 12 * (block - FIRST_BLOCK),
    token: random.pick(TOKENS),
    pool: random.pick(POOLS),
    trader: random.pick(TRADERS),
    side: random.below(2) === 0 ? "buy" : "sell",
    price,
    usd: random.below(100_000) / 7,
  };
}

async function rollBackTo(number: number): Promise<void> {
  const [block] = await engine.query<{ hash: Hex; timestamp: number }>(sql`SELECT
    concat('0x', lower(hex(block_hash))) AS hash, toUnixTimestamp(timestamp) AS timestamp
    FROM ${engineTable(chain, "blocks")} WHERE block_number = ${integer(number)}`);
  if (block !== undefined) await store.rollback({ number, ...block });
}

for (let round = 0; ; round++) {
  const newest = (await store.committed())?.blockNumber ?? FIRST_BLOCK - 1;
  if (newest > FIRST_BLOCK + MAX_REORG_BLOCKS && random.below(4) === 0)
    await rollBackTo(newest - 1 - random.below(MAX_REORG_BLOCKS));
  else {
    const trades = Array.from({ length: 1 + random.below(8) }, () => trade(newest + 1));
    const finalized = newest - MAX_REORG_BLOCKS - 1;
    await commitTrades(store, trades, {
      firstBlock: newest + 1,
      fork: process.pid * 1000 + round,
      finalized: finalized < FIRST_BLOCK ? null : finalized,
    });
  }
  console.log("done");
}
