import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { devnetChain } from "../../devnet/chain.ts";
import { encodeCall, word } from "../../devnet/node/call-data.ts";
import type { Chain } from "../../src/chains/chain.ts";
import { STORE_INVARIANTS } from "../../src/doctor/invariants/store/store-invariants.ts";
import { hexText, sql } from "../../src/engine-sql/sql-text.ts";
import { Indexer } from "../../src/ingest/indexer.ts";
import { OpeningFinder } from "../../src/ingest/openings/opening-finder.ts";
import { systemClock } from "../../src/lib/async/clock.ts";
import type { Hex } from "../../src/lib/hex.ts";
import { readPoolTvls } from "../../src/reads/pools/pool-tvl.ts";
import { readSnapshot } from "../../src/reads/snapshot/snapshot.ts";
import { openRpcSource } from "../../src/sources/rpc-source.ts";
import { openChainStore } from "../../src/storage/clickhouse-store.ts";
import { openEmbeddedEngine } from "../../src/storage/engines/embedded-engine.ts";
import type { ChainStore, Engine } from "../../src/storage/store.ts";
import { engineTable } from "../../src/storage/tables/ddl.ts";
import { type MarketNode, startMarketNode } from "../support/markets/market-node.ts";
import { type FullNode, startFullNode } from "../support/nodes/full-node.ts";
import { ROOT, temporaryFolder } from "../support/processes/processes.ts";

const quiet = { info() {}, warn() {} };
const FINALITY_BLOCKS = 3;
/** Fewer than any real node keeps, so even a short chain has old blocks. */
const KEPT_BLOCKS = 10;
const PAUSES = { roundMs: 20, idleMs: 40, applyMs: 400, engineShare: 1, applyShare: 1 };

const REBASING: Hex = `0x${"7e".repeat(20)}`;
const TAXED: Hex = `0x${"7a".repeat(20)}`;
const MINTER_SLOT = "0x1";

function chainNamed(name: string): Chain {
  return { ...devnetChain(), name, finality: { kind: "depth", blocks: FINALITY_BLOCKS } };
}

interface RunningIndex {
  chain: Chain;
  store: ChainStore;
  finder: OpeningFinder | null;
  /** Stops the index abruptly, in the middle of its work. */
  stop(): Promise<void>;
}

let node: MarketNode;
let full: FullNode;
let engine: Engine;
let accounts: Hex[];
let middle: number;
let seed = 100;
const folder = temporaryFolder();
const indexes: RunningIndex[] = [];

beforeAll(async () => {
  node = await startMarketNode(12);
  full = await startFullNode(node.url, KEPT_BLOCKS);
  engine = await openEmbeddedEngine({ path: folder.path });
  accounts = await node.rpc<Hex[]>("eth_accounts");
  await deployOddTokens();
  await node.trade(20, ++seed);
  middle = (await node.head()).number;
  await node.trade(10, ++seed);
  await oddTransfers();
});

afterAll(async () => {
  for (const index of indexes) await index.stop();
  await engine?.close();
  await full?.stop();
  await node?.stop();
  folder.remove();
});

async function send(to: Hex, data: Hex, from = accounts[0]): Promise<void> {
  await node.rpc("eth_sendTransaction", { from, to, data, gas: "0x4c4b40", gasPrice: "0x2e90edd000" });
  await node.rpc("evm_mine");
}

/** Deploys a token that rebases, and one that keeps a part of each transfer without reporting it. */
async function deployOddTokens(): Promise<void> {
  const codes = JSON.parse(readFileSync(join(ROOT, "devnet/contracts/artifacts.json"), "utf8")) as Record<
    string,
    Hex
  >;
  await node.rpc("anvil_setCode", REBASING, codes.RebasingToken);
  await node.rpc("anvil_setCode", TAXED, codes.SilentlyTaxedToken);
  await node.rpc("anvil_setStorageAt", TAXED, MINTER_SLOT, `0x${word(accounts[0] ?? "0x")}`);
  await send(REBASING, encodeCall("rebase(uint256)", 1n));
  const mint = encodeCall("mint(address[],uint256)", accounts.slice(0, 6), 1_000_000n);
  for (const token of [REBASING, TAXED]) await send(token, mint);
}

async function oddTransfers(): Promise<void> {
  for (const token of [REBASING, TAXED])
    for (const i of [0, 1, 2, 3])
      await send(
        token,
        encodeCall("transfer(address,uint256)", accounts[i + 1] ?? "0x", 5_000n),
        accounts[i],
      );
}

interface OpenOptions {
  url?: string;
  from?: number;
  mode?: "pools" | "all" | null;
}

