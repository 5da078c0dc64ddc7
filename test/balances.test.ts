import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encodeCall } from "../devnet/call-data.ts";
import { devnetChain } from "../devnet/chain.ts";
import { Random } from "../devnet/random.ts";
import { examine } from "../src/doctor/examination.ts";
import { Indexer } from "../src/ingest/indexer.ts";
import type { Hex } from "../src/lib/hex.ts";
import { integer, type Sql, sql } from "../src/lib/sql-text.ts";
import { openRpcSource, type RpcSource } from "../src/sources/rpc/rpc-source.ts";
import { openChainStore } from "../src/storage/clickhouse-store.ts";
import { engineTable } from "../src/storage/ddl.ts";
import { openEmbeddedEngine } from "../src/storage/embedded-engine.ts";
import type { ChainStore, Engine } from "../src/storage/store.ts";
import { type MarketNode, startMarketNode } from "./support/market-node.ts";
import { temporaryFolder } from "./support/processes.ts";

const chain = devnetChain();
const quiet = { info() {}, warn() {} };
const HISTORY_BLOCKS = 12;
/** Past blocks at which contracts are asked. */
const LOOKS = 6;
/** Holdings that are asked about at each of them. */
const HOLDINGS = 60;

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

  /** The balances as of a block. */
  function heldAt(block: number, name = chain.name): Promise<Held[]> {
    return engine.query<Held>(sql`SELECT concat('0x', lower(hex(wallet_address))) AS wallet,
      concat('0x', lower(hex(token_address))) AS token, toString(balance_base) AS balance
      FROM (SELECT * FROM ${engineTable(name, "token_balances")} WHERE block_number <= ${integer(block)}
        ORDER BY record_index DESC LIMIT 1 BY wallet_address, token_address) ORDER BY wallet, token`);
  }

  async function balanceOf({ wallet, token }: Held, block: number): Promise<string> {
    const data = encodeCall("balanceOf(address)", wallet);
    return `${BigInt(await node.rpc<Hex>("eth_call", { to: token, data }, `0x${block.toString(16)}`))}`;
  }

  async function expectAsContractsSay(held: readonly Held[], block: number): Promise<void> {
    const told = await Promise.all(
      held.map(async (one) => ({ ...one, balance: await balanceOf(one, block) })),
    );
    expect(held).toEqual(told);
  }

  const findings = async () => {
    const commit = await store.committed();
    return commit === null ? [] : examine({ engine, chain, commit });
  };

  it("are what balanceOf says, of every wallet now and of some at past blocks", async () => {
    const { number } = await node.head();
    const now = await heldAt(number);
    expect(now.length).toBeGreaterThan(100);
    await expectAsContractsSay(now, number);
    const random = new Random(3, 0);
    for (let look = 0; look < LOOKS; look++) {
      const block = 1 + random.below(number);
      const held = await heldAt(block);
      const from = random.below(Math.max(1, held.length - HOLDINGS));
      await expectAsContractsSay(held.slice(from, from + HOLDINGS), block);
    }
  });

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

  it("are those of the fork that won", async () => {
    await node.trade(6, 91);
    await index(0);
    await node.rpc("anvil_rollback", 5);
    await node.trade(7, 92);
    const number = await index(0);
    await expectAsContractsSay(await heldAt(number), number);
    await expectAsContractsSay((await heldAt(number - 4)).slice(0, HOLDINGS), number - 4);
    expect(await findings()).toEqual([]);
  });

  it("are unknown, and never wrong, where the index begins amid the chain", async () => {
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

  it("are found damaged by the doctor", async () => {
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
    expect((await findings()).map(({ law }) => law)).toEqual(
      expect.arrayContaining(["rows of token_balances", "balances as transferred"]),
    );
    await engine.execute(sql`INSERT INTO ${table} SELECT * FROM damaged`);
    expect((await findings()).map(({ law }) => law)).toEqual(["balances as transferred"]);
  });
});
