import { createHash } from "node:crypto";
import type { Chain, Finality } from "../../../src/chains/chain.ts";
import type { Hex } from "../../../src/lib/hex.ts";
import type { Block, Log, Transaction } from "../../../src/schema/block.ts";
import type { ContractCall } from "../../../src/schema/contract-call.ts";
import { seeded } from "../seeded.ts";

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

/** The token that every run trades. */
export const TRADED_TOKEN = NATIVE;

interface FakePool {
  address: Hex;
  token0: Hex;
  token1: Hex;
}

/** Pools that exist on every fork. The first one prices the native coin. */
const FIRST_POOLS = [
  poolNamed(0, USD, NATIVE),
  poolNamed(1, address("token 0"), USD),
  poolNamed(2, NATIVE, address("token 1")),
] as const;

/**
 * Returns a chain whose pools are known from their factory's events. The first pools are also known from the
 * results of calls.
 */
export function fakeChainFacts(name: string, finality: Finality): Chain {
  return {
    name,
    chainId: 77,
    nativeSymbol: "FAKE",
    wrappedNative: NATIVE,
    stableCoins: [USD],
    referencePools: [FIRST_POOLS[0].address],
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
    finality,
    blockTimeMs: 4,
  };
}

/** A block and the state that its descendants need. */
export interface FakeBlock {
  block: Block;
  pools: readonly FakePool[];
}

const FIRST_TIMESTAMP = 1_700_000_000;
/** Blocks are far enough apart that a window of one hour moves within a run. */
const BLOCK_SECONDS = 300;

/** Shares of blocks without transactions, and of blocks with only failed transactions. */
export interface BlockProbabilities {
  empty: number;
  failed: number;
}

export function genesis(): FakeBlock {
  return childOf(null, { number: 0, salt: "genesis" });
}

interface Child {
  number: number;
  /** Distinguishes siblings. */
  salt: string;
  probabilities?: BlockProbabilities;
}

/**
 * Returns a child of a block. Its content is a function of its ancestors, `salt` and the probabilities.
 * Siblings differ in hash, time, transactions, pools and tokens.
 */
export function childOf(parent: FakeBlock | null, { number, salt, probabilities }: Child): FakeBlock {
  const hash = digest(`${parent?.block.hash} ${number} ${salt}`, 32);
  const random = seeded(Number.parseInt(hash.slice(2, 10), 16));
  const kind = kindOf(random(), parent === null ? undefined : probabilities);
  const created = kind === "full" ? createdPools(parent, hash, random) : [];
  const pools = [...(parent?.pools ?? []), ...created];
  const events = kind === "full" ? [...created.map(creationLog), ...randomEvents(pools, random)] : [];
  const timestamp = FIRST_TIMESTAMP + number * BLOCK_SECONDS + Math.floor(random() * BLOCK_SECONDS);
  return {
    pools,
    block: {
      number,
      hash,
      parentHash: parent?.block.hash ?? digest("nothing", 32),
      timestamp,
      miner: address("miner"),
      gasLimit: 30_000_000n,
      gasUsed: 21_000,
      baseFeePerGas: 7n,
      size: 500,
      extraData: "0x",
      proof: "none",
      origin: "rpc",
      transactions: kind === "failed" ? failed(hash, random) : inTransactions(events, hash, random),
    },
  };
}

function kindOf(
  draw: number,
  probabilities: BlockProbabilities = { empty: 0, failed: 0 },
): "full" | "empty" | "failed" {
  if (draw < probabilities.empty) return "empty";
  return draw < probabilities.empty + probabilities.failed ? "failed" : "full";
}

function createdPools(parent: FakeBlock | null, hash: Hex, random: () => number): readonly FakePool[] {
  return parent === null ? FIRST_POOLS : newPools(hash, random);
}

function poolNamed(name: string | number, token0: Hex, token1: Hex): FakePool {
  return { address: address(`pool ${name}`), token0, token1 };
}

/**
 * Returns the pools that a block creates. One block in four creates a pool. Half of these pools are for a
 * token that exists only on this fork.
 */
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
    const pool = pools[Math.floor(random() * pools.length)] ?? FIRST_POOLS[0];
    const kind = random();
    if (kind < 0.7) return swapLog(pool, random);
    return kind < 0.9 ? depositLog(pool, random) : ownershipLog(random);
  });
}

function swapLog(pool: FakePool, random: () => number): Event {
  const [spent, got] = [10n ** 18n, BigInt(Math.floor((0.5 + random()) * 2e6)) * 10n ** 12n];
  const amounts = random() < 0.5 ? [spent, 0n, 0n, got] : [0n, got, spent, 0n];
  const data: Hex = `0x${amounts.map(word).join("")}`;
  return { address: pool.address, topics: [SWAP, topic(address("router")), topic(address("to"))], data };
}