async function openIndex(
  name: string,
  { url = full.url, from = middle, mode = "all" }: OpenOptions = {},
): Promise<RunningIndex> {
  const chain = chainNamed(name);
  const stop = new AbortController();
  const source = await openRpcSource({ urls: url.split(","), chain, verify: true, signal: stop.signal });
  const store = await openChainStore(engine, name);
  const options = { chain, engine, store, source, logger: quiet };
  const finder =
    mode === null ? null : new OpeningFinder({ ...options, mode, readsPerSecond: 1e6, pauses: PAUSES });
  const indexer = new Indexer({
    ...{ ...options, from, to: null, pollMs: 20, signal: stop.signal },
    ...(finder === null ? {} : { openings: finder }),
  });
  const running = Promise.all([indexer.run(), finder?.run(stop.signal)]);
  running.catch((error) => console.error(error));
  const index = {
    chain,
    store,
    finder,
    stop: async () => {
      if (stop.signal.aborted) return;
      stop.abort();
      await running.catch(() => undefined);
      await source.close();
    },
  };
  indexes.push(index);
  return index;
}

async function until(isTrue: () => Promise<boolean> | boolean, what: () => unknown): Promise<void> {
  const deadline = systemClock.monotonic() + 30_000;
  while (!(await isTrue())) {
    if (systemClock.monotonic() > deadline) throw new Error(`never: ${JSON.stringify(what())}`);
    await sleep(20);
  }
}

async function caughtUp({ store }: RunningIndex): Promise<void> {
  const head = await node.head();
  await until(
    async () => (await store.committed())?.blockHash === head.hash,
    () => head,
  );
}

/**
 * Waits until the tables contain every opening balance that can be found now. Mines blocks, so that all
 * earlier ones are final.
 */
async function settled(index: RunningIndex): Promise<void> {
  const { finder } = index;
  if (finder === null) return caughtUp(index);
  await caughtUp(index);
  for (let quiet = 0; quiet < 2; quiet++) {
    const { rounds } = finder;
    await until(
      () => finder.rounds > rounds + 1,
      () => finder.progress,
    );
    for (let i = 0; i <= FINALITY_BLOCKS; i++) await node.rpc("evm_mine");
    await caughtUp(index);
    const { reading, unapplied } = finder.progress ?? { reading: 0, unapplied: 0 };
    if (reading > 0 || unapplied > 0) quiet = -1;
  }
}

/** Returns the newest balance of each holding. */
async function balances({ chain: { name } }: RunningIndex): Promise<Map<string, string | null>> {
  const rows = await engine.query<{ holding: string; balance: string | null; tokens: number | null }>(
    sql`SELECT ${hexText(sql`wallet_address`, sql`token_address`)} AS holding,
      toString(tupleElement(argMax(tuple(balance_base), record_index), 1)) AS balance,
      tupleElement(argMax(tuple(balance_token), record_index), 1) AS tokens
      FROM ${engineTable(name, "token_balances")} GROUP BY wallet_address, token_address`,
  );
  return new Map(
    rows.map(({ holding, balance, tokens }) => [holding, balance === null ? null : `${balance} ${tokens}`]),
  );
}

async function reasons({ chain: { name } }: RunningIndex): Promise<Map<string, string>> {
  const rows = await engine.query<{ holding: string; reason: string }>(
    sql`SELECT ${hexText(sql`wallet_address`, sql`token_address`)} AS holding, concat(status, ' ', ifNull(reason, '')) AS reason
      FROM ${`${name}_opening_balances` as never} FINAL`,
  );
  return new Map(rows.map(({ holding, reason }) => [holding, reason]));
}

async function tvls(index: RunningIndex): Promise<Map<string, string | null>> {
  const { chain, store } = index;
  const pools = await engine.query<{ pool: Hex }>(
    sql`SELECT ${hexText(sql`pool_address`)} AS pool FROM ${engineTable(chain.name, "pool_metadata")}`,
  );
  const requested = pools.map(({ pool }) => pool);
  const { answer, asOf } = await readSnapshot(
    { engine, chains: [{ chain, store }] },
    chain.name,
    {},
    (snapshot) => readPoolTvls(snapshot, requested, "price_token_usd_tick_1", snapshot.commit.timestamp),
  );
  expect(asOf?.blockNumber).toBe((await node.head()).number);
  return new Map(
    [...answer].map(([pool, { sides }]) => {
      const held = sides.map(({ balance }) => balance);
      return [`${pool}`, held.includes(null) ? null : held.join(" ")];
    }),
  );
}

/**
 * Compares all known balances of holdings and pools with an index of the whole chain. Returns the number of
 * known holdings, and the reasons why the others are unknown.
 */
