import type { BaseError } from "../../../lib/error.ts";
import type { Commit } from "../../../reads/snapshot/snapshot.ts";
import type { IndexingState } from "../../endpoint/endpoint.ts";

/**
 * Returns why a chain does not advance: none of its RPC endpoints is usable, or no block has been indexed for
 * too long. Null while it advances, and in a process without an indexer.
 */
export function standstillReason(chain: string, state: IndexingState | null): string | null {
  if (state === null) return null;
  const { outage, stalled } = state;
  if (outage !== null) return `No RPC endpoint of chain ${chain} is usable (${outage})`;
  return stalled === null ? null : `Chain ${chain} is not advancing (${stalled.replace(/\.$/, "")})`;
}

/** Makes a message from the reason and the newest commit, which is null while nothing is indexed. */
export function standstill(reason: string, newest: Commit | null): string {
  const consequence =
    newest === null ? "no block is indexed yet" : `data up to block ${newest.blockNumber} is still served`;
  return `${reason}: ${consequence}.`;
}

/** Makes a message about a chain that cannot be read. */
export function unavailableReason(chain: string, failure: BaseError): string {
  return `Chain ${chain} cannot be read. ${failure.message}`;
}
