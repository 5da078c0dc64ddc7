import type { Hex } from "../../lib/hex.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { readTokenFacts } from "../trades/token-facts.ts";
import { type FoundPool, readMatchingPools, type TokenSets } from "./pool-search.ts";
import { isNamed, type SearchText, searchTextOf } from "./search-text.ts";
import { readSpam } from "./spam.ts";
import { type FoundToken, namedTokens, readMatchingTokens } from "./token-search.ts";

export interface SearchQuery {
  text: SearchText;
  wantsTokens: boolean;
  wantsPools: boolean;
  /** Maximum number of tokens, and of pools. */
  size: number;
  showsSpam: boolean;
}

export interface TokenResult extends FoundToken {
  chain: string;
  spamReasons: string | null;
}

export interface PoolResult extends FoundPool {
  chain: string;
  symbols: (string | null)[];
  /** Spam reasons of the pool's first token that is spam; null if none is. */
  spamReasons: string | null;
}

/** The results for a string in one or several chains, best first. */
export interface ChainResults {
  tokens: TokenResult[];
  pools: PoolResult[];
  /** Number of results that were left out because they are spam. */
  hidden: number;
}

/** The number of results that are read is this many times the size, because some of them may be spam. */
const SPAM_ROOM = 3;

/** Maximum number of tokens, for each word, whose pools are searched. */
const MAX_POOL_TOKENS = 10;

/**
 * Searches a chain for tokens and pools that match a string. Spam is left out or, with `showsSpam`, comes
 * last. A token or pool that the text names by its complete address comes first, even if it is spam.
 */
export async function searchChain(snapshot: Snapshot, query: SearchQuery): Promise<ChainResults> {
  const { text, wantsTokens, wantsPools, size } = query;
  const chain = snapshot.chain.name;
  const most = SPAM_ROOM * size;
  const found = await readMatchingTokens(snapshot, text, Math.max(most, MAX_POOL_TOKENS));
  const pools = wantsPools
    ? await readMatchingPools(snapshot, text, { sets: await tokenSets(snapshot, text, found), most })
    : [];
  const tokens = wantsTokens ? found : [];
  const judged = new Set([...tokens.map(({ token }) => token), ...pools.flatMap((pool) => pool.tokens)]);
  const [spam, facts] = await Promise.all([
    readSpam(snapshot, [...judged]),
    readTokenFacts(snapshot, [...new Set(pools.flatMap((pool) => pool.tokens))]),
  ]);
  return chosen(query, {
    tokens: tokens.map((token) => ({ ...token, chain, spamReasons: spam.get(token.token) ?? null })),
    pools: pools.map((pool) => ({
      ...pool,
      chain,
      symbols: pool.tokens.map((token) => facts.get(token)?.tokenSymbol ?? null),
      spamReasons:
        pool.tokens.map((token) => spam.get(token)).find((reasons) => reasons !== undefined) ?? null,
    })),
  });
}

/** Returns the tokens named by the words of a pair, or by the text as a whole. */
async function tokenSets(
  snapshot: Snapshot,
  text: SearchText,
  found: readonly FoundToken[],
): Promise<TokenSets> {
  const namesOf = (tokens: readonly FoundToken[]) =>
    namedTokens(tokens, MAX_POOL_TOKENS).map(({ token }) => token);
  if (text.pair === null) return text.name === "" ? [] : [namesOf(found)];
  const words = await Promise.all(
    text.pair.map((word) => readMatchingTokens(snapshot, searchTextOf(word), MAX_POOL_TOKENS)),
  );
  return words.map(namesOf);
}

function chosen(
  { size, showsSpam, text }: SearchQuery,
  { tokens, pools }: Omit<ChainResults, "hidden">,
): ChainResults {
  const isShown = (address: Hex, { spamReasons }: Judged) =>
    showsSpam || spamReasons === null || isNamed(text, address);
  const shownTokens = tokens.filter((one) => isShown(one.token, one));
  const shownPools = pools.filter((one) => isShown(one.pool, one));
  const hidden = tokens.length + pools.length - shownTokens.length - shownPools.length;
  return {
    tokens: shownTokens.sort(bySpam).slice(0, size),
    pools: shownPools.sort((a, b) => byName(text, a.pool, b.pool) || bySpam(a, b)).slice(0, size),
    hidden,
  };
}

type Judged = Pick<TokenResult, "spamReasons">;

/** Compares results: spam comes last. */
export function bySpam({ spamReasons: a }: Judged, { spamReasons: b }: Judged): number {
  return Number(a !== null) - Number(b !== null);
}

/** Compares addresses or ids: the one that the text gives in full comes first. */
export function byName(text: SearchText, a: Hex, b: Hex): number {
  return Number(isNamed(text, b)) - Number(isNamed(text, a));
}
