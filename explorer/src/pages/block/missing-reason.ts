import { formatCount } from "../../format/number.ts";

interface ChainProgress {
  first_block: number | null;
  indexed_block: number | null;
  head_block: number | null;
  /** Null if this process does not index. */
  rollbacks: { count: number } | null;
}

/**
 * Returns the reason why a block is missing. The page refetches with every new block, so it shows the block
 * once it is indexed.
 */
export function missingBlockReason(
  { first_block, indexed_block, head_block, rollbacks }: ChainProgress,
  number: number,
) {
  if (indexed_block === null) return "No block is indexed yet. This page updates as soon as one is.";
  if (first_block !== null && number < first_block) {
    return `The index starts at block ${formatCount(first_block)}.`;
  }
  if (number <= indexed_block) {
    return "This block is missing from the index: a reorg just removed it, or the index has a gap, which quarry doctor can find. This page updates as soon as the block is indexed.";
  }
  const indexed = `The index reaches block ${formatCount(indexed_block)}`;
  const reorg = (rollbacks?.count ?? 0) > 0 ? " If it was here before, a reorg removed it." : "";
  if (head_block !== null && number <= head_block) {
    return `Not indexed yet. ${indexed}; the latest block is ${formatCount(head_block)}. This page updates as soon as the block is indexed.${reorg}`;
  }
  return `Beyond the latest block. ${indexed}, ${formatCount(number - indexed_block)} below this one. This page updates as soon as the block is indexed.${reorg}`;
}
