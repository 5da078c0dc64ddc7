import type { ChainStatus } from "@quarry/sdk";

/**
 * Describes what was verified in all blocks of a chain. Returns null if that is not known for every block:
 * the status lists only the newest ranges of blocks with the same proof.
 */
export function verificationText({
  first_block,
  proofs,
}: Pick<ChainStatus, "first_block" | "proofs">): string | null {
  const oldest = Math.min(...proofs.map((range) => range.first_block));
  if (first_block === null || oldest > first_block) return null;
  if (proofs.every(({ proof }) => proof === "block")) return "every block verified against its header";
  const hasLogs = proofs.every(({ proof }) => proof === "block" || proof === "receipts");
  return hasLogs ? "all logs verified against block headers" : null;
}
