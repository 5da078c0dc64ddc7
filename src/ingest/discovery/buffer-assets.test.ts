import { expect, it, onTestFinished } from "vitest";
import { openFreshEngine } from "../../../test/support/engine/fresh-engine.ts";
import { batchOf } from "../../../test/support/engine/random-rows.ts";
import { ethereum } from "../../chains/ethereum.ts";
import { scanBlock } from "../../decode/blocks/scan-block.ts";
import { bufferOf } from "../../decode/families/buffers.ts";
import { blockOf, USDC } from "../../decode/support/v4-logs.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Log } from "../../schema/block.ts";
import type { Rows } from "../../schema/tables.ts";
import { openChainStore } from "../../storage/clickhouse-store.ts";
import { discoverBufferAssets, hasBufferTrades } from "./buffer-assets.ts";

const VAULT: Hex = "0xba1333333333a1ba1108e8412f11850a5c319ba9";
const WRAPPED: Hex = "0xd4fa2d31b7968e448877f69a96de69f5de8cd23e";
const POOL: Hex = "0x85b2b559bc2d21104c4defdd6efca8a20343361d";
const OTHER: Hex = `0x${"0f".repeat(20)}`;
const WRAP_TOPIC: Hex = "0x3771d13c67011e31e12031c54bb59b0bf544a80b81d280a3711e172aa8b7f47b";
const SWAP_TOPIC: Hex = "0x0874b2d545cb271cdbda4e093020c452328b24af12382ed62c4d00f5c26709db";

const word = (hex: Hex): Hex => `0x${hex.slice(2).padStart(64, "0")}`;
const words = (count: number): Hex => `0x${"1".padStart(64, "0").repeat(count)}`;
const swap: Log = {
  address: VAULT,
  topics: [SWAP_TOPIC, word(POOL), word(WRAPPED), word(USDC)],
  data: words(4),
  logIndex: 2,
};
const wrap: Log = { address: VAULT, topics: [WRAP_TOPIC, word(WRAPPED)], data: words(3), logIndex: 1 };

it("reads the underlying tokens of buffers, unless no endpoint can make calls", async () => {
  const scanned = [scanBlock(blockOf(wrap, swap), ethereum)];
  const found = await discoverBufferAssets(scanned, new Map(), ethereum, async () => [word(USDC)]);
  expect(found).toEqual(new Map([[bufferOf(VAULT, WRAPPED), USDC]]));
  expect(await discoverBufferAssets(scanned, new Map(), ethereum, async () => null)).toEqual(new Map());
  const never = () => Promise.reject(new Error("called"));
  expect(await discoverBufferAssets(scanned, found, ethereum, never)).toEqual(new Map());
});

it("finds out whether a stored chain has trades in the underlying tokens of buffers", async () => {
  const { engine, close } = await openFreshEngine();
  onTestFinished(() => close());
  const store = await openChainStore(engine, "eth");
  const commit = (block: number, family: string, token_address: Hex, quote_address: Hex) => {
    const batch = batchOf({ first: block, last: block, rowsPerTable: 1 });
    const { pool_metadata = [], dex_trades = [] } = batch.rows;
    const pools = pool_metadata.map((row) => ({ ...row, family, token_addresses: `${WRAPPED},${OTHER}` }));
    const [pool] = pools;
    if (pool === undefined) throw new Error("there is no pool");
    const { pool_address } = pool;
    const trades = dex_trades.map((row) => ({ ...row, pool_address, token_address, quote_address }));
    return store.commit({ ...batch, rows: { pool_metadata: pools, dex_trades: trades } as Rows });
  };
  await commit(10, "balancer-v3", OTHER, WRAPPED);
  await commit(11, "balancer-v2", OTHER, USDC);
  expect(await hasBufferTrades(engine, "eth")).toBe(false);
  await commit(12, "balancer-v3", OTHER, USDC);
  expect(await hasBufferTrades(engine, "eth")).toBe(true);
});
