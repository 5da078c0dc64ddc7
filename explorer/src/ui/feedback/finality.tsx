import { formatCount } from "../../format/number.ts";
import { useChainStatus } from "../../queries/chain/use-chain.ts";
import { Badge } from "./badge.tsx";

/** Up to which block a chain is final; null where none is yet, or not known. */
export function useFinalizedBlock(chain: string): number | null {
  return useChainStatus(chain)?.finalized_block ?? null;
}

/** Whether a reorg can still take a block back. */
export function Finality({ chain, block }: { chain: string; block: number }) {
  const finalized = useFinalizedBlock(chain);
  if (finalized !== null && block <= finalized) {
    return (
      <Badge tone="up" hint={`The chain is final up to block ${formatCount(finalized)}.`}>
        Final
      </Badge>
    );
  }
  const left = finalized === null ? null : block - finalized;
  return (
    <Badge tone="warn" hint="A reorg may still take it back.">
      Not final{left === null ? "" : `: ${formatCount(left)} ${left === 1 ? "block" : "blocks"} to go`}
    </Badge>
  );
}
