import { createHash } from "node:crypto";
import type { Chain } from "../../../src/chains/chain.ts";
import { addressWord } from "../../../src/decode/abi/abi.ts";
import { poolAddress } from "../../../src/decode/pools/pool-address.ts";
import type { Hex } from "../../../src/lib/hex.ts";
import type { Block } from "../../../src/schema/block.ts";
import type { ContractCall } from "../../../src/schema/contract-call.ts";
import type { Pool } from "../../../src/schema/swap.ts";
import { toBlock } from "../../../src/sources/conversion/convert.ts";
import { parseBlock, parseReceipts } from "../../../src/sources/wire/parse.ts";
import { MAINNET, readBundleJson, readGzLines } from "./bundles.ts";
import { poolsOf } from "./decoded-blocks.ts";
import { recordedBlocks } from "./recording.ts";

const TOKEN0: Hex = "0x0dfe1681";
const TOKEN1: Hex = "0xd21220a7";

/**
 * Number of rounds until a new address replaces an old one. Some addresses live for minutes, some for hours,
 * some forever.
 */
const LIFETIMES = [4, 16, 64, 256, Number.POSITIVE_INFINITY];

/** Number of pool addresses to remember for later calls: several times the pools of one round. */
const POOLS_REMEMBERED = 20_000;

/** A part of a recorded text that changes in each repetition. */
type Slot = { kind: "number" | "timestamp" | "hash" | "parent" | "address" | "transaction"; text: string };

type Template = (string | Slot)[];

export interface EndlessOptions {
  /** Names the fork: blocks of different forks have different hashes. */
  fork?: string;
  /** Returns the time of a block in Unix seconds. Default: follows the chain's block time. */
  timeOf?: (number: number) => number;
}

type Opened = EndlessOptions & { pools: Pools };

/**
 * Repeats the recorded mainnet blocks as an endless chain. Numbers, times and hashes continue, and each
 * transaction has its own hash. In each round, new wallets, tokens and pools replace some of the old ones.
 * The pools are genuine: their addresses follow from their factories. Pools whose addresses do not follow
 * from their tokens are never replaced, nor are their tokens. Roots and blooms are unchanged from the
 * recording, so no block can be verified.
 */
export class EndlessChain {
  readonly first: number;
  readonly #chain: Chain;
  readonly #fork: string;
  readonly #timeOf: (number: number) => number;
  readonly #templates: { block: Template; receipts: Template }[];
  readonly #answers = readBundleJson<Record<string, Record<string, Hex>>>(MAINNET, "calls.json");
  readonly #pools: Map<Hex, Pool | null>;
  readonly #kept: Set<Hex>;
  /** Original addresses, by the digits that every generation keeps. */
  readonly #originals = new Map<string, Hex>();
  /** Addresses of new pools by original pool and tokens, and the original pools by these addresses. */
  readonly #poolNames = new Map<string, Hex>();
  readonly #poolPlaces = new Map<Hex, { pool: Pool; round: number }>();

  private constructor(recorded: Block[], chain: Chain, { pools, fork = "", timeOf }: Opened) {
    this.first = recorded[0]?.number ?? 0;
    this.#chain = chain;
    this.#fork = fork;
    const start = recorded[0]?.timestamp ?? 0;
    this.#timeOf = timeOf ?? ((number) => start + ((number - this.first) * chain.blockTimeMs) / 1000);
    this.#pools = pools;
    const { wrappedNative, stableCoins, referencePools, deployments } = chain;
    const factories = deployments.map(({ factory }) => factory);
    const underived = [...pools.values()].flatMap((pool) =>
      pool === null || derivedAddress(pool, pool, chain) === pool.address
        ? []
        : [pool.address, ...pool.tokens, ...pool.underlying].filter((address) => address !== null),
    );
    this.#kept = new Set([wrappedNative, ...stableCoins, ...referencePools, ...factories, ...underived]);
    const changing = new Set<string>();
    for (const address of addressesIn(recorded, this.#answers)) {
      if (this.#kept.has(address)) continue;
      changing.add(address.slice(2));
      this.#originals.set(lasting(address), address);
    }
    const receipts = readGzLines(MAINNET, "receipts.ndjson.gz");
    this.#templates = readGzLines(MAINNET, "blocks.ndjson.gz").map((line, i) => {
      const slots = slotsOf(recorded[i] as Block);
      return { block: cut(line, slots, changing), receipts: cut(receipts[i] ?? "[]", slots, changing) };
    });
  }

  static async open(chain: Chain, options: EndlessOptions = {}): Promise<EndlessChain> {
    const recorded = recordedBlocks(MAINNET);
    const answers = readBundleJson<Record<string, Record<string, Hex>>>(MAINNET, "calls.json");
    const pools = await poolsOf(recorded, chain, async (calls) =>
      calls.map(({ to, data }) => answers[to]?.[data] ?? null),
    );
    return new EndlessChain(recorded, chain, { pools, ...options });
  }

