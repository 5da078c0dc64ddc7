import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { devnetChain } from "../../devnet/chain.ts";
import { type DemoPool, POOLS } from "../../devnet/market/pools.ts";
import { Random } from "../../devnet/market/random.ts";
import { encodeCall } from "../../devnet/node/call-data.ts";
import { createServer } from "../../src/api/http/server.ts";
import { checkChain } from "../../src/doctor/check/check-chain.ts";
import { hexBytes, integer, type Sql, sql } from "../../src/engine-sql/sql-text.ts";
import { Indexer } from "../../src/ingest/indexer.ts";
import type { Hex } from "../../src/lib/hex.ts";
import { openRpcSource, type RpcSource } from "../../src/sources/rpc-source.ts";
import { openChainStore } from "../../src/storage/clickhouse-store.ts";
import { openEmbeddedEngine } from "../../src/storage/engines/embedded-engine.ts";
import type { ChainStore, Engine } from "../../src/storage/store.ts";
import { engineTable } from "../../src/storage/tables/ddl.ts";
import { type MarketNode, startMarketNode } from "../support/markets/market-node.ts";
import { temporaryFolder } from "../support/processes/processes.ts";

const chain = devnetChain();
const quiet = { info() {}, warn() {} };
const HISTORY_BLOCKS = 60;
/** Number of past blocks at which contracts are called. For a longer run: QUARRY_BALANCE_SAMPLES=50. */
const SAMPLES = Number(process.env.QUARRY_BALANCE_SAMPLES ?? 20);
/** At every n-th of these blocks, USD values are also compared with values computed from their definition. */
const VALUED_SAMPLE = 8;
/** Number of holdings to check at each of these blocks. */
const HOLDINGS = 60;

const TVL = "/v1/market-api/batch-latest-pool-tvl";
const hex = (value: number): Hex => `0x${value.toString(16)}`;

interface PoolTvl {
  pool_address: Hex;
  token_0_address: Hex;
  token_1_address: Hex;
  token_0_balance: number;
  token_1_balance: number;
  [other: string]: number | string | null;
}

interface Held {
  wallet: Hex;
  token: Hex;
  balance: string | null;
}