/** Returns the log of an ERC-20 transfer into a pool. */
function depositLog({ address: pool, token0 }: FakePool, random: () => number): Event {
  const wallet = address(`wallet ${Math.floor(random() * 20)}`);
  const data: Hex = `0x${word(BigInt(Math.floor(random() * 1e15)))}`;
  return { address: token0, topics: [TRANSFER, topic(wallet), topic(pool)], data };
}

/** Returns the log of an ERC-721 transfer. */
function ownershipLog(random: () => number): Event {
  const wallet = address(`wallet ${Math.floor(random() * 20)}`);
  const id: Hex = `0x${word(Math.floor(random() * 1_000))}`;
  const topics = [TRANSFER, topic(wallet), topic(address("to")), id] as Hex[];
  return { address: address("collection"), topics, data: "0x" };
}

function inTransactions(events: Event[], hash: Hex, random: () => number): Transaction[] {
  const groups: Event[][] = [];
  for (const event of events) {
    const last = groups.at(-1);
    if (last === undefined || random() < 0.5) groups.push([event]);
    else last.push(event);
  }
  let logIndex = 0;
  return groups.map((group, index) => {
    const logs = group.map((event) => ({ ...event, logIndex: logIndex++ }));
    return transaction(hash, { index, random, logs, status: 1 });
  });
}

function failed(hash: Hex, random: () => number): Transaction[] {
  return Array.from({ length: 1 + Math.floor(random() * 3) }, (_, index) =>
    transaction(hash, { index, random, logs: [], status: 0 }),
  );
}

interface Sent {
  index: number;
  random: () => number;
  logs: Log[];
  status: 0 | 1;
}

function transaction(block: Hex, { index, random, logs, status }: Sent): Transaction {
  return {
    hash: digest(`transaction ${block} ${index}`, 32),
    transactionIndex: index,
    from: address(`wallet ${Math.floor(random() * 20)}`),
    to: address("router"),
    contractAddress: null,
    value: 0n,
    nonce: index,
    input: "0x",
    type: 2,
    // The largest limit is the one of system transactions on BNB Smart Chain.
    gasLimit: index === 1 ? 2n ** 63n - 1n : 100_000n,
    gasUsed: 50_000,
    gasPrice: 9n,
    maxFeePerGas: 20n,
    maxPriorityFeePerGas: 2n,
    fee: 450_000n,
    status,
    logs,
  };
}

const TOKEN0 = "0x0dfe1681";
const TOKEN1 = "0xd21220a7";
const FACTORY_OF = "0xc45a0155";
const GET_PAIR = "0xe6a43905";
const DECIMALS = "0x313ce567";
const SYMBOL = "0x95d89b41";

/**
 * Returns the result of a contract call, which is the same on every fork. Tokens have decimals and a symbol,
 * but no name.
 */
export function contractAnswer({ to, data }: ContractCall): Hex | null {
  const pool = FIRST_POOLS.find((candidate) => candidate.address === to);
  if (pool !== undefined) return poolAnswer(pool, data);
  if (to === FACTORY) return data.startsWith(GET_PAIR) ? pairAnswer(data) : null;
  if (data.startsWith(DECIMALS)) return `0x${word(18)}`;
  return data.startsWith(SYMBOL) ? bytes32Text(`T${to.slice(2, 6)}`) : null;
}

function poolAnswer(pool: FakePool, data: Hex): Hex | null {
  if (data.startsWith(TOKEN0)) return topic(pool.token0);
  if (data.startsWith(TOKEN1)) return topic(pool.token1);
  return data.startsWith(FACTORY_OF) ? topic(FACTORY) : null;
}

function pairAnswer(data: Hex): Hex {
  const [token0, token1] = [data.slice(34, 74), data.slice(98, 138)];
  const pair = FIRST_POOLS.find((pool) => pool.token0 === `0x${token0}` && pool.token1 === `0x${token1}`);
  return topic(pair?.address ?? "0x");
}

function bytes32Text(text: string): Hex {
  return `0x${Buffer.from(text).toString("hex").padEnd(64, "0")}`;
}

/** Adds blocks to a chain. Some are empty, and some have failed transactions. */
export function grow(blocks: FakeBlock[], upTo: number, salt = "a"): FakeBlock[] {
  while (blocks.length <= upTo) {
    const number = blocks.length;
    blocks.push(
      number === 0
        ? genesis()
        : childOf(blocks[number - 1] ?? null, { number, salt, probabilities: { empty: 0.1, failed: 0.1 } }),
    );
  }
  return blocks;
}
