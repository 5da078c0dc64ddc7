import { formatCount } from "../../format/number.ts";
import { useChainStatus } from "../../queries/chain/use-chain.ts";
import { Badge } from "./badge.tsx";

/** Returns the newest final block of a chain; null if none is final or it is unknown. */
export function useFinalizedBlock(chain: string): number | null {
  return useChainStatus(chain)?.finalized_block ?? null;
}

/** Shows whether a block is final, or the number of blocks until it is; nothing while that is unknown. */
export function Finality({ chain, block }: { chain: string; block: number }) {
  const finalized = useFinalizedBlock(chain);
  if (finalized === null) return null;
  if (block <= finalized) {
    return (
      <Badge tone="up" hint={`Blocks up to ${formatCount(finalized)} are final.`}>
        Final
      </Badge>
    );
  }
  const left = block - finalized;
  return (
    <Badge tone="warn" hint="A reorg can still remove this block.">
      Not final: {formatCount(left)} {left === 1 ? "block" : "blocks"} to go
    </Badge>
  );
}
