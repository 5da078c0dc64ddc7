import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Devnet } from "../src/cli/demo/devnet.ts";
import type { Hex } from "../src/lib/hex.ts";
import { openRpcSource } from "../src/sources/rpc-source.ts";
import { withoutFileHandles } from "../test/support/processes/file-handles.ts";
import { isRunning } from "../test/support/processes/processes.ts";
import { startDevnet } from "./devnet.ts";
import { POOLS, RUG_POOL, V2_FACTORY, V3_FACTORY } from "./market/pools.ts";
import {
  BALANCER_VAULT,
  V4_MANAGER,
  V4_POOLS,
  WEIGHTED_FACTORY,
  WEIGHTED_POOL,
} from "./market/shared/shared-pools.ts";
import { TAXED, TOKENS, USDC, WETH } from "./market/tokens.ts";
import { assignWallets } from "./market/wallets.ts";
import { encodeCall, keccakText } from "./node/call-data.ts";
import { COLLECTION, MULTICALL } from "./node/genesis.ts";
import { NodeClient } from "./node/node-client.ts";

const END = 1_700_000_000;
const SETTINGS = { seed: 7, days: 0.3, endTime: END };

interface RawLog {
  address: Hex;
  topics: Hex[];
}

interface RawReceipt {
  from: Hex;
  to: Hex;
  status: Hex;
  logs: RawLog[];
}

interface RawBlock {
  number: Hex;
  hash: Hex;
  timestamp: Hex;
  transactions: object[];
}

const folders: string[] = [];

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "quarry-demo-"));
  folders.push(folder);
  return folder;
}

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

async function head(client: NodeClient): Promise<RawBlock> {
  return (await client.call("eth_getBlockByNumber", "latest", false)) as RawBlock;
}

/** Returns every block up to `last` with all its receipts, as the node returns them. */
async function wholeChain(client: NodeClient, last: number): Promise<[RawBlock, RawReceipt[]][]> {
  const chain: [RawBlock, RawReceipt[]][] = [];
  for (let number = 0; number <= last; number++) {
    const tag = `0x${number.toString(16)}`;
    const answers = await client.batch([
      ["eth_getBlockByNumber", [tag, true]],
      ["eth_getBlockReceipts", [tag]],
    ]);
    chain.push(answers as [RawBlock, RawReceipt[]]);
  }
  return chain;
}

