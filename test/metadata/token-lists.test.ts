import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { devnetChain } from "../../devnet/chain.ts";
import type { TokenList } from "../../src/chains/token-list.ts";
import { tokenCalls } from "../../src/decode/discovery/token-metadata.ts";
import type { Sql } from "../../src/engine-sql/sql-text.ts";
import type { Hex } from "../../src/lib/hex.ts";
import type { Token } from "../../src/schema/swap.ts";
import type { Source } from "../../src/sources/source.ts";
import { openEmbeddedEngine } from "../../src/storage/engines/embedded-engine.ts";
import { tableChecksumsApart } from "../support/engine/table-checksums.ts";
import { wholeBlocks } from "../support/era-files/whole-blocks.ts";
import { writeEre } from "../support/era-files/write-era.ts";
import { type MarketNode, startMarketNode } from "../support/markets/market-node.ts";
import { bundleCounts, MAINNET } from "../support/nodes/bundles.ts";
import { type FullNode, startFullNode } from "../support/nodes/full-node.ts";
import { startReplayNode } from "../support/nodes/replay/replay-node.ts";
import { type IndexRuns, openIndexRuns } from "../support/processes/index-runs.ts";
import { type Node, runQuarry, temporaryFolder } from "../support/processes/processes.ts";

const USDC = { address: "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48", decimals: 6 } as const;
const folder = temporaryFolder();
afterAll(() => folder.remove());

function listFile(name: string, chainId: number, tokens: object[]): string {
  const path = join(folder.path, name);
  writeFileSync(path, JSON.stringify({ name, tokens: tokens.map((token) => ({ chainId, ...token })) }));
  return path;
}

async function quarry(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runQuarry(args);
  expect(code, stdout + stderr).toBe(0);
  return stdout + stderr;
}

async function rowsIn(data: string, query: string): Promise<unknown[]> {
  const { code, stdout, stderr } = await runQuarry(["query", query, "--data", data, "--format", "json"]);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as unknown[];
}

describe("a list with all tokens", () => {
  const { first: from, last: to } = bundleCounts(MAINNET);
  let node: Node;
  let runs: IndexRuns;

  beforeAll(async () => {
    node = await startReplayNode([MAINNET]);
    runs = await openIndexRuns();
  });

  afterAll(async () => {
    await node?.stop();
    await runs?.close();
  });

  it("gives the tables that their contracts give, bit for bit, whatever the batches and caches", async () => {
    const called = await runs.index({ urls: [node.url], from, to });
    expect(called.tokens.filter(({ decimals }) => decimals !== null).length).toBeGreaterThan(100);
    const tokenList: TokenList = new Map(called.tokens.map((token) => [token.address, token]));
    const run = { urls: [node.url], from, to, over: withoutMetadata };
    expect((await runs.index(run)).tables).not.toEqual(called.tables);
    expect((await runs.index({ ...run, tokenList })).tables).toEqual(called.tables);
    const cacheLimits = { pools: 1, tokens: 1, balances: 1 };
    const small = await runs.index({ ...run, tokenList, batchBlocks: 1, cacheLimits });
    expect(small.tables).toEqual(called.tables);
  });

  it("changes nothing where contracts reveal their metadata", async () => {
    const called = await runs.index({ urls: [node.url], from, to });
    const tokenList = new Map(called.tokens.map((token) => [token.address, pretended(token)]));
    const { tokens } = await runs.index({ urls: [node.url], from, to, tokenList });
    const expected = called.tokens.map(({ address, symbol, name, decimals }) => ({
      address,
      symbol: symbol ?? "PRETENDED",
      name: name ?? "Pretended",
      decimals: decimals ?? 1,
    }));
    expect(byAddress(tokens)).toEqual(byAddress(expected));
  });
});

const byAddress = (tokens: Token[]) => new Map(tokens.map((token) => [token.address, token]));

const pretended = (token: Token): Token => ({
  ...token,
  symbol: "PRETENDED",
  name: "Pretended",
  decimals: 1,
});

