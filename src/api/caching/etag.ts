import { hash } from "node:crypto";
import type { Chain } from "../../chains/chain.ts";
import type { Commit } from "../../reads/snapshot/snapshot.ts";

/**
 * Identifies what else decides the answers about a chain: the service's version and the chain's own facts,
 * such as its stable coins.
 */
export function originOf(version: string, chain: Chain): string {
  return digest(JSON.stringify([version, chain]));
}

/**
 * The ETag of an answer. It is weak, because one answer has one ETag in every content encoding; ranges, the
 * only use of strong ones here, are not offered. Besides the commit's number and block it includes when and
 * from which block on the chain was indexed, so that a chain that is indexed again gets other ETags.
 */
export function etagOf(origin: string, commit: Commit, question: string): string {
  const { sequence, blockHash, firstBlock, committedAt } = commit;
  const commitText = `${sequence} ${blockHash} ${firstBlock} ${committedAt}`;
  return `W/"${sequence}-${digest(`${origin} ${commitText} ${question}`)}"`;
}

/** SHA-1 takes a microsecond, and no one gains from a collision: it would only spoil the client's own copy. */
function digest(text: string): string {
  return hash("sha1", text, "base64url");
}

/** Whether If-None-Match names the ETag, by weak comparison (RFC 9110, 13.1.2). */
export function namesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag) return true;
  const tag = opaqueTag(etag);
  return ifNoneMatch.split(",").some((listed) => opaqueTag(listed.trim()) === tag);
}

/** Whether If-None-Match is `*`, which any answer matches. */
export function matchesAny(ifNoneMatch: string | undefined): boolean {
  return ifNoneMatch?.trim() === "*";
}

function opaqueTag(etag: string): string {
  return etag.startsWith("W/") ? etag.slice(2) : etag;
}
