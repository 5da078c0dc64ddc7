import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tokenCalls } from "../../src/decode/discovery/token-metadata.ts";
import { tableChecksumsApart } from "../support/engine/table-checksums.ts";
import { wholeBlocks } from "../support/era-files/whole-blocks.ts";
import { writeEre } from "../support/era-files/write-era.ts";
import { bundleCounts, MAINNET } from "../support/nodes/bundles.ts";
import { startReplayNode } from "../support/nodes/replay/replay-node.ts";
import { type Node, runQuarry, temporaryFolder } from "../support/processes/processes.ts";

const USDC = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
const folder = temporaryFolder();
const blocks = wholeBlocks(4);
const files = join(folder.path, "ere");
const data = join(folder.path, "repaired");
let node: Node;

beforeAll(async () => {
  mkdirSync(files);
  writeFileSync(join(files, "all.ere"), writeEre(blocks.map(({ encoded }) => encoded)));
  node = await startReplayNode([MAINNET]);
});

afterAll(async () => {
  await node?.stop();
  folder.remove();
});

async function quarry(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runQuarry(args);
  expect(code, stdout + stderr).toBe(0);
  return stdout + stderr;
}

const index = (into: string, ...args: string[]) =>
  quarry("index", "--files", files, "--anchor", blocks.at(-1)?.block.hash ?? "", "--data", into, ...args);

async function refused(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runQuarry(args);
  expect(code, stdout).toBe(2);
  return stderr;
}

function listOf(name: string, token: object): string {
  const path = join(folder.path, name);
  writeFileSync(path, JSON.stringify({ tokens: [{ chainId: 1, address: USDC, ...token }] }));
  return path;
}

const { first, last } = bundleCounts(MAINNET);
const RANGE = ["--from", String(first), "--to", String(last)];
/** Selectors of symbol(), name() and decimals(). */
const SELECTORS = tokenCalls([{ address: USDC, block: { number: 1 } }]).map(({ data: selector }) => selector);
const USDC_LIST = { symbol: "USDC", name: "USD Coin", decimals: 6 };

describe("quarry repair metadata", () => {
  it("gives an index whose tokens have no metadata the tables that it had with them, bit for bit", async () => {
    const silent = await startReplayNode([MAINNET], { reverting: SELECTORS });
    const expected = join(folder.path, "called");
    try {
      await quarry("index", "--rpc", silent.url, "--data", data, ...RANGE);
      await quarry("index", "--rpc", node.url, "--data", expected, ...RANGE);
    } finally {
      await silent.stop();
    }
    const [before, tables] = [
      await tableChecksumsApart(data, "eth"),
      await tableChecksumsApart(expected, "eth"),
    ];
    expect(before).not.toEqual(tables);

    const dry = await quarry("repair", "metadata", "--rpc", node.url, "--data", data, "--dry-run");
    expect(dry).toMatch(/"incomplete":\d{2,},"found":\d{2,},"firstBlock":\d+,"symbols":\["/);
    expect(await tableChecksumsApart(data, "eth")).toEqual(before);

    const printed = await quarry("repair", "metadata", "--rpc", node.url, "--data", data);
    expect(printed).toContain("repaired: all tables have the new values");
    expect(await tableChecksumsApart(data, "eth")).toEqual(tables);
    const again = await quarry("repair", "metadata", "--rpc", node.url, "--data", data);
    expect(again).toContain("found no metadata to fill in");
  });

  it("fills in tokens of a list without an endpoint, as an index with the list has them", async () => {
    const list = listOf("usdc.json", USDC_LIST);
    const expected = join(folder.path, "listed");
    await index(expected, "--tokens", list);
    const without = join(folder.path, "without");
    await index(without);
    await quarry("repair", "metadata", "--tokens", list, "--data", without);
    expect(await tableChecksumsApart(without, "eth")).toEqual(await tableChecksumsApart(expected, "eth"));
  });

  it("refuses what cannot work, and says what to do", async () => {
    expect(await refused("repair", "metadata", "--data", data)).toContain(
      "needs an endpoint (--rpc <url[,url]>), a token list (--tokens <file[,file]>), or both",
    );
    expect(await refused("repair", "prices", "--data", data)).toContain("Allowed choices are metadata");
    const empty = join(folder.path, "empty");
    expect(await refused("repair", "metadata", "--rpc", node.url, "--data", empty)).toContain("quarry");
  });
});