describe("token balances of a market", () => {
  const folder = temporaryFolder();
  let node: MarketNode;
  let engine: Engine;
  let source: RpcSource;
  let store: ChainStore;

  beforeAll(async () => {
    node = await startMarketNode(HISTORY_BLOCKS);
    engine = await openEmbeddedEngine({ path: folder.path });
    source = await openRpcSource({ urls: [node.url], chain, verify: true });
    store = await openChainStore(engine, chain.name);
    await index(0);
  });

  afterAll(async () => {
    await source?.close();
    await node?.stop();
    await engine?.close();
    folder.remove();
  });

  async function index(from: number, into = chain, to = store): Promise<number> {
    const { number } = await node.head();
    const run = { from, to: number, signal: new AbortController().signal, logger: quiet };
    await new Indexer({ chain: into, source, store: to, engine, ...run }).run();
    return number;
  }

  /** Returns the balances as of a block. */
  function heldAt(block: number, name = chain.name): Promise<Held[]> {
    return engine.query<Held>(sql`SELECT concat('0x', lower(hex(wallet_address))) AS wallet,
      concat('0x', lower(hex(token_address))) AS token, toString(balance_base) AS balance
      FROM (SELECT * FROM ${engineTable(name, "token_balances")} WHERE block_number <= ${integer(block)}
        ORDER BY record_index DESC LIMIT 1 BY wallet_address, token_address) ORDER BY wallet, token`);
  }

  async function balanceOf({ wallet, token }: Held, block: number): Promise<string> {
    const data = encodeCall("balanceOf(address)", wallet);
    return `${BigInt(await node.rpc<Hex>("eth_call", { to: token, data }, hex(block)))}`;
  }

  async function expectAsContractsSay(held: readonly Held[], block: number): Promise<void> {
    const reported = await Promise.all(
      held.map(async (one) => ({ ...one, balance: await balanceOf(one, block) })),
    );
    expect(held).toEqual(reported);
  }

  const findings = async () => {
    const commit = await store.committed();
    return commit === null ? [] : checkChain({ engine, chain, commit });
  };

  it("equal balanceOf, of every wallet now and of some wallets at past blocks", async () => {
    const { number } = await node.head();
    const now = await heldAt(number);
    expect(now.length).toBeGreaterThan(100);
    await expectAsContractsSay(now, number);
    const random = new Random(3, 0);
    for (let sample = 0; sample < SAMPLES; sample++) {
      const block = 1 + random.below(number);
      const held = await heldAt(block);
      const from = random.below(Math.max(1, held.length - HOLDINGS));
      await expectAsContractsSay(held.slice(from, from + HOLDINGS), block);
    }
  });

  it("of pools equal what the pools' contracts return at past blocks", async () => {
    const { number } = await node.head();
    const random = new Random(5, 0);
    const server = await createServer({ engine, chains: [{ chain, store }] });
    const pools = POOLS.map(({ address }) => address);
    let compared = 0;
    for (let sample = 0; sample < SAMPLES; sample++) {
      const block = sample === 0 ? number : Math.ceil(number / 2) + random.below(number / 2);
      const timestamp = await timeOf(block);
      const payload = { pool_address: pools, chain: chain.name, timestamp };
      const { body } = await server.inject({ method: "POST", url: TVL, payload });
      const { data } = JSON.parse(body) as { data: PoolTvl[] };
      for (const [i, pool] of POOLS.entries()) {
        if (!(await isDeployed(pool.address, block))) continue;
        const isValued = sample % VALUED_SAMPLE === 0;
        await expectContractBalances(data[i] as PoolTvl, { pool, block, ...(isValued && { timestamp }) });
        compared++;
      }
    }
    await server.close();
    expect(compared).toBeGreaterThan(SAMPLES * 3);
  }, 180_000);

  /** @param at if it has a timestamp, the USD values are checked with the prices at that time */
  async function expectContractBalances(
    { token_0_balance, token_1_balance, ...found }: PoolTvl,
    at: { pool: DemoPool; block: number; timestamp?: number },
  ): Promise<void> {
    expect([token_0_balance, token_1_balance]).toEqual(await heldBy(at.pool, at.block));
    if (at.timestamp === undefined) return;
    const reported = { ...found, token_0_balance, token_1_balance } as PoolTvl;
    expect(found).toMatchObject(await valuesByDefinition(reported, at.timestamp));
  }

  async function timeOf(block: number): Promise<number> {
    const { timestamp } = await node.rpc<{ timestamp: Hex }>("eth_getBlockByNumber", hex(block), false);
    return Number(timestamp);
  }

  const isDeployed = async (address: Hex, block: number) =>
    (await node.rpc<Hex>("eth_getCode", address, hex(block))) !== "0x";

  /**
   * Reads a pool's balances from the contracts: the reserves of a pair, or the token balances of any other
   * pool.
   */
  async function heldBy({ address, version, token0, token1 }: DemoPool, block: number): Promise<number[]> {
    const tokens = [token0, token1];
    if (version === 2) {
      const call = { to: address, data: encodeCall("getReserves()") };
      const words = (await node.rpc<Hex>("eth_call", call, hex(block))).slice(2).match(/.{64}/g) ?? [];
      return tokens.map(({ decimals }, i) => Number(`${BigInt(`0x${words[i]}`)}e-${decimals}`));
    }
    const balances = tokens.map((token) =>
      balanceOf({ wallet: address, token: token.address, balance: null }, block),
    );
    return (await Promise.all(balances)).map((base, i) => Number(`${base}e-${tokens[i]?.decimals}`));
  }

  /**
   * Computes the values from the trades, according to their definition: prices, the newest swap, and the
   * values that follow from these.
   */
  async function valuesByDefinition(tvl: PoolTvl, timestamp: number): Promise<Partial<PoolTvl>> {
    const trades = engineTable(chain.name, "dex_trades");
    const [newest] = await engine.query<{ n: number; t: number }>(
      sql`SELECT max(block_number) AS n, toUnixTimestamp(max(timestamp)) AS t FROM ${trades} AS trades
        WHERE pool_address = ${hexBytes(tvl.pool_address)} AND trades.timestamp <= ${integer(timestamp)}`,
    );
    const priceOf = async (token: Hex) => {
      const [found] = await engine.query<{ price: number }>(
        sql`SELECT price_token_usd_tick_1 AS price FROM ${trades} WHERE token_address = ${hexBytes(token)}
          AND price IS NOT NULL AND timestamp <= ${integer(timestamp)} ORDER BY record_index DESC LIMIT 1`,
      );
      return found?.price ?? null;
    };
    const [price0, price1] = [await priceOf(tvl.token_0_address), await priceOf(tvl.token_1_address)];
    const usd = (price: number | null, balance: number) => (price === null ? null : price * balance);
    const [usd0, usd1] = [usd(price0, tvl.token_0_balance), usd(price1, tvl.token_1_balance)];
    const cash = [...chain.stableCoins, chain.wrappedNative].find((one) =>
      [tvl.token_0_address, tvl.token_1_address].includes(one),
    );
    return {
      block_number: newest?.n === 0 ? null : (newest?.n ?? null),
      timestamp: newest?.n === 0 ? null : (newest?.t ?? null),
      token_0_price_usd: price0,
      token_1_price_usd: price1,
      token_0_balance_usd: usd0,
      token_1_balance_usd: usd1,
      tvl_usd: usd0 === null || usd1 === null ? null : usd0 + usd1,
      liquidity_usd: cash === undefined ? null : cash === tvl.token_0_address ? usd0 : usd1,
    };
  }

  it("add up to what was minted less what was burned", async () => {
    const zero = sql`unhex(repeat('00', 20))`;
    const wrapped = `0x${chain.wrappedNative.slice(2)}`;
    const supplies = await engine.query<{ token: string; supply: string }>(
      sql`SELECT concat('0x', lower(hex(token_address))) AS token,
        toString(sumIf(value_base, from_address = ${zero}) - sumIf(value_base, to_address = ${zero})) AS supply
        FROM ${engineTable(chain.name, "erc20")} GROUP BY token_address`,
    );
    const sums = new Map<string, bigint>();
    for (const { token, balance } of await heldAt(2 ** 40)) {
      sums.set(token, (sums.get(token) ?? 0n) + BigInt(balance ?? -1));
    }
    const others = supplies.filter(({ token }) => token !== wrapped);
    expect(others.length).toBeGreaterThan(5);
    for (const { token, supply } of others) expect(`${sums.get(token)}`, token).toBe(supply);
    expect(await findings()).toEqual([]);
  });

  it("belong to the canonical fork after a reorg", async () => {
    await node.trade(6, 91);
    await index(0);
    await node.rpc("anvil_rollback", 5);
    await node.trade(7, 92);
    const number = await index(0);
    await expectAsContractsSay(await heldAt(number), number);
    await expectAsContractsSay((await heldAt(number - 4)).slice(0, HOLDINGS), number - 4);
    expect(await findings()).toEqual([]);
  });

  it("are unknown, and never wrong, if the index starts in the middle of the chain", async () => {
    const listed = await node.list({ symbol: "OAK", decimals: 18, version: 3 });
    const { number } = await node.head();
    const late = { ...chain, name: "late" };
    await index(number - 4, late, await openChainStore(engine, late.name));
    const held = await heldAt(number, late.name);
    const known = held.filter(({ balance }) => balance !== null);
    expect(known.length).toBeLessThan(held.length);
    expect(known.filter(({ wallet }) => wallet === listed.pool)).toHaveLength(2);
    await expectAsContractsSay(known, number);
  });

  it("are checked by the doctor, which finds the damage", async () => {
    const table = engineTable(chain.name, "token_balances");
    const other = sql`SELECT * FROM ${table} WHERE token_address != unhex('${chain.wrappedNative.slice(2) as Sql}')
      AND balance_base > 1 ORDER BY record_index DESC LIMIT 1`;
    await engine.execute(
      sql`CREATE TABLE damaged ENGINE = Memory AS SELECT * REPLACE (balance_base - 1 AS balance_base) FROM (${other})`,
    );
    const place = sql`(SELECT record_index FROM damaged)`;
    await engine.execute(
      sql`ALTER TABLE ${table} DELETE WHERE record_index IN ${place} SETTINGS mutations_sync = 1`,
    );
    expect((await findings()).map(({ invariant }) => invariant)).toEqual(
      expect.arrayContaining(["rows of token_balances", "balances as transferred"]),
    );
    await engine.execute(sql`INSERT INTO ${table} SELECT * FROM damaged`);
    expect((await findings()).map(({ invariant }) => invariant)).toEqual(["balances as transferred"]);
  });
});
