import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Chain } from "../../src/chains/chain.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { addressWord } from "../../src/decode/abi/abi.ts";
import { keccak } from "../../src/decode/abi/keccak.ts";
import { FAMILIES } from "../../src/decode/pools/swap-families.ts";
import type { Hex } from "../../src/lib/hex.ts";
import { PriceBook } from "../../src/pricing/price-book.ts";
import type { Block } from "../../src/schema/block.ts";
import type { DecodedEvent, Pool, Token } from "../../src/schema/swap.ts";
import { toBlock } from "../../src/sources/conversion/convert.ts";
import { verifySenders } from "../../src/sources/prover/verify-senders.ts";
import { verifyBlock } from "../../src/sources/verify/verify-block.ts";
import { parseBlock, parseReceipts } from "../../src/sources/wire/parse.ts";
import { ARBITRUM, bundlePath, readGzLines } from "../support/nodes/bundles.ts";
import { decodeBlocks, poolsOf } from "../support/nodes/decoded-blocks.ts";
import { recordedCalls } from "../support/nodes/recording.ts";

const FOLDER = join(import.meta.dirname, "../../docs/chains");

function configured(file: string): Chain {
  const { settings, chains } = loadConfig(["chain"], { flags: {}, env: {}, file: join(FOLDER, file) });
  return chains.get(settings.chain) ?? expect.fail(`${file} defines no chain ${settings.chain}`);
}

/**
 * Returns the pool at this address, or null if it is not the CREATE2 address for the two tokens and one of
 * the usual fees.
 */
function derived(chain: Chain, address: Hex, tokens: readonly [Hex, Hex]): Pool | null {
  const results = tokens.toSorted().map((token): Hex => `0x${addressWord(token)}`);
  const verdicts = Object.values(FAMILIES).map(({ proof }) => proof?.judge(address, results, chain));
  return verdicts.find((verdict) => verdict != null && "address" in verdict) ?? null;
}

const OPTIMISM_USDC: Hex = "0x0b2c639c533813f4aa9d7837caf62653d097ff85";
const ARBITRUM_USDC: Hex = "0xaf88d065e77c8cc2239327c5edb3a432268e5831";
const ARBITRUM_USDC_E: Hex = "0xff970a61a04b1ca14834a43f5de4533ebddb5cc8";
const ARB: Hex = "0x912ce59144191c1204e64559fe8253a0e49e6548";
const BNB_USDT: Hex = "0x55d398326f99059ff775485246999027b3197955";

/**
 * For each deployment, a known pool of the given token and of another one (by default, the wrapped native
 * coin), as listed in public sources.
 */
const KNOWN_POOLS: Record<string, Record<string, [pool: Hex, token: Hex, other?: Hex]>> = {
  optimism: {
    uniswap_v2: ["0x4c43646304492a925e335f2b6d840c1489f17815", OPTIMISM_USDC],
    uniswap_v3: ["0x1fb3cf6e48f1e7b10213e7b6d87d4c073c7fdb7b", OPTIMISM_USDC],
    sushiswap_v3: [
      "0x79e11ef350d7c73925f8d0037c2dd1b8ced41533",
      "0x7f5c764cbc14f9669b88837ca1490cca17c31607",
    ],
    velodrome_slipstream: ["0x478946bcd4a5a22b316470f5486fafb928c0ba25", OPTIMISM_USDC],
    velodrome_slipstream_gauge_caps: ["0xc092e9cbdb4148837fc54bc5233c12c2fc83b4db", OPTIMISM_USDC],
    velodrome_v2: [
      "0xd25711edfbf747efce181442cc1d8f5f8fc8a0d3",
      "0x4200000000000000000000000000000000000042",
    ],
  },
  arbitrum: {
    uniswap_v2: ["0xf64dfe17c8b87f012fcf50fbda1d62bfa148366a", ARBITRUM_USDC],
    uniswap_v3: ["0xc6962004f452be9203591991d15f6b388e09e8d0", ARBITRUM_USDC],
    sushiswap_v2: ["0x905dfcd5649217c42684f23958568e533c711aa3", ARBITRUM_USDC_E],
    pancakeswap_v3: ["0x7fcdc35463e3770c2fb992716cd070b63540b947", ARBITRUM_USDC],
    camelot_v2: ["0x84652bb2539513baf36e225c930fdd8eaa63ce27", ARBITRUM_USDC_E],
    camelot_v3: ["0xb1026b8e7276e7ac75410f1fcbbe21796e8f7526", ARBITRUM_USDC],
    smardex: ["0xd87899d10eaa10f3ade05038a38251f758e5c0eb", ARBITRUM_USDC, ARB],
  },
  bnb: {
    pancakeswap_v2: ["0x16b9a82891338f9ba80e2d6970fdda79d1eb0dae", BNB_USDT],
    pancakeswap_v3: ["0x36696169c63e42cd08ce11f5deebbcebae652050", BNB_USDT],
    uniswap_v2: ["0x8a1ed8e124fdfbd534bf48baf732e26db9cc0cf4", BNB_USDT],
    uniswap_v3: ["0x47a90a2d92a8367a91efa1906bfc8c1e05bf10c4", BNB_USDT],
    sushiswap_v2: [
      "0xc7632b7b2d768bbb30a404e13e1de48d1439ec21",
      "0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d",
    ],
    biswap_v2: ["0x8840c6252e2e86e545defb6da98b2a0e26d8c1ba", BNB_USDT],
    thena_fusion: ["0xd405b976ac01023c9064024880999fc450a8668b", BNB_USDT],
    smardex: ["0xf315833053a1187fd5e9813e38bd59937492857a", BNB_USDT],
  },
};