async function agrees(
  index: RunningIndex,
  whole: RunningIndex,
): Promise<{ known: number; unknown: string[] }> {
  await caughtUp(whole);
  const [expected, found, why] = [await balances(whole), await balances(index), await reasons(index)];
  const unknown = [...found].filter(([, balance]) => balance === null).map(([holding]) => holding);
  for (const [holding, balance] of found)
    if (balance !== null) expect(balance, holding).toBe(expected.get(holding));
  const wholeTvl = await tvls(whole);
  for (const [pool, held] of await tvls(index))
    if (held !== null) expect(held, pool).toBe(wholeTvl.get(pool));
  return {
    known: found.size - unknown.length,
    unknown: unknown.map((holding) => why.get(holding) ?? `none: ${holding}`),
  };
}

/** Returns the balance that the contract reports now. */
async function balanceOf(holding: string): Promise<bigint> {
  const data = encodeCall("balanceOf(address)", holding.slice(0, 42) as Hex);
  return BigInt(await node.rpc<Hex>("eth_call", { to: `0x${holding.slice(42)}`, data }, "latest"));
}

const isOdd = (holding: string) => [REBASING, TAXED].some((token) => holding.endsWith(token.slice(2)));

/** Matches the reasons that the search stores for unknown balances. */
const REASON =
  /^(waiting awaiting_transfer|rejected (not_as_transferred|no_balance_reported|transfers_too_large))$/;

/**
 * Returns the names of the store's invariants that are violated. Does not check the invariants of blocks.
 */
async function damageOf({ chain, store }: RunningIndex): Promise<string[]> {
  const commit = await store.committed();
  if (commit === null) throw new Error("nothing is indexed");
  const found: string[] = [];
  for (const { name, find } of STORE_INVARIANTS)
    if ((await find({ engine, chain, commit })).length > 0) found.push(name);
  return found;
}

describe("an index that began in the middle of the chain", () => {
  let whole: RunningIndex;
  let tries = 0;

  beforeAll(async () => {
    whole = await openIndex("whole", { from: 0, mode: null, url: node.url });
  });

  it("finds all balances with an archive node, except those that change without transfers", async () => {
    const index = await openIndex("archived", { url: node.url });
    await settled(index);
    const { known, unknown } = await agrees(index, whole);
    expect(known).toBeGreaterThan(100);
    for (const reason of unknown) expect(reason).toMatch(REASON);
    expect(await damageOf(index)).toEqual([]);
    const why = await reasons(index);
    const taxed = [...why].filter(([holding]) => holding.endsWith(TAXED.slice(2)));
    expect(taxed.filter(([, reason]) => reason.startsWith("rejected")).length).toBeGreaterThan(2);
    await index.stop();
  }, 180_000);

  it("finds balances of pools and holders with a node that has no old state, through restarts and reorgs", async () => {
    // A retry must also start with an empty store.
    const name = `full_${++tries}`;
    let index = await openIndex(name);
    await settled(index);
    expect(index.finder?.progress).toMatchObject({ confirmed: 0, message: null });
    expect((await agrees(index, whole)).unknown.length).toBeGreaterThan(100);
    await index.stop();
    index = await openIndex(name);
    await node.trade(8, ++seed);
    await caughtUp(index);
    await node.rpc("anvil_rollback", 2);
    await node.trade(FINALITY_BLOCKS + 3, ++seed);
    await settled(index);
    const { confirmed } = index.finder?.progress ?? {};
    expect(confirmed).toBeGreaterThan(30);
    const { known, unknown } = await agrees(index, whole);
    expect(known).toBeGreaterThan(40);
    for (const reason of unknown) expect(reason).toMatch(REASON);
    expect(await damageOf(index)).toEqual([]);
    const valued = [...(await tvls(index)).values()].filter((held) => held !== null);
    expect(valued.length).toBeGreaterThan(10);
    await index.stop();
  }, 240_000);

  it("leaves balances unknown for tokens that rebase or tax silently", async () => {
    const index = await openIndex("odd");
    await settled(index);
    await send(REBASING, encodeCall("rebase(uint256)", 2n));
    await oddTransfers();
    await settled(index);
    const odd = [...(await balances(index))].filter(([holding]) => isOdd(holding));
    const why = await reasons(index);
    expect(odd.length).toBeGreaterThan(8);
    for (const [holding, balance] of odd)
      if (balance !== null)
        expect(BigInt(balance.split(" ")[0] ?? ""), holding).toBe(await balanceOf(holding));
      else expect(why.get(holding), holding).toMatch(REASON);
    const rejected = [...why].filter(
      ([holding, reason]) => isOdd(holding) && reason === "rejected not_as_transferred",
    );
    expect(rejected.length).toBeGreaterThan(6);
    await index.stop();
  }, 180_000);
});
