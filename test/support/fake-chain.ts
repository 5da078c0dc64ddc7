import { createHash } from "node:crypto";
import type { Chain } from "../../src/chains/chain.ts";
import type { Hex } from "../../src/lib/hex.ts";
import type { Block, Log, Transaction } from "../../src/schema/block.ts";
import { seeded } from "./seeded.ts";

const PAIR_CREATED = "0x0d3648bd0f6ba80134a33ba9275ac585d9d315f0ad8355cddefde31afa28d0e9";
const SWAP = "0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822";
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

const digest = (text: string, bytes: number): Hex =>
  `0x${createHash("sha256")
    .update(text)
    .digest("hex")
    .slice(0, 2 * bytes)}`;
const address = (name: string) => digest(`address ${name}`, 20);
const word = (value: bigint | number) => BigInt(value).toString(16).padStart(64, "0");
const topic = (of: Hex): Hex => `0x${of.slice(2).padStart(64, "0")}`;

const FACTORY = address("factory");
const USD = address("usd");
const NATIVE = address("native");
const REFERENCE_POOL = address("pool 0");

/** A chain whose pools are known by their factory's announcement alone. */
export function fakeChainFacts(name: string, finalityBlocks: number): Chain {
  return {
    name,
    chainId: 77,
    nativeSymbol: "FAKE",
    wrappedNative: NATIVE,
    stableCoins: [USD],
    referencePools: [REFERENCE_POOL],
    deployments: [
      {
        protocol: "fake_v2",
        family: "uniswap-v2",
        factory: FACTORY,
        initCodeHash: null,
        fee: 3000,
        firstBlock: 0,
      },
    ],
    finality: { kind: "depth", blocks: finalityBlocks },
    blockTimeMs: 4,
  };
}

interface FakePool {
  address: Hex;
  token0: Hex;
  token1: Hex;
}

/** A block and what its descendants must know. */
export interface FakeBlock {
  block: Block;
  pools: readonly FakePool[];
}

const FIRST_TIMESTAMP = 1_700_000_000;
/** Far enough apart that an hour's window moves within a run. */
const BLOCK_SECONDS = 300;

export function genesis(): FakeBlock {
  return childOf(null, 0, "genesis");
}

/**
 * The child of a block. Its content is a function of its ancestry and of `salt`: siblings differ in hash, time,
 * transactions, pools and tokens.
 */
export function childOf(parent: FakeBlock | null, number: number, salt: string): FakeBlock {
  const hash = digest(`${parent?.block.hash} ${number} ${salt}`, 32);
  const random = seeded(Number.parseInt(hash.slice(2, 10), 16));
  const created = parent === null ? [poolNamed(0, USD, NATIVE)] : newPools(hash, random);
  const pools = [...(parent?.pools ?? []), ...created];
  const events = [...created.map(creationLog), ...randomEvents(pools, random)];
  const timestamp = FIRST_TIMESTAMP + number * BLOCK_SECONDS + Math.floor(random() * BLOCK_SECONDS);
  return {
    pools,
    block: {
      number,
      hash,
      parentHash: parent?.block.hash ?? digest("nothing", 32),
      timestamp,
      miner: address("miner"),
      gasLimit: 30_000_000,
      gasUsed: 21_000,
      baseFeePerGas: 7n,
      size: 500,
      extraData: "0x",
      transactions: inTransactions(events, hash, random),
    },
  };
}

function poolNamed(name: string | number, token0: Hex, token1: Hex): FakePool {
  return { address: address(`pool ${name}`), token0, token1 };
}

/** One block in four creates a pool, half of these for a token that only this fork has. */
function newPools(hash: Hex, random: () => number): FakePool[] {
  if (random() > 0.25) return [];
  const token = random() < 0.5 ? address(`token ${hash}`) : address(`token ${Math.floor(random() * 4)}`);
  return [poolNamed(`${hash} ${token}`, token, random() < 0.5 ? USD : NATIVE)];
}

type Event = Omit<Log, "logIndex">;

function creationLog({ address: pool, token0, token1 }: FakePool): Event {
  const data: Hex = `0x${word(BigInt(pool))}${word(1)}`;
  return { address: FACTORY, topics: [PAIR_CREATED, topic(token0), topic(token1)], data };
}

function randomEvents(pools: readonly FakePool[], random: () => number): Event[] {
  return Array.from({ length: Math.floor(random() * 8) }, () => {
    const pool = pools[Math.floor(random() * pools.length)] ?? poolNamed(0, USD, NATIVE);
    return random() < 0.7 ? swapLog(pool, random) : transferLog(pool.token0, random);
  });
}

function swapLog(pool: FakePool, random: () => number): Event {
  const [spent, got] = [10n ** 18n, BigInt(Math.floor((0.5 + random()) * 2e6)) * 10n ** 12n];
  const amounts = random() < 0.5 ? [spent, 0n, 0n, got] : [0n, got, spent, 0n];
  const data: Hex = `0x${amounts.map(word).join("")}`;
  return { address: pool.address, topics: [SWAP, topic(address("router")), topic(address("to"))], data };
}

function transferLog(token: Hex, random: () => number): Event {
  const wallet = address(`wallet ${Math.floor(random() * 20)}`);
  const data: Hex = `0x${word(BigInt(Math.floor(random() * 1e15)))}`;
  return { address: token, topics: [TRANSFER, topic(wallet), topic(address("to"))], data };
}

function inTransactions(events: Event[], hash: Hex, random: () => number): Transaction[] {
  const groups: Event[][] = [];
  for (const event of events) {
    const last = groups.at(-1);
    if (last === undefined || random() < 0.5) groups.push([event]);
    else last.push(event);
  }
  let logIndex = 0;
  return groups.map((group, transactionIndex) => ({
    hash: digest(`transaction ${hash} ${transactionIndex}`, 32),
    transactionIndex,
    from: address(`wallet ${Math.floor(random() * 20)}`),
    to: address("router"),
    contractAddress: null,
    value: 0n,
    nonce: transactionIndex,
    input: "0x",
    type: 2,
    gasLimit: 100_000,
    gasUsed: 50_000,
    gasPrice: 9n,
    maxFeePerGas: 20n,
    maxPriorityFeePerGas: 2n,
    fee: 450_000n,
    status: 1,
    logs: group.map((event) => ({ ...event, logIndex: logIndex++ })),
  }));
}