describe("a history", () => {
  const directory = temporaryFolder();
  let devnet: Devnet;
  let client: NodeClient;
  let last: RawBlock;
  let chain: [RawBlock, RawReceipt[]][];
  let receipts: RawReceipt[];

  beforeAll(async () => {
    devnet = await startDevnet({ directory, ...SETTINGS });
    client = new NodeClient(devnet.url);
    await devnet.historyDone;
    last = await head(client);
    chain = await wholeChain(client, Number(last.number));
    receipts = chain.flatMap(([, ofBlock]) => ofBlock);
  });

  afterAll(() => devnet.stop());

  const logsOf = (signature: string): RawLog[] => {
    const topic = keccakText(signature);
    return receipts.flatMap(({ logs }) => logs).filter(({ topics }) => topics[0] === topic);
  };

  it("ends at the end time and leaves no transaction behind", async () => {
    expect(Number(last.timestamp)).toBe(END);
    expect(await client.call("txpool_status")).toEqual({ pending: "0x0", queued: "0x0" });
  });

  it("is the same chain for the same seed and end time", async () => {
    const same = await startDevnet({ directory: temporaryFolder(), ...SETTINGS });
    try {
      await same.historyDone;
      expect((await head(new NodeClient(same.url))).hash).toBe(last.hash);
    } finally {
      await same.stop();
    }
  });

  it("is a different chain for another seed", async () => {
    const number = 150;
    const other = await startDevnet({ directory: temporaryFolder(), ...SETTINGS, seed: SETTINGS.seed + 1 });
    const blockOf = async (url: string) =>
      (await new NodeClient(url).call("eth_getBlockByNumber", `0x${number.toString(16)}`, false)) as RawBlock;
    try {
      // The first blocks already differ, so the others need not be mined.
      await expect.poll(() => blockOf(other.url), { timeout: 60_000 }).not.toBeNull();
      expect((await blockOf(other.url)).transactions).not.toEqual((await blockOf(devnet.url)).transactions);
    } finally {
      await other.stop();
    }
  });

  it("has valid hashes, transactions roots and receipts roots in every block", async () => {
    const source = await openRpcSource({ urls: [devnet.url], chain: devnet.chain, verify: true });
    try {
      let count = 0;
      const range = { from: 0, to: Number(last.number) };
      for await (const block of source.blocks(range, new AbortController().signal)) {
        expect(block.hash).toBe(chain[block.number]?.[0].hash);
        count += 1;
      }
      expect(count).toBe(chain.length);
    } finally {
      await source.close();
    }
  });

  it("trades in genuine pools: the factories know them, and CREATE2 gives their addresses", async () => {
    for (const pool of POOLS) {
      const tokens = [pool.token0.address, pool.token1.address] as const;
      const [to, data] =
        pool.version === 2
          ? [V2_FACTORY, encodeCall("getPair(address,address)", ...tokens)]
          : [V3_FACTORY, encodeCall("getPool(address,address,uint24)", ...tokens, pool.fee)];
      const answer = (await client.call("eth_call", { to, data }, "latest")) as Hex;
      expect(`0x${answer.slice(26)}`).toBe(pool.address);
    }
    expect(POOLS.map(({ address }) => address)).toContain("0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640");
  });

  it("trades in pools of the real PoolManager and of the real Vault", async () => {
    const read = async (to: Hex, signature: string, ...args: Hex[]): Promise<Hex> =>
      (await client.call("eth_call", { to, data: encodeCall(signature, ...args) }, "latest")) as Hex;
    for (const { slot } of V4_POOLS) {
      expect(BigInt(await read(V4_MANAGER, "extsload(bytes32)", slot))).toBeGreaterThan(0n);
    }
    // The key and the id are the same as for the pool on mainnet.
    expect(V4_POOLS[0]?.id).toBe("0x21c67e77068de97969ba93d4aab21826d33ca12bb9f565d8496e8fda8a82ca27");
    const { address, tokens, weights } = WEIGHTED_POOL;
    expect(BigInt(await read(WEIGHTED_FACTORY, "isPoolFromFactory(address)", address))).toBe(1n);
    expect(BigInt(await read(address, "getVault()"))).toBe(BigInt(BALANCER_VAULT));
    const words = (await read(address, "getNormalizedWeights()")).slice(2).match(/.{64}/g) ?? [];
    expect(words.slice(2).map((word) => Number(BigInt(`0x${word}`)) / 1e18)).toEqual(weights);
    const held = await read(BALANCER_VAULT, "getPoolTokens(bytes32)", await read(address, "getPoolId()"));
    for (const token of tokens) expect(held).toContain(token.address.slice(2));
  });

  it("has every event of a market", () => {
    const least: Record<string, number> = {
      "PairCreated(address,address,address,uint256)": 20,
      "PoolCreated(address,address,uint24,int24,address)": 20,
      "Swap(address,uint256,uint256,uint256,uint256,address)": 300,
      "Swap(address,address,int256,int256,uint160,uint128,int24)": 300,
      "Sync(uint112,uint112)": 300,
      "Mint(address,uint256,uint256)": 23,
      "Burn(address,uint256,uint256,address)": 2,
      "Mint(address,address,int24,int24,uint128,uint256,uint256)": 60,
      "Burn(address,int24,int24,uint128,uint256,uint256)": 2,
      "Collect(address,address,int24,int24,uint128,uint128)": 2,
      "Deposit(address,uint256)": 200,
      "Initialize(bytes32,address,address,uint24,int24,address,uint160,int24)": 2,
      "ModifyLiquidity(bytes32,address,int24,int24,int256,bytes32)": 8,
      "Swap(bytes32,address,int128,int128,uint160,uint128,int24,uint24)": 40,
      "PoolBalanceChanged(bytes32,address,address[],int256[],uint256[])": 3,
      "Swap(bytes32,address,address,uint256,uint256)": 30,
    };
    for (const [signature, count] of Object.entries(least)) {
      expect([signature, logsOf(signature).length >= count]).toEqual([signature, true]);
    }
  });

  it("has trades of every kind of actor", async () => {
    const accounts = (await client.call("eth_accounts")) as string[];
    const wallets = assignWallets(accounts.map((account) => account.toLowerCase() as Hex));
    const opening = 60;
    const senders = new Set(receipts.slice(opening).map(({ from }) => from));
    const { whale, sandwicher, rugger, washers } = wallets;
    for (const actor of [whale, sandwicher, rugger, ...washers]) expect(senders).toContain(actor);
    const groups = [wallets.arbitrageurs, wallets.trendFollowers, wallets.makers, wallets.retail];
    for (const group of groups) expect(group.some((wallet) => senders.has(wallet))).toBe(true);
  });

  it("has some failed transactions, and not too many", () => {
    const failed = receipts.filter(({ status }) => status === "0x0").length;
    expect(failed).toBeGreaterThan(5);
    expect(failed / receipts.length).toBeLessThan(0.1);
  });

  it("trades every token, including the taxed one", () => {
    const moved = new Set(logsOf("Transfer(address,address,uint256)").map(({ address }) => address));
    for (const token of TOKENS)
      expect([token.symbol, moved.has(token.address)]).toEqual([token.symbol, true]);
    const swapped = new Set(
      logsOf("Swap(address,uint256,uint256,uint256,uint256,address)").map((log) => log.address),
    );
    const taxed = POOLS.filter(({ token0, token1 }) => [token0, token1].includes(TAXED));
    expect(taxed.some(({ address }) => swapped.has(address))).toBe(true);
  });

  it("pulls the rug: almost nothing is left in the pool", async () => {
    const data = encodeCall("balanceOf(address)", RUG_POOL.address);
    const left = (await client.call("eth_call", { to: WETH.address, data }, "latest")) as Hex;
    expect(BigInt(left)).toBeLessThan(10n * 10n ** 18n);
    expect(
      logsOf("Burn(address,uint256,uint256,address)").some(({ address }) => address === RUG_POOL.address),
    ).toBe(true);
  });

  it("moves pieces of the collection", () => {
    const moves = logsOf("Transfer(address,address,uint256)").filter(({ address }) => address === COLLECTION);
    expect(moves.length).toBeGreaterThan(40);
    expect(moves.every(({ topics }) => topics.length === 4)).toBe(true);
  });

  it("returns names, symbols and decimals, including through the multicall", async () => {
    const text = async (to: Hex, what: string): Promise<string> => {
      const answer = (await client.call("eth_call", { to, data: encodeCall(what) }, "latest")) as string;
      return Buffer.from(answer.slice(2), "hex").toString("latin1");
    };
    for (const token of TOKENS) {
      expect(await text(token.address, "symbol()")).toContain(token.symbol);
      expect(await text(token.address, "name()")).toContain(token.name);
    }
    expect((await text(USDC.address, "decimals()")).charCodeAt(31)).toBe(6);
    expect(((await client.call("eth_getCode", MULTICALL, "latest")) as string).length).toBeGreaterThan(100);
  });
});