describe.each(readdirSync(FOLDER).map((file) => [file]))("docs/chains/%s", (file) => {
  const chain = configured(file);

  it("is loaded as --config loads it, and selects its own chain", () => {
    expect(`${chain.name}.json`).toBe(file);
    expect(chain.deployments.length).toBeGreaterThan(0);
    const factories = chain.deployments.map(({ family, factory }) => `${family} ${factory}`);
    expect(new Set(factories).size).toBe(factories.length);
  });

  it("lists reference pools that follow from its deployments, its native coin and its stablecoins", () => {
    for (const pool of chain.referencePools) {
      const found = chain.stableCoins.map((coin) => derived(chain, pool, [chain.wrappedNative, coin]));
      expect(
        found.filter((one) => one !== null),
        pool,
      ).toHaveLength(1);
    }
  });

  it("derives pools that public sources list", () => {
    const found = Object.entries(KNOWN_POOLS[chain.name] ?? {}).map(
      ([, [pool, token, other = chain.wrappedNative]]) => derived(chain, pool, [other, token]),
    );
    expect(found.map((pool) => pool?.protocol)).toEqual(Object.keys(KNOWN_POOLS[chain.name] ?? {}));
  });
});

/** Pools of Slipstream and Velodrome V2 are EIP-1167 clones of these implementations. */
it.each([
  ["velodrome_v2", "0x95885af5492195f0754be71ad1545fe81364e531"],
  ["velodrome_slipstream", "0xc28ad28853a547556780bebf7847628501a3bcbb"],
  ["velodrome_slipstream_legacy", "0xe0a596c403e854ffb9c828ab4f07eeae04a05d37"],
  ["velodrome_slipstream_gauge_caps", "0x11b234946f28a3905710922138c65fbbe7496b4c"],
])("%s has the init-code hash of its implementation's clones", (protocol, implementation) => {
  const code: Hex = `0x3d602d80600a3d3981f3363d3d373d3d3d363d73${implementation.slice(2)}5af43d82803e903d91602b57fd5bf3`;
  const deployment = configured("optimism.json").deployments.find((one) => one.protocol === protocol);
  expect(deployment?.initCodeHash).toBe(keccak(code));
});

/** Returns the blocks of a bundle. Expects each of them to be proven. */
function provenBlocks(bundle: string, { chainId }: Chain): Block[] {
  const receiptLines = readGzLines(bundle, "receipts.ndjson.gz");
  return readGzLines(bundle, "blocks.ndjson.gz").map((line, i) => {
    const json = JSON.parse(line);
    const number = Number(json.number);
    const block = parseBlock(json, number);
    const receipts = parseReceipts(JSON.parse(receiptLines[i] ?? "[]"), number);
    expect(verifyBlock(block, receipts, chainId) ?? verifySenders(block, chainId)).toBeNull();
    return toBlock(block, receipts, "proven");
  });
}

const SIX_DECIMALS = new Set<Hex>([
  "0x7f5c764cbc14f9669b88837ca1490cca17c31607",
  "0x94b008aa00579c1307b0ef2c499ad98a8ce58e58",
  ARBITRUM_USDC,
  "0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9",
]);
const tokenAt = (address: Hex): Token => ({
  ...{ address, symbol: null, name: null, decimals: SIX_DECIMALS.has(address) ? 6 : 18 },
});

function tokensOf(event: DecodedEvent): Hex[] {
  if (event.kind === "erc20") return [event.token];
  return event.kind === "swap" ? [event.pool.token0, event.pool.token1] : [];
}

/** Returns the number of swaps by protocol, and their total USD value. */
async function tradesIn(bundle: string, chain: Chain) {
  const blocks = provenBlocks(bundle, chain);
  const pools = await poolsOf(blocks, chain, recordedCalls(bundle));
  const byProtocol: Record<string, number> = {};
  const usd = new Map<string, number>();
  decodeBlocks(blocks, pools, chain).forEach(({ transactions }, i) => {
    const block = blocks[i] ?? expect.fail("no block");
    for (const event of transactions.flatMap(({ events }) => events)) {
      if (event.kind !== "swap") continue;
      const { protocol } = event.pool;
      byProtocol[protocol] = (byProtocol[protocol] ?? 0) + 1;
    }
    const book = new PriceBook(chain);
    const tokens = transactions.flatMap(({ events }) => events.flatMap(tokensOf));
    for (const token of book.missing(tokens)) book.restore(token, [], block.timestamp);
    for (const { swap, trade } of book.price(block, transactions, tokenAt).trades) {
      // A swap between two cash tokens makes two trades. Without earlier blocks, only one of them has a
      // value.
      const key = `${block.number} ${swap.logIndex}`;
      usd.set(key, Math.max(usd.get(key) ?? 0, trade.amountUsd ?? 0));
    }
  });
  return { byProtocol, usd: [...usd.values()].reduce((sum, value) => sum + value, 0) };
}

describe("trades by configuration alone", () => {
  it("are made of the swaps of recorded blocks of Optimism", async () => {
    const { byProtocol, usd } = await tradesIn(bundlePath("optimism"), configured("optimism.json"));
    expect(byProtocol).toEqual({
      uniswap_v3: 6,
      sushiswap_v3: 3,
      sushiswap_trident: 1,
      velodrome_v1: 1,
      balancer_v2: 1,
    });
    expect(usd).toBeCloseTo(4_223, -1);
  });

  it("are made of the swaps of a block of Arbitrum", async () => {
    const { byProtocol } = await tradesIn(ARBITRUM, configured("arbitrum.json"));
    expect(byProtocol).toEqual({ ramses_v2: 1, uniswap_v3: 1 });
  });
});
