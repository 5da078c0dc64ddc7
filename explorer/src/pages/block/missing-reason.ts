import { formatCount } from "../../format/number.ts";

interface ChainProgress {
  first_block: number | null;
  indexed_block: number | null;
  head_block: number | null;
  /** Null where this process does not index. */
  rollbacks: { count: number } | null;
}

/** Why a block is not there. The page asks again with every new block, so that a block that comes is shown. */
export function missingBlockReason(
  { first_block, indexed_block, head_block, rollbacks }: ChainProgress,
  number: number,
) {
  if (indexed_block === null) return "No block is indexed yet. It is shown here as soon as it is.";
  if (first_block !== null && number < first_block) {
    return `This index begins at block ${formatCount(first_block)}: older blocks are not in it.`;
  }
  if (number <= indexed_block) {
    return "The index has no such block: it was taken back a moment ago, or is missing. It is shown here as soon as it is there; quarry doctor finds out what is missing.";
  }
  const indexed = `The index reaches block ${formatCount(indexed_block)}`;
  const again = (rollbacks?.count ?? 0) > 0 ? " If it was here before, a reorg took it back." : "";
  if (head_block !== null && number <= head_block) {
    return `Not indexed yet. ${indexed}, the chain block ${formatCount(head_block)}. It is shown here as soon as it is indexed.${again}`;
  }
  return `Beyond the newest block. ${indexed}, ${formatCount(number - indexed_block)} below this one. It is shown here as soon as it is there.${again}`;
}
