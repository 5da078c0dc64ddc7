import type { Chain } from "../../../src/chains/chain.ts";
import { type DecodedBlock, decodeBlock } from "../../../src/decode/blocks/decode-block.ts";
import { scanBlock } from "../../../src/decode/blocks/scan-block.ts";
import { unknownPools } from "../../../src/decode/discovery/unknown-pools.ts";
import { discoverContractPools } from "../../../src/ingest/discovery/contract-pools.ts";
import type { Hex } from "../../../src/lib/hex.ts";
import type { Block } from "../../../src/schema/block.ts";
import type { ContractCall } from "../../../src/schema/contract-call.ts";
import type { Pool } from "../../../src/schema/swap.ts";

type Pools = Map<Hex, Pool | null>;

/** Decodes consecutive blocks. Adds pools that it finds to `pools`. */
export function decodeBlocks(blocks: readonly Block[], pools: Pools, chain: Chain): DecodedBlock[] {
  return blocks.map((block) => {
    const decoded = decodeBlock(scanBlock(block, chain), pools, chain);
    for (const [address, pool] of decoded.foundPools) pools.set(address, pool);
    return decoded;
  });
}

/**
 * Looks up the contracts with pool events in these blocks, as an index does if it lacks their creation
 * events. Genuine pools have an entry, and all other contracts map to null.
 */
export function poolsOf(
  blocks: readonly Block[],
  chain: Chain,
  call: (calls: ContractCall[]) => Promise<(Hex | null)[]>,
): Promise<Pools> {
  const scanned = blocks.map((block) => scanBlock(block, chain));
  return discoverContractPools(unknownPools(scanned, new Map()), chain, call, Number.POSITIVE_INFINITY);
}
