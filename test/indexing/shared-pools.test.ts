import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { devnetChain } from "../../devnet/chain.ts";
import { hiddenPrice } from "../../devnet/market/price-path.ts";
import { createWeighted } from "../../devnet/market/shared/shared-liquidity.ts";
import {
  BALANCER_AUTHORIZER,
  BALANCER_VAULT,
  V4_MANAGER,
  V4_POOLS,
  WEIGHTED_FACTORY,
  WEIGHTED_POOL,
} from "../../devnet/market/shared/shared-pools.ts";
import { STABLES, TOKENS, USDC, WETH } from "../../devnet/market/tokens.ts";
import { assignWallets, MINTER } from "../../devnet/market/wallets.ts";
import { createAddress, encodeCall, keccakText } from "../../devnet/node/call-data.ts";
import { ROUTER } from "../../devnet/node/genesis.ts";
import { balancerCreations } from "../../devnet/node/published-code.ts";
import { createServer } from "../../src/api/http/server.ts";
import { post } from "../../src/api/support/http.ts";
import { checkChain } from "../../src/doctor/check/check-chain.ts";
import type { Hex } from "../../src/lib/hex.ts";
import { chainCommits } from "../../src/storage/commits/commit-log.ts";
import { openEmbeddedEngine } from "../../src/storage/engines/embedded-engine.ts";
import type { Engine } from "../../src/storage/store.ts";
import { indexBlocks } from "../support/engine/index-blocks.ts";
import { type MarketNode, PLAN, startMarketNode } from "../support/markets/market-node.ts";
import { temporaryFolder } from "../support/processes/processes.ts";

const HISTORY_BLOCKS = 150;
const chain = devnetChain();
const V4_IDS: string[] = V4_POOLS.map(({ id }) => id);
const TOPICS = {
  v4Swap: keccakText("Swap(bytes32,address,int128,int128,uint160,uint128,int24,uint24)"),
  v4Change: keccakText("ModifyLiquidity(bytes32,address,int24,int24,int256,bytes32)"),
  vaultSwap: keccakText("Swap(bytes32,address,address,uint256,uint256)"),
  vaultChange: keccakText("PoolBalanceChanged(bytes32,address,address[],int256[],uint256[])"),
};

interface TradeRow {
  block_number: number;
  log_index: number;
  timestamp: string;
  pool_address: string;
  token_address: string;
  quote_address: string;
  side: "buy" | "sell";
  amount_token: number;
  amount_quote: number;
  price: number;
}

/** Amount of each token that a contract holds, in whole tokens. */
type Holdings = Record<string, number>;

/**
 * Creates a second factory of weighted pools that the chain does not list. Creates a pool of this factory in
 * the same Vault, and trades in it.
 */
async function tradeInFakePool(node: MarketNode): Promise<Hex> {
  const accounts = (await node.rpc<string[]>("eth_accounts")).map((account) => account.toLowerCase() as Hex);
  const from = assignWallets(accounts).makers[0] ?? MINTER;
  const send = async (to: Hex | null, data: Hex): Promise<void> => {
    const target = to === null ? {} : { to };
    const hash = await node.rpc<Hex>("eth_sendTransaction", { from, ...target, data, gas: "0x895440" });
    await node.rpc("evm_mine");
    const receipt = await node.rpc<{ status: Hex }>("eth_getTransactionReceipt", hash);
    expect([data.slice(0, 10), receipt.status]).toEqual([data.slice(0, 10), "0x1"]);
  };
  const parts = { authorizer: BALANCER_AUTHORIZER, wrapped: WETH.address, vault: BALANCER_VAULT };
  await send(null, balancerCreations(MINTER, parts)[2] ?? "0x");
  const count = Number(await node.rpc<Hex>("eth_getTransactionCount", from, "latest"));
  const factory = createAddress(from, count - 1);
  const pool = createAddress(factory, 1);
  const amounts = WEIGHTED_POOL.tokens.map(({ decimals }) => 10n ** BigInt(decimals));
  await send(factory, createWeighted(from).data);
  await send(ROUTER, encodeCall("joinWeighted(address,uint256[])", pool, amounts));
  const [sold, bought] = [USDC.address, WETH.address];
  const order = encodeCall("sellWeighted(address,address,address,uint256)", pool, sold, bought, 100_000n);
  await send(ROUTER, order);
  return pool;
}

