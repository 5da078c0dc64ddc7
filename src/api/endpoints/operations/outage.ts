import type { Commit } from "../../../reads/snapshot/snapshot.ts";

/** Why a chain does not advance while none of its RPC endpoints is usable, and what is still served. */
export function outageMessage(chain: string, outage: string, newest: Commit | null): string {
  const consequence =
    newest === null
      ? "no block is indexed yet"
      : `what is indexed up to block ${newest.blockNumber} is still served`;
  return `No RPC endpoint of chain ${chain} can be used (${outage}): ${consequence}.`;
}
