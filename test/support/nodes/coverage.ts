import type { Chain } from "../../../src/chains/chain.ts";
import { cashOf } from "../../../src/chains/chain.ts";
import type { Hex } from "../../../src/lib/hex.ts";
import { tradesOf } from "../../../src/pricing/trades/legs.ts";
import type { Block } from "../../../src/schema/block.ts";
import { toBlock } from "../../../src/sources/conversion/convert.ts";
import { parseBlock, parseReceipts } from "../../../src/sources/wire/parse.ts";
import { bundlePath, readBundleJson, readGzLines } from "./bundles.ts";
import { decodeBlocks, poolsOf } from "./decoded-blocks.ts";
import { recordedCalls } from "./recording.ts";

/** Swap-like events of a block by kind: their number and estimated USD, counted without Quarry's decoder. */
type SwapCounts = Record<string, [events: number, usd: number]>;

interface Counts {
  blocks: { block: number; swaps_by_family: SwapCounts }[];
}

export interface Coverage {
  events: number;
  traded: number;
  usd: number;
  tradedUsd: number;
}

/** Matches kinds of pool events. Orders and routers have other prefixes. */
const POOL_KIND = /^AMM:/;
/** Matches kinds of contracts whose factories were unknown when the events were counted. */
const UNLISTED = /:unlisted$/;

/**
 * The kind under which each event topic is counted. Events without a topic are Ekubo's. Includes events of
 * pools that Quarry leaves out, so that a count by topic also shows what is missing.
 */
const KINDS: Record<string, string> = {
  "0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822": "uniswap-v2",
  "0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67": "uniswap-v3",
  "0x19b47279256b2a23a1665c810c8d55a1758940ee09377d4f8d26497a3577dc83": "pancake-v3",
  "0x40e9cecb9f5f1f1c5b9c97dec2917b7ee92e57ba5563708daca94dd84ad7112f": "uniswap-v4",
  "0x908fb5ee8f16c6bc9bc3690973819f32a4d4b10188134543c88706e0e1d43378": "balancer-v1",
  "0x2170c741c41531aec20e7c107c24eecfdd15e69c9bb0a8dd37b1840b9e0b207b": "balancer-v2",
  "0x0874b2d545cb271cdbda4e093020c452328b24af12382ed62c4d00f5c26709db": "balancer-v3",
  "0x8b3e96f2b889fa771c53c981b40daf005f63f637f1869f707052d15a3dd97140": "curve-stable",
  "0xd013ca23e77a65003c2c659c5442c00c805371b7fc1ebd4c206c41d1536bd90b": "curve-stable-underlying",
  "0xb2e76ae99761dc136e598d4a629bb347eccb9532a5f8bbd72e18467c3c34cc98": "curve-crypto",
  "0x143f1f8e861fbdeddd5b46e844b7d3ac7b86a122f36e8c463859ee6811b1f29c": "curve-crypto-ng",
  "0xdc004dbca4ef9c966218431ee5d9133d337ad018dd5b5c5493722803f75c64f7": "fluid",
  "0xc2c0245e056d5fb095f04cd6373bc770802ebd1e6c918eb78fdef843cdb37b0f": "dodo",
  "0x3b841dc9ab51e3104bda4f61b41e4271192d22cd19da5ee6e292dc8e2744f713": "maverick-v1",
  "0xcd3829a3813dc3cdd188fd3d01dcf3268c16be2fdd2dd21d0665418816e46062": "trident",
  "0xd8648b6ac54162763c86fd54bf2005af8ecd2f9cb273a5775921fd7f91e17b2d": "dodo-v1",
  "0xe93ad76094f247c0dafc1c61adc2187de1ac2738f7a3b49cb20b2263420251a3": "dodo-v1",
  "0xa4228e1eb11eb9b31069d9ed20e7af9a010ca1a02d4855cee54e08e188fcc32c": "smardex",
  "0xcd8b75a7fb6cb82ab3acded68ac53af5c43d19b51a91b9d5640bb73622dbdf57": "metric-v0",
  "0x87d25816ca01843f551b4caa5eea03b5173c84c383573c63081fb7575378276e": "metric",
  "0x9734819749a91fc3be03ea83205f924ee08479bd3f0da48efc91d94d050cac1e": "metric",
  // Conversion(address,address,address,uint256,uint256,int256) of the converters of version 2
  "0x276856b36cbc45526a0ba64f44611557a2a8b68662c5388e9fe6d72e86e1c8cb": "bancor-v2",
  // TokensTraded(bytes32,address,address,uint256,uint256,uint256,uint256,uint256,address)
  "0x5c02c2bb2d1d082317eb23916ca27b3e7c294398b60061a2ad54f1c3c018c318": "bancor-v3",
  // TokenSwap(address,uint256,uint256,uint128,uint128)
  "0xc6c1e0630dbe9130cc068028486c0d118ddcea348550819defd5cb8c257f8a38": "saddle",
  // Swap(address,uint256,uint256,uint256,uint256)
  "0x49926bbebe8474393f434dfa4f78694c0923efa07d19f2284518bfabd06eb737": "smoothy",
};