describe("the demo's pools inside shared contracts", () => {
  const folder = temporaryFolder();
  let node: MarketNode;
  let engine: Engine;
  let app: FastifyInstance;
  let trades: TradeRow[];
  let fake: Hex;

  beforeAll(async () => {
    node = await startMarketNode(HISTORY_BLOCKS);
    fake = await tradeInFakePool(node);
    engine = await openEmbeddedEngine({ path: folder.path });
    await indexBlocks(engine, chain, { url: node.url, to: (await node.head()).number });
    app = await createServer({ engine, chains: [{ chain, store: chainCommits(engine, chain.name) }] });
    trades = await sql<TradeRow>(
      `SELECT block_number, log_index, timestamp, pool_address, token_address, quote_address, side, amount_token,
        amount_quote, price_token_usd_tick_1 AS price
       FROM eth_dex_trades WHERE protocol_name = 'uniswap_v4' OR protocol_name = 'balancer_v2'
       ORDER BY record_index LIMIT 100000`,
    );
  });

  afterAll(async () => {
    await app?.close();
    await engine?.close();
    await node?.stop();
    folder.remove();
  });

  const sql = async <R>(query: string): Promise<R[]> => (await post(app, "/v1/sql", { query })).body;
  const hex = (block: number) => `0x${block.toString(16)}`;
  const call = (to: Hex, data: Hex, block: number) => node.rpc<Hex>("eth_call", { to, data }, hex(block));

  async function logsOf(address: Hex, topic: Hex): Promise<{ blockNumber: Hex; topics: Hex[] }[]> {
    return node.rpc("eth_getLogs", { fromBlock: "0x0", toBlock: "latest", address, topics: [topic] });
  }

  const inTokens = (amount: bigint, address: string) =>
    Number(amount) / 10 ** (TOKENS.find((token) => token.address === address)?.decimals ?? 18);

  async function managerHoldings(block: number): Promise<Holdings> {
    const holdings: Holdings = {
      [WETH.address]: inTokens(
        BigInt(await node.rpc<Hex>("eth_getBalance", V4_MANAGER, hex(block))),
        WETH.address,
      ),
    };
    const tokens = V4_POOLS.flatMap(({ token0, token1 }) => [token0, token1]).filter(
      (token) => token !== WETH,
    );
    for (const { address } of tokens) {
      const held = await call(address, encodeCall("balanceOf(address)", V4_MANAGER), block);
      holdings[address] = inTokens(BigInt(held), address);
    }
    return holdings;
  }

  /** Returns the holdings of the weighted pool according to the Vault. */
  async function poolHoldings(block: number): Promise<Holdings> {
    const id = await call(WEIGHTED_POOL.address, encodeCall("getPoolId()"), block);
    const answer = await call(BALANCER_VAULT, encodeCall("getPoolTokens(bytes32)", id), block);
    const words = answer.slice(2).match(/.{64}/g) ?? [];
    const balances = words.slice(-WEIGHTED_POOL.tokens.length);
    return Object.fromEntries(
      WEIGHTED_POOL.tokens.map(({ address }, i) => [address, inTokens(BigInt(`0x${balances[i]}`), address)]),
    );
  }

  /** Returns what a contract gains from the trades of a block. A swap with two rows counts once. */
  function gainsOf(rows: readonly TradeRow[]): Holdings {
    const gained: Holdings = {};
    const swaps = new Map(rows.map((row) => [row.log_index, row]));
    for (const { token_address, quote_address, side, amount_token, amount_quote } of swaps.values()) {
      const sign = side === "buy" ? -1 : 1;
      gained[token_address] = (gained[token_address] ?? 0) + sign * amount_token;
      gained[quote_address] = (gained[quote_address] ?? 0) - sign * amount_quote;
    }
    return gained;
  }

  async function compareBlocks(
    isOurs: (row: TradeRow) => boolean,
    changes: { blockNumber: Hex }[],
    holdings: (block: number) => Promise<Holdings>,
  ): Promise<number> {
    const changed = new Set(changes.map(({ blockNumber }) => Number(blockNumber)));
    const blocks = new Set(trades.filter(isOurs).map(({ block_number }) => block_number));
    let compared = 0;
    for (const block of blocks) {
      if (changed.has(block)) continue;
      const gained = gainsOf(trades.filter((row) => isOurs(row) && row.block_number === block));
      const [before, after] = [await holdings(block - 1), await holdings(block)];
      for (const [token, held] of Object.entries(after)) {
        const actual = held - (before[token] ?? 0);
        const far = Math.abs(actual - (gained[token] ?? 0)) / held;
        expect([block, token, far < 1e-12]).toEqual([block, token, true]);
        compared += Number(actual !== 0);
      }
    }
    return compared;
  }

  const isGenuine = ({ topics }: { topics: Hex[] }) => topics[1]?.startsWith(WEIGHTED_POOL.address) ?? false;
  const isV4 = ({ pool_address }: TradeRow) => V4_IDS.includes(pool_address);
  const isWeighted = ({ pool_address }: TradeRow) => pool_address === WEIGHTED_POOL.address;

  it("are proven, with all their tokens", async () => {
    const rows = await sql<object>(
      "SELECT * FROM eth_pool_metadata WHERE protocol = 'uniswap_v4' OR protocol = 'balancer_v2' ORDER BY record_index",
    );
    expect(rows).toHaveLength(3);
    const [ether, small] = V4_POOLS;
    const v4 = { factory_address: V4_MANAGER, hooks_address: `0x${"0".repeat(40)}` };
    expect(rows).toContainEqual(
      expect.objectContaining({
        ...{ ...v4, pool_address: ether?.id, fee: 500 },
        token_addresses: `${WETH.address},${USDC.address}`,
      }),
    );
    expect(rows).toContainEqual(expect.objectContaining({ ...v4, pool_address: small?.id, fee: 3000 }));
    expect(rows).toContainEqual(
      expect.objectContaining({
        ...{ pool_address: WEIGHTED_POOL.address, factory_address: WEIGHTED_FACTORY },
        token_addresses: WEIGHTED_POOL.tokens.map(({ address }) => address).join(),
      }),
    );
  });

  it("have a trade for every swap", async () => {
    const swaps = [
      [isV4, await logsOf(V4_MANAGER, TOPICS.v4Swap)],
      [isWeighted, (await logsOf(BALANCER_VAULT, TOPICS.vaultSwap)).filter(isGenuine)],
    ] as const;
    for (const [isOurs, logs] of swaps) {
      const traded = new Set(
        trades.filter(isOurs).map(({ block_number, log_index }) => `${block_number} ${log_index}`),
      );
      expect(traded.size).toBe(logs.length);
      expect(logs.length).toBeGreaterThan(40);
    }
    const v4Pools = new Set(trades.filter(isV4).map(({ pool_address }) => pool_address));
    expect([...v4Pools].sort()).toEqual([...V4_IDS].sort());
    const pairs = new Set(
      trades
        .filter(isWeighted)
        .map(({ token_address, quote_address }) => [token_address, quote_address].sort().join()),
    );
    expect(pairs.size).toBe(3);
  });

  it("trade what the PoolManager gained and paid, ether included", async () => {
    const changes = await logsOf(V4_MANAGER, TOPICS.v4Change);
    expect(changes.length).toBeGreaterThan(8);
    expect(await compareBlocks(isV4, changes, managerHoldings)).toBeGreaterThan(80);
  });

  it("trade what the weighted pool gained and paid, as the Vault counts it", async () => {
    const changes = await logsOf(BALANCER_VAULT, TOPICS.vaultChange);
    expect(changes.length).toBeGreaterThan(2);
    expect(await compareBlocks(isWeighted, changes, poolHoldings)).toBeGreaterThan(60);
  });

  it("follow the market's price path", () => {
    const ratios = trades.flatMap(({ token_address, timestamp, price }) => {
      const token = TOKENS.find(({ address }) => address === token_address);
      if (token === undefined || STABLES.includes(token)) return [];
      return [price / hiddenPrice(PLAN.seed, token, Date.parse(timestamp) / 1000)];
    });
    const far = ratios.map((ratio) => Math.abs(Math.log(ratio))).sort((a, b) => a - b);
    expect(far.length).toBeGreaterThan(80);
    expect(far[Math.floor(far.length / 2)]).toBeLessThan(0.01);
    // A large order moves a small pool's price until arbitrageurs restore it.
    expect(far[Math.floor(0.9 * far.length)]).toBeLessThan(0.03);
    expect(far.at(-1)).toBeLessThan(0.2);
  });

  it("are valued over time: a V4 pool holds what the PoolManager holds, without the fees", async () => {
    const [ether] = V4_POOLS;
    const given = { pool_address: ether?.id, interval: "10m", max_size: 1000 };
    const { status, body } = await post(app, "/v1/market-api/pool-tvl-history", given);
    expect(status, JSON.stringify(body)).toBe(200);
    const points: { tvl_usd: number | null }[] = body.data;
    expect(new Set(points.map(({ tvl_usd }) => tvl_usd)).size).toBeGreaterThan(3);
    const held = (await managerHoldings((await node.head()).number))[WETH.address] ?? 0;
    const path = "/v1/market-api/batch-latest-pool-tvl";
    const latest = await post(app, path, { pool_address: [ether?.id] });
    const last = latest.body.data[0].token_0_balance;
    expect(last).toBeLessThanOrEqual(held);
    expect(last / held).toBeGreaterThan(0.999);
  });

  it("do not include the pool of a factory that is not listed, though the Vault reports its swaps", async () => {
    const swaps = await logsOf(BALANCER_VAULT, TOPICS.vaultSwap);
    expect(swaps.filter(({ topics }) => topics[1]?.startsWith(fake))).toHaveLength(1);
    for (const table of ["dex_trades", "pool_metadata"]) {
      expect(await sql(`SELECT * FROM eth_${table} WHERE pool_address = '${fake}'`)).toEqual([]);
    }
  });

  it("leave the index healthy", async () => {
    const commit = await chainCommits(engine, chain.name).committed();
    if (commit === null) expect.fail("nothing is indexed");
    expect(await checkChain({ engine, chain, commit })).toEqual([]);
  });
});
