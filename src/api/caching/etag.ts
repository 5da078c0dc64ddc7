import { hash } from "node:crypto";
import type { Chain } from "../../chains/chain.ts";
import type { Commit } from "../../reads/snapshot/snapshot.ts";

/**
 * Returns a hash of everything but the blocks that determines the answers about a chain: the service's
 * version, and the definition of the chain, such as its stablecoins.
 */
export function originOf(version: string, chain: Chain): string {
  return digest(JSON.stringify([version, chain]));
}

/**
 * Returns the ETag of an answer. It is weak, because an answer has the same ETag in every content encoding;
 * range requests, which would need a strong ETag, are not offered. In addition to the commit's number and
 * block, it includes the commit's time and the chain's first block, so that a chain that is indexed again
 * gets new ETags.
 */
export function etagOf(origin: string, commit: Commit, question: string): string {
  const { sequence, blockHash, firstBlock, committedAt } = commit;
  const commitText = `${sequence} ${blockHash} ${firstBlock} ${committedAt}`;
  return `W/"${sequence}-${digest(`${origin} ${commitText} ${question}`)}"`;
}

/**
 * Returns a SHA-1 hash, which takes a microsecond. At worst, a collision makes a client keep its own outdated
 * copy.
 */
function digest(text: string): string {
  return hash("sha1", text, "base64url");
}

/** Returns whether If-None-Match names the ETag, by weak comparison (RFC 9110, 13.1.2). */
export function namesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag) return true;
  const tag = opaqueTag(etag);
  return ifNoneMatch.split(",").some((listed) => opaqueTag(listed.trim()) === tag);
}

/** Returns whether If-None-Match is `*`, which any answer matches. */
export function matchesAny(ifNoneMatch: string | undefined): boolean {
  return ifNoneMatch?.trim() === "*";
}

function opaqueTag(etag: string): string {
  return etag.startsWith("W/") ? etag.slice(2) : etag;
}