/**
 * Returns the swap-like events in a bundle's blocks by kind: their number and value, and how much of both
 * becomes trades.
 */
export async function coverageOf(name: string, chain: Chain): Promise<Map<string, Coverage>> {
  const bundle = bundlePath(name);
  const coverage = new Map<string, Coverage>();
  const blocks = blocksIn(bundle);
  for (const { block: number, swaps_by_family } of readBundleJson<Counts>(bundle, "counts.json").blocks) {
    const block = blocks.get(number);
    if (block === undefined) throw new Error(`${name} has no block ${number}`);
    const traded = await tradedEvents(block, chain, bundle);
    // Counts the kinds of known factories first.
    for (const [kind, [events, usd]] of poolKinds(swaps_by_family)) {
      const known = kind.replace(UNLISTED, "");
      const found = Math.min(traded.get(known) ?? 0, events);
      traded.set(known, (traded.get(known) ?? 0) - found);
      const sum = coverage.get(kind) ?? { events: 0, traded: 0, usd: 0, tradedUsd: 0 };
      sum.events += events;
      sum.traded += found;
      sum.usd += usd;
      sum.tradedUsd += (usd * found) / events;
      coverage.set(kind, sum);
    }
  }
  return coverage;
}

/**
 * Like `coverageOf`, but for blocks whose events were not counted independently. Counts logs with a known
 * topic, but no values.
 */
export async function topicCoverageOf(
  name: string,
  chain: Chain,
): Promise<Map<string, Pick<Coverage, "events" | "traded">>> {
  const bundle = bundlePath(name);
  const coverage = new Map<string, Pick<Coverage, "events" | "traded">>();
  for (const block of blocksIn(bundle).values()) {
    const logs = block.transactions.flatMap((transaction) => transaction.logs);
    const kinds = logs.flatMap(({ topics: [topic] }) => (topic && KINDS[topic]) ?? []);
    const traded = await tradedEvents(block, chain, bundle);
    for (const kind of new Set(kinds)) {
      const sum = coverage.get(kind) ?? { events: 0, traded: 0 };
      sum.events += kinds.filter((one) => one === kind).length;
      sum.traded += traded.get(kind) ?? 0;
      coverage.set(kind, sum);
    }
  }
  return coverage;
}

export function totalOf(coverage: ReadonlyMap<string, Coverage>): Coverage {
  const total = { events: 0, traded: 0, usd: 0, tradedUsd: 0 };
  for (const { events, traded, usd, tradedUsd } of coverage.values()) {
    total.events += events;
    total.traded += traded;
    total.usd += usd;
    total.tradedUsd += tradedUsd;
  }
  return total;
}

function blocksIn(bundle: string): Map<number, Block> {
  const receipts = readGzLines(bundle, "receipts.ndjson.gz");
  return new Map(
    readGzLines(bundle, "blocks.ndjson.gz").map((line, i) => {
      const raw = JSON.parse(line);
      const number = Number(raw.number);
      const list = parseReceipts(JSON.parse(receipts[i] ?? "[]"), number);
      return [number, toBlock(parseBlock(raw, number), list, "given")];
    }),
  );
}

function poolKinds(counts: SwapCounts): [kind: string, [events: number, usd: number]][] {
  return Object.entries(counts)
    .filter(([kind]) => POOL_KIND.test(kind))
    .map(([kind, sums]): [string, [number, number]] => [kind.replace(POOL_KIND, ""), sums])
    .sort(([a], [b]) => Number(UNLISTED.test(a)) - Number(UNLISTED.test(b)));
}

/** Returns the number of swap events that become trades, by kind. */
async function tradedEvents(block: Block, chain: Chain, bundle: string): Promise<Map<string, number>> {
  const pools = await poolsOf([block], chain, recordedCalls(bundle));
  const [decoded] = decodeBlocks([block], pools, chain);
  const logs = block.transactions.flatMap((transaction) => transaction.logs);
  const topics = new Map(logs.map(({ logIndex, topics: [topic] }) => [logIndex, topic] as const));
  const counts = new Map<string, number>();
  for (const event of decoded?.transactions.flatMap(({ events }) => events) ?? []) {
    if (event.kind !== "swap" || tradesOf(event, cashOf(chain)).length === 0) continue;
    const kind = kindOf(topics.get(event.logIndex));
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}

function kindOf(topic: Hex | undefined): string {
  return topic === undefined ? "ekubo" : (KINDS[topic] ?? topic);
}
