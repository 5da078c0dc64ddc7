import { keepPreviousData, useQueries, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { statusQuery } from "../../queries/chain/status.ts";
import { useChain } from "../../queries/chain/use-chain.ts";
import { searchQuery } from "../../queries/search/search.ts";
import type { SearchResult } from "../../queries/search/search-result.ts";
import { parseSearchTerm } from "../../queries/search/search-term.ts";
import { recentResults } from "./recent-results.ts";

/** Pause in typing after which the search starts, in ms. */
const DEBOUNCE_MS = 150;

export interface Group {
  title: string;
  items: SearchResult[];
}

export interface SearchState {
  groups: Group[];
  /** Whether the text is empty, in which case the groups are the recently opened results. */
  isRecent: boolean;
  /** Whether the groups belong to the current text, not to the previous one. */
  isCurrent: boolean;
  isLoading: boolean;
  error: Error | null;
  /** The searched chains. */
  chains: string[];
  text: string;
  /** Number of spam results, whether or not they are shown. */
  spamCount: number;
  isSpamShown: boolean;
  showSpam: (isShown: boolean) => void;
}

/** Searches the current chain first, then the others. */
export function useSearch(text: string, isOpen: boolean): SearchState {
  const settled = useDebounced(text);
  const { isPending } = useQuery(statusQuery());
  const chains = useChains();
  const [first, ...others] = chains;
  const isEnabled = isOpen && parseSearchTerm(settled) !== null;
  const current = useQuery({
    ...searchQuery(first ?? "", settled),
    enabled: isEnabled && first !== undefined,
    placeholderData: keepPreviousData,
  });
  const otherQueries = useQueries({
    queries: others.map((chain) => ({
      ...searchQuery(chain, settled),
      enabled: isEnabled && current.isFetched && !current.isPlaceholderData,
    })),
  });
  const isRecent = parseSearchTerm(text) === null;
  const queries = [current, ...otherQueries];
  const [isSpamShown, showSpam] = useState(false);
  const results = queries.flatMap(({ data }) => data ?? []);
  const wanted = results.filter(({ isSpam }) => isSpam !== true);
  return {
    groups: isRecent ? recentGroups() : groupsOf(isSpamShown ? results : wanted, chains),
    spamCount: isRecent ? 0 : results.length - wanted.length,
    isSpamShown,
    showSpam,
    isRecent,
    isCurrent: isRecent || (settled === text && !current.isPlaceholderData),
    isLoading: !isRecent && (settled !== text || isPending || queries.some(({ isFetching }) => isFetching)),
    error: queries.find(({ error }) => error !== null)?.error ?? null,
    chains,
    text,
  };
}

/** Returns the current chain, then the other indexed chains. */
function useChains(): string[] {
  const current = useChain();
  const { data } = useQuery(statusQuery());
  const indexed =
    data?.chains.filter(({ indexed_block }) => indexed_block !== null).map(({ chain }) => chain) ?? [];
  const isFirst = (chain: string) => Number(chain !== current);
  return indexed.toSorted((one, other) => isFirst(one) - isFirst(other));
}

/** Returns the text as of the last pause in typing; empty before the first pause. */
function useDebounced(text: string): string {
  const [settled, setSettled] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

const TITLES = {
  token: "Tokens",
  pool: "Pools",
  wallet: "Wallets",
  transaction: "Transactions",
  block: "Blocks",
} satisfies Record<SearchResult["kind"], string>;

/** Groups results by kind, and by chain if there are several; keeps their order. */
export function groupsOf(results: readonly SearchResult[], chains: readonly string[]): Group[] {
  const groups = new Map<string, Group>();
  for (const item of results) {
    const title = chains.length > 1 ? `${TITLES[item.kind]} on ${item.chain}` : TITLES[item.kind];
    const group = groups.get(title) ?? { title, items: [] };
    groups.set(title, { title, items: [...group.items, item] });
  }
  return [...groups.values()];
}

function recentGroups(): Group[] {
  const items = recentResults();
  return items.length === 0 ? [] : [{ title: "Recent", items }];
}