/** Selectors of symbol(), name() and decimals(). */
const METADATA = tokenCalls([{ address: "0x01", block: { number: 1 } }]).map(({ data }) => data);

/** Wraps an endpoint so that its token contracts return no metadata. */
async function withoutMetadata(node: Source): Promise<Source> {
  return {
    head: (known) => node.head(known),
    nextHead: (pollMs, signal) => node.nextHead(pollMs, signal),
    blockRef: (number) => node.blockRef(number),
    hasBlock: (block) => node.hasBlock(block),
    requireUndisputed: (block) => node.requireUndisputed(block),
    finalized: () => node.finalized(),
    blocks: (range, signal) => node.blocks(range, signal),
    pastLogs: (filter) => node.pastLogs(filter),
    close: () => node.close(),
    async call(calls) {
      const results = await node.call(calls);
      return results?.map((result, i) => (METADATA.includes(calls[i]?.data ?? "0x") ? null : result)) ?? null;
    },
  };
}

describe("quarry index --files --tokens", () => {
  const blocks = wholeBlocks(4);
  const numbers = blocks.map(({ encoded }) => encoded.number);
  const anchor = blocks.at(-1)?.block.hash ?? "";
  const files = join(folder.path, "ere");
  const data = join(folder.path, "listed");

  const index = (into: string, ...args: string[]) =>
    quarry("index", "--files", files, "--anchor", anchor, "--data", into, ...args);

  beforeAll(() => {
    mkdirSync(files);
    writeFileSync(join(files, "all.ere"), writeEre(blocks.map(({ encoded }) => encoded)));
  });

  const TRANSFERS = `SELECT token_symbol, COUNT(*) AS transfers, COUNT(value_token) AS in_tokens,
    COUNT(value_usd) AS in_usd FROM eth_erc20 WHERE token_address = '${USDC.address}' GROUP BY token_symbol`;

  it("gives listed tokens names, decimals and values without an endpoint, and warns of the others", async () => {
    const tokens = listFile("usdc.json", 1, [{ ...USDC, symbol: "USDC", name: "USD Coin" }]);
    const printed = await index(data, "--tokens", tokens);
    expect(printed).toContain(
      "without an endpoint, contracts cannot be called: only tokens in --tokens have names",
    );
    const [transfers] = (await rowsIn(data, TRANSFERS)) as { transfers: number }[];
    expect(Number(transfers?.transfers)).toBeGreaterThan(10);
    expect(transfers).toEqual({
      token_symbol: "USDC",
      transfers: transfers?.transfers,
      in_tokens: transfers?.transfers,
      in_usd: transfers?.transfers,
    });
    const known = "SELECT token_address, token_symbol, token_name, decimals FROM eth_token_metadata";
    expect(await rowsIn(data, `${known} WHERE decimals IS NOT NULL OR token_name IS NOT NULL`)).toEqual([
      { token_address: USDC.address, token_symbol: "USDC", token_name: "USD Coin", decimals: USDC.decimals },
    ]);
    const without = join(folder.path, "without");
    await index(without);
    expect(await rowsIn(without, TRANSFERS)).toEqual([
      { token_symbol: null, transfers: transfers?.transfers, in_tokens: 0, in_usd: 0 },
    ]);
    const stays = `"tokens":1,"firstBlock":${numbers[0]},"msg":"some stored tokens lack values that the lists of --tokens contain`;
    expect(await index(without, "--tokens", tokens)).toContain(stays);
  });

  it("gives the same tables after a restart and after blocks were rolled back", async () => {
    const tokens = listFile("again.json", 1, [{ ...USDC, symbol: "USDC", name: "USD Coin" }]);
    const tables = await tableChecksumsApart(data, "eth");
    const parts = join(folder.path, "parts");
    await index(parts, "--tokens", tokens, "--to", String(numbers[1]));
    expect(await index(parts, "--tokens", tokens)).not.toContain("stored tokens lack");
    expect(await tableChecksumsApart(parts, "eth")).toEqual(tables);
    await quarry("rewind", String(numbers[0]), "--data", parts);
    await index(parts, "--tokens", tokens);
    expect(await tableChecksumsApart(parts, "eth")).toEqual(tables);
  });

  it.each([["index"], ["start"], ["doctor"]])(
    "quarry %s refuses a bad list before anything is opened",
    async (command) => {
      const unused = join(folder.path, "unused");
      const bad = listFile("bad.json", 1, [{ ...USDC, symbol: "USDC", name: "USD Coin", decimals: 300 }]);
      const place = ["--rpc", "http://127.0.0.1:1", "--data", unused, "--port", "0"];
      const { code, stdout, stderr } = await runQuarry([
        command,
        ...(command === "index" ? place.slice(0, 4) : place),
        "--tokens",
        bad,
      ]);
      expect(code).toBe(2);
      expect(stderr).toContain(`--tokens ${bad}: tokens.0.decimals: Too big`);
      expect(stdout).toBe("");
      expect(existsSync(unused)).toBe(false);
    },
  );
});

