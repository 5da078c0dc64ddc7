import { completeTokens, isSameMetadata, type TokenList } from "../../chains/token-list.ts";
import { readTokens, tokenCalls } from "../../decode/discovery/token-metadata.ts";
import { hexBytes, integer, sql } from "../../engine-sql/sql-text.ts";
import type { Hex } from "../../lib/hex.ts";
import type { BlockRef } from "../../schema/block.ts";
import type { Token } from "../../schema/swap.ts";
import type { Source } from "../../sources/source.ts";
import type { Engine } from "../../storage/store.ts";
import { type IncompleteToken, incompleteTokensQuery } from "./incomplete-tokens.ts";

/** Number of tokens per request. Each takes three calls. */
const PAGE_TOKENS = 500;

export interface FoundMetadata {
  /** Number of stored tokens without a symbol, a name or decimals. */
  incomplete: number;
  /** The tokens for which a value was found, with all values that are known now. */
  found: Map<Hex, Token>;
  /** First block in which one of these tokens was seen; null if nothing was found. */
  firstBlock: number | null;
}

export interface MetadataQuery {
  engine: Engine;
  chain: string;
  /** Calls contracts; returns null if there is no endpoint. */
  call: Source["call"];
  /** Metadata of tokens whose contracts do not reveal it. */
  tokenList: TokenList;
  /**
   * The newest stored block. Contracts are called in the state after this block if an endpoint has that
   * state.
   */
  block: BlockRef;
  signal: AbortSignal;
}

/**
 * Looks for the metadata that stored tokens lack. Stored values take precedence, then the contract's values,
 * then the list's.
 */
export async function findMissingMetadata(query: MetadataQuery): Promise<FoundMetadata> {
  const result: FoundMetadata = { incomplete: 0, found: new Map(), firstBlock: null };
  for await (const page of incompletePages(query)) {
    query.signal.throwIfAborted();
    result.incomplete += page.length;
    const addresses = page.map(({ address }) => address);
    const firstSeen = addresses.map((address) => ({ address, block: query.block }));
    const called = readTokens(addresses, (await query.call(tokenCalls(firstSeen))) ?? []);
    const revealed = new Map(called.map((token) => [token.address, token]));
    for (const { firstBlock, ...stored } of page) {
      const [complete] = completeTokens(completeTokens([stored], revealed), query.tokenList);
      if (complete === undefined || isSameMetadata(complete, stored)) continue;
      result.found.set(stored.address, complete);
      result.firstBlock = Math.min(result.firstBlock ?? firstBlock, firstBlock);
    }
  }
  return result;
}

async function* incompletePages({ engine, chain }: MetadataQuery): AsyncGenerator<IncompleteToken[]> {
  let after: Hex | null = null;
  for (;;) {
    const isNext = after === null ? sql`1` : sql`token_address > ${hexBytes(after)}`;
    const page: IncompleteToken[] = await engine.query<IncompleteToken>(
      sql`${incompleteTokensQuery(chain, isNext)} ORDER BY token_address LIMIT ${integer(PAGE_TOKENS)}`,
    );
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = last.address;
  }
}
