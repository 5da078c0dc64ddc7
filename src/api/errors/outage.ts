import type { Commit } from "../../reads/snapshot/snapshot.ts";

/** Why a chain does not advance while none of its endpoints answers, and what that means for those who ask. */
export function outageSentence(chain: string, outage: string, newest: Commit | null): string {
  const rest =
    newest === null
      ? "no block is indexed yet"
      : `what is indexed up to block ${newest.blockNumber} is still served`;
  return `No RPC endpoint of chain ${chain} can be used (${outage}): ${rest}.`;
}
