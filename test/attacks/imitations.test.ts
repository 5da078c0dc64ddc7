import { describe, expect, it } from "vitest";
import type { Chain, Deployment } from "../../src/chains/chain.ts";
import { addressWord, byteLength } from "../../src/decode/abi/abi.ts";
import { FAMILIES } from "../../src/decode/pools/swap-families.ts";
import { poolOf } from "../../src/decode/proofs/pool-of.ts";
import { NO_EVIDENCE } from "../../src/decode/support/evidence.ts";
import { transferLog } from "../../src/decode/support/published-logs.ts";
import { blockOf } from "../../src/decode/support/v4-logs.ts";
import type { Hex } from "../../src/lib/hex.ts";
import type { Block, Log } from "../../src/schema/block.ts";
import type { ContractCall } from "../../src/schema/contract-call.ts";
import { POOL_FAMILIES, POOL_FAMILY_NAMES, type PoolFamily } from "../../src/schema/pool-families.ts";
import type { Pool, Swap } from "../../src/schema/swap.ts";
import { decodeBlocks, poolsOf } from "../support/nodes/decoded-blocks.ts";
import { KNOWN_CHAINS } from "../support/nodes/known-chains.ts";
import { IN, OUT, SWAP_LOGS, TOKEN_IN, TOKEN_OUT, USER } from "./support/imitated-swaps.ts";

/** A contract that anyone could have deployed. */
const FAKE: Hex = `0x${"fa".repeat(20)}`;
const GENUINE: Hex = `0x${"9e".repeat(20)}`;
/** An id in a singleton. DexLite's ids have 8 bytes. */
const GENUINE_ID: Hex = `0x${"9e".repeat(8)}${"0".repeat(48)}`;
/** An id that is not the hash of a key with these tokens. */
const FAKE_ID: Hex = `0x${"fa".repeat(8)}${"0".repeat(48)}`;

/** A deployment of a family on a known chain. */
interface Case {
  chain: Chain;
  deployment: Deployment;
}

const casesOf = (family: PoolFamily): Case[] =>
  KNOWN_CHAINS.flatMap((chain) =>
    chain.deployments.filter((one) => one.family === family).map((deployment) => ({ chain, deployment })),
  );

const word = (value: number) => value.toString(16).padStart(64, "0");
const list = (...addresses: Hex[]) =>
  word(32) + word(addresses.length) + addresses.map((address) => addressWord(address)).join("");
const TOKENS = list(TOKEN_IN, TOKEN_OUT);

/** Results of a pool's views, by selector. A copy of the pool's code returns the same results. */
const POOL_VIEWS: Record<string, (deployment: Deployment) => string> = {
  "0x0dfe1681": () => addressWord(TOKEN_IN), // token0()
  "0xd21220a7": () => addressWord(TOKEN_OUT), // token1()
  "0x0fc63d10": () => addressWord(TOKEN_IN), // tokenA()
  "0x5f64b55b": () => addressWord(TOKEN_OUT), // tokenB()
  "0x4a248d2a": () => addressWord(TOKEN_IN), // _BASE_TOKEN_()
  "0xd4b97046": () => addressWord(TOKEN_OUT), // _QUOTE_TOKEN_()
  "0xc45a0155": ({ factory }) => addressWord(factory), // factory()
  "0xddca3f43": () => word(3000), // fee()
  "0x22be3de1": () => word(0), // stable()
  "0x67e4ac2c": () => addressWord(TOKEN_IN) + addressWord(TOKEN_OUT), // getAssets()
  "0xcc77828d": () => TOKENS, // getCurrentTokens()
  "0x38fff2d0": () => FAKE.slice(2).padEnd(64, "0"), // getPoolId()
  "0xb7791bf2": () => word(0).repeat(9) + addressWord(TOKEN_IN) + addressWord(TOKEN_OUT), // constantsView()
  "0xbcdb4dad": ({ factory }) => addressWord(factory) + addressWord(TOKEN_IN) + addressWord(TOKEN_OUT), // getImmutables()
};

/** Results of vaults' views, for any contract that registers itself. */
const VAULT_VIEWS: Record<string, string> = {
  "0xf94d4668": TOKENS, // getPoolTokens(bytes32)
  "0xca4f2803": TOKENS, // getPoolTokens(address)
  "0xce8630d4": word(0).repeat(11), // getHooksConfig(address)
};

