import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { devnetChain } from "../../devnet/chain.ts";
import { exitWeighted, joinWeighted, weightedMaker } from "../../devnet/market/shared/shared-liquidity.ts";
import { BALANCER_VAULT, WEIGHTED_POOL } from "../../devnet/market/shared/shared-pools.ts";
import { USDC, WETH } from "../../devnet/market/tokens.ts";
import { assignWallets } from "../../devnet/market/wallets.ts";
import { encodeCall, keccakText } from "../../devnet/node/call-data.ts";
import { ROUTER } from "../../devnet/node/genesis.ts";
import { createServer } from "../../src/api/http/server.ts";
import { post } from "../../src/api/support/http.ts";
import { checkChain } from "../../src/doctor/check/check-chain.ts";
import type { Sql } from "../../src/engine-sql/sql-text.ts";
import type { Hex } from "../../src/lib/hex.ts";
import { readPools } from "../../src/reads/pools/pool-state.ts";
import { readVaultAmounts, wholeVaultPools } from "../../src/reads/pools/vaults/vault-pools.ts";
import { readSnapshot } from "../../src/reads/snapshot/snapshot.ts";
import { chainCommits } from "../../src/storage/commits/commit-log.ts";
import { openEmbeddedEngine } from "../../src/storage/engines/embedded-engine.ts";
import type { Engine } from "../../src/storage/store.ts";
import { indexBlocks } from "../support/engine/index-blocks.ts";
import { type MarketNode, startMarketNode } from "../support/markets/market-node.ts";
import { temporaryFolder } from "../support/processes/processes.ts";

const HISTORY_BLOCKS = 150;
const chain = devnetChain();
const POOL = WEIGHTED_POOL.address;
const CHANGED = keccakText("PoolBalanceChanged(bytes32,address,address[],int256[],uint256[])");
const PATHS = { batch: "/v1/market-api/batch-latest-pool-tvl", history: "/v1/market-api/pool-tvl-history" };

/** An action in the pool: adds or removes a share of its liquidity, or sells dollars to it. */
type Order = "join" | "exit" | "sell";
/** Actions of each fork. Each fork replaces the one before it, which is shorter. */
const FORKS: Order[][] = [
  ["exit", "join"],
  ["join", "sell", "exit", "sell"],
  ["sell", "exit", "exit", "join", "sell"],
];