describe("a saved chain", () => {
  it("resumes after a stop and after a crash, with the same old blocks", async () => {
    const options = { directory: temporaryFolder(), seed: 7, days: 0.05, endTime: END };
    const first = await startDevnet(options);
    await first.historyDone;
    const client = new NodeClient(first.url);
    const count = Number((await head(client)).number);
    const before = await wholeChain(client, count);
    await first.stop();
    expect(isRunning(first.pid)).toBe(false);

    const second = await startDevnet({ ...options, endTime: END + 900 });
    await second.historyDone;
    const secondClient = new NodeClient(second.url);
    expect(await wholeChain(secondClient, count)).toEqual(before);
    const grown = await head(secondClient);
    expect(Number(grown.number)).toBe(count + 45);
    process.kill(second.pid, "SIGKILL");
    await second.stop();

    const third = await startDevnet({ ...options, endTime: END + 900 });
    try {
      await third.historyDone;
      expect((await head(new NodeClient(third.url))).hash).toBe(grown.hash);
    } finally {
      await third.stop();
    }
  });

  it("goes live with current blocks, at the chosen interval", async () => {
    const options = { directory: temporaryFolder(), seed: 7, days: 0.01, blockTimeMs: 6_000 };
    const devnet = await startDevnet(options);
    try {
      expect(devnet.chain.blockTimeMs).toBe(6_000);
      await devnet.historyDone;
      const client = new NodeClient(devnet.url);
      const before = Number((await head(client)).number);
      devnet.goLive();
      const liveBlock = async (count: number) => {
        await expect
          .poll(async () => Number((await head(client)).number), { timeout: 30_000 })
          .toBe(before + count);
        return Number((await head(client)).timestamp);
      };
      // A busy machine may mine the first live block late.
      const first = await liveBlock(1);
      expect((await liveBlock(2)) - first).toBeGreaterThan(2);
      expect(Math.abs(Number((await head(client)).timestamp) - Date.now() / 1_000)).toBeLessThan(5);
    } finally {
      await devnet.stop();
    }
    expect(isRunning(devnet.pid)).toBe(false);
  });

  it("continues after a time without a free file handle, and has recorded every block", async () => {
    const options = { directory: temporaryFolder(), seed: 7, days: 0.01, blockTimeMs: 1_000 };
    const devnet = await startDevnet(options);
    try {
      await devnet.historyDone;
      const client = new NodeClient(devnet.url);
      const headNumber = async () => Number((await head(client)).number);
      const before = await headNumber();
      await withoutFileHandles(async () => {
        devnet.goLive();
        // Long enough for a block to be due.
        await sleep(2_500);
      });
      const more = expect.poll(headNumber, { timeout: 30_000 }).toBeGreaterThan(before + 1);
      await Promise.race([more, devnet.failed]);
      const last = await headNumber();
      const journal = readFileSync(join(options.directory, "journal"), "utf8");
      const noted = [...journal.matchAll(/^\d+/gm)].map(Number);
      for (let number = before + 1; number <= last; number++) expect(noted).toContain(number);
    } finally {
      await devnet.stop();
    }
  });

  it.each(["in the history", "live"])("reports that its node is gone: %s", async (when) => {
    const days = when === "live" ? 0.01 : 2;
    const devnet = await startDevnet({ directory: temporaryFolder(), seed: 7, days });
    if (when === "live") {
      await devnet.historyDone;
      devnet.goLive();
    }
    process.kill(devnet.pid, "SIGKILL");
    await expect(devnet.failed).rejects.toThrow(/anvil.* exited unexpectedly \(SIGKILL\)\. Start again/);
    if (when !== "live") await expect(devnet.historyDone).rejects.toThrow(/exited unexpectedly/);
    await devnet.stop();
  });

  it("is refused when it cannot be read, and leaves no node running", async () => {
    const directory = temporaryFolder();
    const first = await startDevnet({ directory, seed: 7, days: 0.01, endTime: END });
    await first.historyDone;
    await first.stop();
    expect(existsSync(join(directory, "state.json.gz"))).toBe(true);
    writeFileSync(join(directory, "state.json.gz"), "not a state");
    const again = startDevnet({ directory, seed: 7, days: 0.01, endTime: END });
    await expect(again).rejects.toMatchObject({ code: "data-directory" });
  });
});