/** Results of factories' views, for a pool that they created and for another contract. */
const FACTORY_VIEWS: Record<string, [ofPool: string, ofOther: string]> = {
  "0xe6a43905": [addressWord(FAKE), word(0)], // getPair(address,address)
  "0x1698ee82": [addressWord(FAKE), word(0)], // getPool(address,address,uint24)
  "0x1273b0c6": [addressWord(FAKE), word(0)], // getDODO(address,address)
  "0x57a281dc": [list(FAKE), list(GENUINE)], // getDODOPool(address,address)
  "0x4b4409cb": [list(FAKE), list(GENUINE)], // poolsByPair(address,address)
  "0x6634b753": [word(1), word(0)], // isPoolFromFactory(address)
  "0x578eaca4": [word(1), word(0)], // isFactoryPool(address)
  "0xa4063dbc": [word(1), word(0)], // pools(address)
  "0x5b16ebb7": [word(1), word(0)], // isPool(address)
  "0x9ac90d3d": [TOKENS, list()], // get_coins(address)
  "0xa77576ef": [TOKENS, list()], // get_underlying_coins(address)
  "0x510d98a4": [addressWord(GENUINE), word(0)], // get_implementation_address(address)
};

type Answer = (selector: string) => string | null;

/**
 * Returns a function that simulates a node: it returns the results of contract calls. `factories` returns the
 * results of calls to the chain's factories.
 */
function nodeWith(factories: Answer, deployment: Deployment) {
  const answer = ({ to, data }: ContractCall): Hex | null => {
    const selector = data.slice(0, 10);
    const result =
      to === FAKE ? fakeView(selector, deployment) : (VAULT_VIEWS[selector] ?? factories(selector));
    return result === null ? null : `0x${result}`;
  };
  return async (calls: ContractCall[]) => calls.map(answer);
}

function fakeView(selector: string, deployment: Deployment): string {
  const view = POOL_VIEWS[selector] ?? expect.fail(`no result of ${selector} of a pool`);
  return view(deployment);
}

function factoryView(selector: string): [string, string] {
  return FACTORY_VIEWS[selector] ?? expect.fail(`no result of ${selector} of a factory`);
}

/** Results of factories for a contract that they did not create. */
const DENIALS: Record<string, Answer> = {
  "deny it": (selector) => factoryView(selector)[1],
  "return zero": () => word(0),
  "return no result": () => null,
};
const confirm: Answer = (selector) => factoryView(selector)[0];

/** Transfers that move the tokens through a contract in both directions, as its events report. */
const moves = (contract: Hex): Log[] => [
  transferLog(TOKEN_IN, USER, contract, IN, 0),
  transferLog(TOKEN_OUT, contract, USER, OUT, 1),
  transferLog(TOKEN_OUT, USER, contract, OUT, 2),
  transferLog(TOKEN_IN, contract, USER, IN, 3),
];

/** Returns events in which the fake contract announces itself, in the form of the family's factory events. */
const announcements = (family: PoolFamily): Log[] =>
  FAMILIES[family].creations.map(({ topic, topics, words }) => ({
    address: FAKE,
    topics: [topic, ...Array.from({ length: topics - 1 }, (): Hex => `0x${addressWord(FAKE)}`)],
    data: `0x${addressWord(FAKE).repeat(words)}`,
    logIndex: 0,
  }));

/** Calldata that starts like a pool key with the two tokens. The other fields of the key match no pool. */
const INPUT: Hex = `0x12345678${addressWord(TOKEN_IN)}${addressWord(TOKEN_OUT)}${word(0).repeat(4)}`;

/** Makes a block for each of these events. In each block, a contract also moves the tokens. */
const blocksOf = (events: readonly Log[], contract: Hex, before: readonly Log[] = []): Block[] =>
  events.map((event) => {
    const block = blockOf(...before, ...moves(contract), event);
    return { ...block, transactions: block.transactions.map((one) => ({ ...one, input: INPUT })) };
  });

function swapsIn(blocks: readonly Block[], known: ReadonlyMap<Hex, Pool | null>, chain: Chain): Swap[] {
  return blocks
    .flatMap((block) => decodeBlocks([block], new Map(known), chain))
    .flatMap(({ transactions }) => transactions.flatMap(({ events }) => events))
    .filter((event) => event.kind === "swap");
}

/**
 * Makes a pool of the two tokens as if it were proven. Returns it with the contract that emits its events.
 */
function genuinePool({ chain, deployment }: Case): { pool: Pool; emitter: Hex } {
  const { family, factory, vault = factory } = deployment;
  const { identity } = POOL_FAMILIES[family];
  const address = identity === "key" ? GENUINE_ID : GENUINE;
  const tokens = [TOKEN_IN, TOKEN_OUT];
  const terms = { address, token0: TOKEN_IN, token1: TOKEN_OUT, tokens, underlying: tokens, fee: null };
  return { pool: poolOf(deployment, terms, chain), emitter: identity === "contract" ? address : vault };
}