describe("the balances of a pool in Balancer V2's Vault", () => {
  const folder = temporaryFolder();
  let node: MarketNode;
  let engine: Engine;
  let app: FastifyInstance;

  beforeAll(async () => {
    node = await startMarketNode(HISTORY_BLOCKS);
    engine = await openEmbeddedEngine({ path: folder.path });
    await index();
    app = await createServer({ engine, chains: [{ chain, store: chainCommits(engine, chain.name) }] });
  });

  afterAll(async () => {
    await app?.close();
    await engine?.close();
    await node?.stop();
    folder.remove();
  });

  const newest = async () => (await node.head()).number;
  const hex = (block: number): Hex => `0x${block.toString(16)}`;
  const call = (to: Hex, data: Hex, block: number) => node.rpc<Hex>("eth_call", { to, data }, hex(block));

  async function index(facts = chain, from = 0): Promise<void> {
    await indexBlocks(engine, facts, { url: node.url, from, to: await newest() });
  }

  /** Returns the pool's balances according to the Vault's own view. */
  async function inVault(block: number): Promise<bigint[]> {
    const id = await call(POOL, encodeCall("getPoolId()"), block);
    const answer = await call(BALANCER_VAULT, encodeCall("getPoolTokens(bytes32)", id), block);
    const words = answer.slice(2).match(/.{64}/g) ?? [];
    return words.slice(-WEIGHTED_POOL.tokens.length).map((word) => BigInt(`0x${word}`));
  }

  async function stored(block: number, facts = chain): Promise<readonly (bigint | null)[] | undefined> {
    const reader = { engine, chains: [{ chain: facts, store: chainCommits(engine, facts.name) }] };
    const { answer } = await readSnapshot(reader, facts.name, {}, async (snapshot) =>
      readVaultAmounts(snapshot, wholeVaultPools(await readPools(snapshot, [POOL]), facts), block),
    );
    return answer.get(POOL);
  }

  const request = async (path: string, body: object) => {
    const { status, body: answer } = await post(app, path, body);
    expect(status, JSON.stringify(answer)).toBe(200);
    return answer;
  };

  /** Returns the blocks of the pool's joins and exits. */
  async function liquidityBlocks(): Promise<number[]> {
    const filter = { fromBlock: "0x0", toBlock: "latest", address: BALANCER_VAULT, topics: [CHANGED] };
    const logs = await node.rpc<{ blockNumber: Hex; topics: Hex[] }[]>("eth_getLogs", filter);
    return logs.filter(({ topics }) => topics[1]?.startsWith(POOL)).map((log) => Number(log.blockNumber));
  }

  async function expectSame(from: number): Promise<number> {
    const seen = new Set<string>();
    for (let block = from; block <= (await newest()); block++) {
      const expected = await inVault(block);
      expect([block, await stored(block)]).toEqual([block, expected]);
      seen.add(expected.join());
    }
    return seen.size;
  }

  it("are those of getPoolTokens after every block of a market with joins, exits and swaps", async () => {
    const changes = await liquidityBlocks();
    expect(changes.length).toBeGreaterThan(3);
    expect(await expectSame(changes[0] ?? 0)).toBeGreaterThan(30);
    expect(await stored((changes[0] ?? 0) - 20)).toBeUndefined();
  });

  it("are the pool's TVL now and over time, in all of its tokens", async () => {
    const [held] = (await request(PATHS.batch, { pool_address: [POOL] })).data;
    const balances = await inVault(await newest());
    const inTokens = (i: number) =>
      Number(balances[i]) / 10 ** (WEIGHTED_POOL.tokens[i]?.decimals ?? Number.NaN);
    expect(held.token_0_balance / inTokens(0)).toBeCloseTo(1, 12);
    expect(held.token_1_balance / inTokens(1)).toBeCloseTo(1, 12);
    expect(held.tvl_usd).toBeGreaterThan(held.token_0_balance_usd + held.token_1_balance_usd);
    const { data, ...head } = await request(PATHS.history, {
      ...{ pool_address: POOL, interval: "1m", max_size: 1000 },
    });
    expect(new Set(data.map(({ tvl_usd }: { tvl_usd: number }) => tvl_usd)).size).toBeGreaterThan(30);
    for (const { as_of_timestamp: timestamp, ...point } of data) {
      const [then] = (await request(PATHS.batch, { pool_address: [POOL], timestamp })).data;
      expect([timestamp, { ...head, ...point }]).toEqual([timestamp, then]);
    }
  });

  async function play(orders: readonly Order[], fork: number): Promise<void> {
    const accounts = await node.rpc<string[]>("eth_accounts");
    const from = weightedMaker(assignWallets(accounts.map((one) => one.toLowerCase() as Hex)).makers);
    for (const [i, order] of orders.entries()) {
      const amount = BigInt(10_000_000 * (fork + i + 1));
      const sold = [POOL, USDC.address, WETH.address, amount] as const;
      const { to, data } = {
        join: joinWeighted(
          from,
          WEIGHTED_POOL.tokens.map(({ decimals }) => (10n ** BigInt(decimals - 2) * amount) / 10n ** 6n),
        ),
        exit: exitWeighted(from, 10_000 * (i + 1)),
        sell: { to: ROUTER, data: encodeCall("sellWeighted(address,address,address,uint256)", ...sold) },
      }[order];
      const hash = await node.rpc<Hex>("eth_sendTransaction", { from, to, data, gas: "0x895440" });
      await node.rpc("evm_mine");
      const receipt = await node.rpc<{ status: Hex }>("eth_getTransactionReceipt", hash);
      expect([order, receipt.status]).toEqual([order, "0x1"]);
    }
  }

  it("follow forks: the changes of a replaced block are gone", async () => {
    const base = await newest();
    for (const [fork, orders] of FORKS.entries()) {
      const snapshot = await node.rpc<Hex>("evm_snapshot");
      await play(orders, fork);
      await index();
      expect(await expectSame(base)).toBe(orders.length + 1);
      if (fork < FORKS.length - 1) await node.rpc("evm_revert", snapshot);
    }
  });

  it("are healthy, including in memory, and the doctor finds a lost log of the Vault", async () => {
    const findings = async () => {
      const commit = await chainCommits(engine, chain.name).committed();
      if (commit === null) expect.fail("nothing is indexed");
      return (await checkChain({ engine, chain, commit })).map(({ invariant }) => invariant);
    };
    expect(await findings()).toEqual([]);
    const last = `(SELECT max(record_index) FROM eth_logs WHERE address = unhex('${BALANCER_VAULT.slice(2)}'))`;
    await engine.execute(
      `ALTER TABLE eth_logs DELETE WHERE record_index = ${last} SETTINGS mutations_sync = 1` as Sql,
    );
    expect(await findings()).toContain("rows of logs");
  });

  it("are unknown in an index that starts after the pool's creation", async () => {
    const late = { ...chain, name: "late" };
    await index(late, (await newest()) - 60);
    expect(await stored(await newest(), late)).toBeUndefined();
    const server = await createServer({
      ...{ engine, chains: [{ chain: late, store: chainCommits(engine, "late") }] },
    });
    const { body } = await post(server, PATHS.batch, { pool_address: [POOL], chain: "late" });
    await server.close();
    expect(body.data[0]).toMatchObject({ token_0_balance: null, tvl_usd: null });
    expect(body.data[0].token_0_address).not.toBeNull();
  });
});
