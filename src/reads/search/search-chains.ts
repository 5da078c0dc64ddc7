import {
  type Answer,
  type Commit,
  NothingIndexed,
  type QueryLimits,
  type Reader,
  readSnapshot,
} from "../snapshot/snapshot.ts";
import { compareTrading } from "./day-trades.ts";
import { byName, bySpam, type ChainResults, type SearchQuery, searchChain } from "./search.ts";

/** Results, and the commits that they reflect: one, or one per chain. */
export interface FoundInChains extends Answer<ChainResults> {
  asOfEach: readonly Commit[];
}

/**
 * Searches one chain, or every chain of the service: all results in one order, at most `size` of each kind.
 * Chains without a block are left out of a search across all chains.
 *
 * @throws UnknownChain, NothingIndexed for a chain that is named, ReorganizedDuringRead
 */
export async function searchChains(
  reader: Reader,
  chain: string | "all",
  query: SearchQuery,
  limits: QueryLimits,
): Promise<FoundInChains> {
  const read = (name: string) =>
    readSnapshot(reader, name, limits, (snapshot) => searchChain(snapshot, query));
  if (chain !== "all") {
    const one = await read(chain);
    return { ...one, asOfEach: [] };
  }
  const names = reader.chains.map((one) => one.chain.name);
  const found = (await Promise.all(names.map((name) => read(name).catch(nothingIfEmpty)))).filter(
    (answer) => answer !== null,
  );
  const [only] = found;
  return {
    answer: joined(found, query),
    asOf: found.length === 1 && only !== undefined ? only.asOf : null,
    asOfEach: found.flatMap(({ asOf }) => asOf ?? []),
  };
}

function nothingIfEmpty(error: unknown): null {
  if (error instanceof NothingIndexed) return null;
  throw error;
}

function joined(found: readonly Answer<ChainResults>[], { text, size }: SearchQuery): ChainResults {
  const answers = found.map(({ answer }) => answer);
  const tokens = answers.flatMap((answer) => answer.tokens);
  const pools = answers.flatMap((answer) => answer.pools);
  return {
    tokens: tokens
      .sort((a, b) => bySpam(a, b) || a.closeness - b.closeness || compareTrading(a, b))
      .slice(0, size),
    pools: pools
      .sort((a, b) => byName(text, a.pool, b.pool) || bySpam(a, b) || compareTrading(a, b))
      .slice(0, size),
    hidden: answers.reduce((sum, { hidden }) => sum + hidden, 0),
  };
}