  /** Returns a block and its receipts as a node's JSON. */
  json(number: number): { block: string; receipts: string } {
    const at = number - this.first;
    const round = Math.floor(at / this.#templates.length);
    const template = this.#templates[at % this.#templates.length];
    if (template === undefined) throw new Error(`the chain begins at block ${this.first}`);
    const fill = (part: string | Slot) => (typeof part === "string" ? part : this.#fill(part, number, round));
    return { block: template.block.map(fill).join(""), receipts: template.receipts.map(fill).join("") };
  }

  block(number: number): Block {
    const { block, receipts } = this.json(number);
    const parsed = parseBlock(JSON.parse(block), number);
    return toBlock(parsed, parseReceipts(JSON.parse(receipts), number), "given");
  }

  hash(number: number): Hex {
    return `0x${digest(`${this.#fork} ${number}`)}`;
  }

  /**
   * Returns the result of a contract call. A contract of a later round returns the same as the recorded
   * contract that it replaces, except for its tokens.
   */
  call({ to, data }: ContractCall): Hex | null {
    const place = this.#poolPlaces.get(to);
    const original = place?.pool.address ?? this.#originals.get(lasting(to)) ?? to;
    const answer = this.#answers[original]?.[data] ?? null;
    if (place === undefined || (data !== TOKEN0 && data !== TOKEN1)) return answer;
    const { token0, token1 } = place.pool;
    return `0x${addressWord(this.#renamed(data === TOKEN0 ? token0 : token1, place.round))}`;
  }

  #fill({ kind, text }: Slot, number: number, round: number): string {
    if (kind === "address") return this.#renamed(`0x${text}`, round).slice(2);
    if (kind === "transaction") return digest(`${this.#fork} ${text} ${round}`);
    if (kind === "number") return number.toString(16);
    if (kind === "timestamp") return this.#timeOf(number).toString(16);
    return this.hash(kind === "hash" ? number : number - 1).slice(2);
  }

  #renamed(address: Hex, round: number): Hex {
    if (this.#kept.has(address)) return address;
    const pool = this.#pools.get(address);
    if (pool) return this.#poolAt(pool, round);
    const generation = generationOf(address, round);
    if (generation === 0) return address;
    return `${address.slice(0, 10)}${generation.toString(16).padStart(8, "0")}${address.slice(18)}` as Hex;
  }

  #poolAt(pool: Pool, round: number): Hex {
    const token0 = this.#renamed(pool.token0, round);
    const token1 = this.#renamed(pool.token1, round);
    if (token0 === pool.token0 && token1 === pool.token1) return pool.address;
    const name = `${pool.address} ${token0} ${token1}`;
    const known = this.#poolNames.get(name);
    if (known !== undefined) return known;
    const address = derivedAddress(pool, { token0, token1 }, this.#chain);
    if (address === null) throw new Error(`${pool.address} has no deployment that its address follows from`);
    remember(this.#poolNames, name, address);
    remember(this.#poolPlaces, address, { pool, round });
    return address;
  }
}

/**
 * Derives the address at which the pool's factory creates a pool of these tokens. Returns null if tokens and
 * fee do not determine it.
 */
function derivedAddress(pool: Pool, tokens: Pick<Pool, "token0" | "token1">, chain: Chain): Hex | null {
  const { token0, token1 } = tokens;
  const deployment = chain.deployments.find(({ factory }) => factory === pool.factory);
  const key = pool.family === "uniswap-v2" ? null : pool.fee;
  return deployment === undefined ? null : poolAddress(deployment, { token0, token1, key });
}

type Pools = Map<Hex, Pool | null>;

function generationOf(address: Hex, round: number): number {
  const lifetime = LIFETIMES[Number.parseInt(address.slice(-4), 16) % LIFETIMES.length] ?? 1;
  return Math.floor(round / lifetime);
}

/**
 * Returns the digits that all generations of an address share. Keeps the first digits, so pairs of tokens
 * stay in order.
 */
function lasting(address: Hex): string {
  return address.slice(0, 10) + address.slice(18);
}

function remember<K, V>(map: Map<K, V>, key: K, value: V): void {
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > POOLS_REMEMBERED && oldest !== undefined) map.delete(oldest);
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function addressesIn(blocks: readonly Block[], answers: Record<string, unknown>): Set<Hex> {
  const found = new Set<Hex>(Object.keys(answers) as Hex[]);
  for (const transaction of blocks.flatMap(({ transactions }) => transactions)) {
    found.add(transaction.from);
    for (const log of transaction.logs) found.add(log.address);
  }
  return found;
}

function slotsOf(block: Block): Map<string, Slot> {
  const slots = new Map<string, Slot>();
  const add = (text: string, kind: Slot["kind"], key = text) => slots.set(key, { kind, text });
  add(block.hash.slice(2), "hash");
  add(block.parentHash.slice(2), "parent");
  for (const { hash } of block.transactions) add(hash.slice(2), "transaction");
  add(block.number.toString(16), "number", `number ${block.number.toString(16)}`);
  add(block.timestamp.toString(16), "timestamp", `timestamp ${block.timestamp.toString(16)}`);
  return slots;
}

/**
 * Matches numbers and times by field name, hashes as whole strings, and addresses as strings or as words of
 * calls and logs.
 */
const PLACES =
  /(?<="(?:number|blockNumber)":"0x)(?<number>[0-9a-f]+)(?=")|(?<="timestamp":"0x)(?<time>[0-9a-f]+)(?=")|(?<="0x)(?<hash>[0-9a-f]{64})(?=")|(?<="0x|0{24})(?=(?<address>[0-9a-f]{40}))/g;

function cut(line: string, slots: Map<string, Slot>, changing: Set<string>): Template {
  const template: Template = [];
  let done = 0;
  for (const { index, groups = {} } of line.matchAll(PLACES)) {
    const { number, time, hash, address } = groups;
    const key = hash ?? (number === undefined ? time && `timestamp ${time}` : `number ${number}`);
    const slot = address === undefined ? slots.get(key ?? "") : addressSlot(address, changing);
    if (slot === undefined || index < done) continue;
    template.push(line.slice(done, index), slot);
    done = index + slot.text.length;
  }
  return [...template, line.slice(done)];
}

function addressSlot(text: string, changing: Set<string>): Slot | undefined {
  return changing.has(text) ? { kind: "address", text } : undefined;
}
