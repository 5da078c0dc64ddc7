import { keepPreviousData, useQueries, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { statusQuery } from "../../queries/chain/status.ts";
import { useChain } from "../../queries/chain/use-chain.ts";
import { searchQuery } from "../../queries/search/search.ts";
import type { Found } from "../../queries/search/search-result.ts";
import { parseSearchTerm } from "../../queries/search/search-term.ts";
import { recentResults } from "./recent-results.ts";

/** So long one rests from typing before it is searched. */
const REST_MS = 150;

export interface Group {
  title: string;
  items: Found[];
}

export interface SearchState {
  groups: Group[];
  /** Nothing is typed: the groups are what was gone to last. */
  isRecent: boolean;
  /** The groups are of what is typed, not of what was typed before. */
  isOfTyped: boolean;
  isAwaited: boolean;
  error: Error | null;
  /** The chains that are searched. */
  chains: string[];
  typed: string;
}

/** What is found by what is typed: on the chain that is looked at first, then on the others. */
export function useSearch(typed: string, isOpen: boolean): SearchState {
  const rested = useRested(typed);
  const { isPending } = useQuery(statusQuery());
  const chains = useChains();
  const [first, ...others] = chains;
  const isWanted = isOpen && parseSearchTerm(rested) !== null;
  const own = useQuery({
    ...searchQuery(first ?? "", rested),
    enabled: isWanted && first !== undefined,
    placeholderData: keepPreviousData,
  });
  const further = useQueries({
    queries: others.map((chain) => ({
      ...searchQuery(chain, rested),
      enabled: isWanted && own.isFetched && !own.isPlaceholderData,
    })),
  });
  const isRecent = parseSearchTerm(typed) === null;
  const answers = [own, ...further];
  const found = answers.flatMap(({ data }) => data ?? []);
  return {
    groups: isRecent ? recentGroups() : groupsOf(found, chains),
    isRecent,
    isOfTyped: isRecent || (rested === typed && !own.isPlaceholderData),
    isAwaited: !isRecent && (rested !== typed || isPending || answers.some(({ isFetching }) => isFetching)),
    error: answers.find(({ error }) => error !== null)?.error ?? null,
    chains,
    typed,
  };
}

/** The chain that is looked at, then the others. */
function useChains(): string[] {
  const current = useChain();
  const { data } = useQuery(statusQuery());
  const indexed =
    data?.chains.filter(({ indexed_block }) => indexed_block !== null).map(({ chain }) => chain) ?? [];
  const isFirst = (chain: string) => Number(chain !== current);
  return indexed.toSorted((one, other) => isFirst(one) - isFirst(other));
}

/** A text as it was when it had rested for a moment. */
function useRested(text: string): string {
  const [rested, rest] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => rest(text), REST_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return rested;
}

const TITLES = {
  token: "Tokens",
  pool: "Pools",
  wallet: "Wallets",
  transaction: "Transactions",
  block: "Blocks",
} satisfies Record<Found["kind"], string>;

/** In the order in which they were found; the chain is named where there are several. */
export function groupsOf(found: readonly Found[], chains: readonly string[]): Group[] {
  const groups = new Map<string, Group>();
  for (const item of found) {
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