describe("quarry doctor --deep --tokens", () => {
  const { name: _, ...chain } = devnetChain();
  const config = join(folder.path, "quarry.json");
  const data = join(folder.path, "gone");
  let archive: MarketNode;
  let full: FullNode;
  let token: { address: Hex };

  /**
   * Deploys a token with a pool, removes its contract, and starts a node that has only the newest state.
   */
  beforeAll(async () => {
    archive = await startMarketNode(10);
    token = { address: (await archive.list({ symbol: "GONE", decimals: 9, version: 2 })).token };
    await archive.trade(5, 3);
    await archive.rpc("anvil_setCode", token.address, "0x");
    await archive.trade(1, 4);
    full = await startFullNode(archive.url, 1);
    writeFileSync(config, JSON.stringify({ chains: { own: chain } }));
  });

  afterAll(async () => {
    await full?.stop();
    await archive?.stop();
  });

  const place = () => ["--config", config, "--chain", "own", "--rpc", full.url, "--data", data];
  const doctor = (...args: string[]) => runQuarry(["doctor", ...place(), "--port", "0", ...args]);

  it("agrees with what was indexed with the same list, and explains the difference otherwise", async () => {
    const list = listFile("gone.json", chain.chainId, [
      { ...token, symbol: "LISTED", name: "List", decimals: 9 },
    ]);
    const to = String((await archive.head()).number);
    await quarry("index", ...place(), "--from", "0", "--to", to, "--tokens", list);
    const trades = `SELECT COUNT(*) AS trades, COUNT(price_token_usd_tick_1) AS priced FROM own_dex_trades
      WHERE token_symbol = 'LISTED'`;
    expect(await rowsIn(data, trades)).toEqual([{ trades: 3, priced: 3 }]);

    const agreed = await doctor("--deep", "--tokens", list);
    expect(agreed.code, agreed.stdout + agreed.stderr).toBe(0);
    expect(agreed.stdout).toContain("derived again");
    const { code, stdout } = await doctor("--deep");
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /token_metadata derived again .*\n.*\n.*not damage if .* other --tokens .*: pass the same lists/,
    );
    expect(stdout).toMatch(/differs in token_symbol, token_name, decimals/);
  });

  it("repairs blocks with the list, so that no name is lost", async () => {
    const list = join(folder.path, "gone.json");
    const undamaged = await tableChecksumsApart(data, "own");
    const engine = await openEmbeddedEngine({ path: join(data, "engine") });
    await engine.execute("ALTER TABLE own_token_metadata DELETE WHERE 1 SETTINGS mutations_sync = 1" as Sql);
    await engine.close();
    expect((await doctor()).code).toBe(1);
    const { code, stdout, stderr } = await doctor("--repair", "--tokens", list);
    expect(code, stdout + stderr).toBe(0);
    expect(await tableChecksumsApart(data, "own")).toEqual(undamaged);
  });
});