describe.each(POOL_FAMILY_NAMES)("%s", (family) => {
  const { identity } = POOL_FAMILIES[family];
  const cases = casesOf(family);

  it("makes a trade of each of the events below, if its pool is genuine", () => {
    expect(cases).not.toEqual([]);
    for (const one of cases) {
      const { pool, emitter } = genuinePool(one);
      const events = SWAP_LOGS[family]({ emitter, pool: pool.address });
      const swaps = swapsIn(blocksOf(events, emitter), new Map([[pool.address, pool]]), one.chain);
      expect(swaps).toHaveLength(events.length);
      for (const swap of swaps) {
        expect(swap.pool).toBe(pool);
        expect(swap.amountsUnknown).toBeNull();
        expect([swap.amount0, swap.amount1].map((amount) => (amount < 0n ? -amount : amount)).sort()).toEqual(
          [IN, OUT].sort(),
        );
      }
    }
  });

  it("has no other swap event", () => {
    const [one] = cases;
    const { pool, emitter } = genuinePool(one ?? expect.fail("no deployment"));
    const imitated = SWAP_LOGS[family]({ emitter, pool: pool.address });
    for (const { topic, topics, words, read } of FAMILIES[family].events) {
      if (imitated.some((log) => log.topics[0] === topic)) continue;
      const empty = Array.from({ length: topics - 1 }, (): Hex => `0x${word(0)}`);
      const log: Log = {
        address: emitter,
        topics: [topic, ...empty],
        data: `0x${word(0).repeat(words)}`,
        logIndex: 0,
      };
      expect(read(log, pool, NO_EVIDENCE)?.kind).toMatch(/^(sync|mint|burn|collect)$/);
    }
    for (const { bytes } of FAMILIES[family].anonymousEvents ?? []) {
      expect(imitated.map(({ data }) => byteLength(data))).toContain(bytes);
    }
  });

  it.each(Object.entries(DENIALS))("makes none of a contract if the factories %s", async (_, denial) => {
    for (const one of cases) {
      const { chain, deployment } = one;
      const { pool } = genuinePool(one);
      const events = SWAP_LOGS[family]({
        emitter: FAKE,
        pool: identity === "contract" ? FAKE : pool.address,
      });
      const blocks = blocksOf(events, FAKE, announcements(family));
      const found = await poolsOf(blocks, chain, nodeWith(denial, deployment));
      expect(swapsIn(blocks, found, chain)).toEqual([]);
      expect(swapsIn(blocks, new Map([[pool.address, pool]]), chain)).toEqual([]);
    }
  });

  if (identity === "contract") return;

  it("makes none of a pool that anyone opened in the genuine contract", async () => {
    for (const { chain, deployment } of cases) {
      const { factory, vault = factory } = deployment;
      const events = SWAP_LOGS[family]({ emitter: vault, pool: identity === "key" ? FAKE_ID : FAKE });
      const blocks = blocksOf(events, vault, announcements(family));
      for (const denial of Object.values(DENIALS)) {
        const found = await poolsOf(blocks, chain, nodeWith(denial, deployment));
        expect(swapsIn(blocks, found, chain)).toEqual([]);
      }
    }
  });
});

/** Families with pools that only their factories can confirm, according to docs/protocols.md. */
const CONFIRMED_BY_CALLS: readonly PoolFamily[] = [
  ...(["balancer-v2", "balancer-v3", "maverick-v2", "dodo-v1", "dodo-v2", "trident"] as const),
  ...(["euler-swap-v1", "euler-swap-v2", "metric"] as const),
];

describe("a node that confirms any contract in the name of the factories", () => {
  it.each(POOL_FAMILY_NAMES)("is believed only if nothing else can prove the pool: %s", async (family) => {
    const { identity } = POOL_FAMILIES[family];
    let trades = 0;
    for (const { chain, deployment } of casesOf(family)) {
      const { factory, vault = factory } = deployment;
      const emitter = identity === "contract" ? FAKE : vault;
      const blocks = blocksOf(
        SWAP_LOGS[family]({ emitter, pool: identity === "key" ? FAKE_ID : FAKE }),
        FAKE,
      );
      const found = await poolsOf(blocks, chain, nodeWith(confirm, deployment));
      trades += swapsIn(blocks, found, chain).length;
    }
    expect(trades > 0).toBe(CONFIRMED_BY_CALLS.includes(family));
  });
});
