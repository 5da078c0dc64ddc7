import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useEffect, useState } from "react";
import type { Found } from "../../queries/search/search-result.ts";
import { remember } from "./recent-results.ts";
import { useSearch } from "./use-search.ts";

/** What the search shows, and what its keys do. */
export function useSearchBox() {
  const [typed, type] = useState("");
  const [isOpen, open] = useState(false);
  const [chosen, choose] = useState<number | null>(null);
  /** Enter came before what it goes to was found. */
  const [isHasty, hurry] = useState(false);
  const search = useSearch(typed, isOpen);
  const found = search.groups.flatMap(({ items }) => items);
  // Of what was searched the first is chosen beforehand, so that Enter goes there; of what is merely recent, none.
  const active = chosen ?? (search.isRecent || found.length === 0 ? null : 0);
  const item = active === null ? undefined : found[active];
  const navigate = useNavigate();

  const close = () => {
    open(false);
    choose(null);
    hurry(false);
  };
  const change = (text: string) => {
    close();
    type(text);
    open(true);
  };
  const goToFound = (there: Found) => {
    remember(there);
    close();
    type("");
    // What was searched is read next, and the search is out of the way of other keys.
    document.getElementById("content")?.focus();
    void goTo(there, navigate);
  };
  const move = (step: 1 | -1) => {
    open(true);
    if (found.length === 0) return;
    const from = active ?? (step === 1 ? -1 : 0);
    choose((from + step + found.length) % found.length);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "ArrowDown") move(1);
    else if (event.key === "ArrowUp") move(-1);
    else if (event.key === "Enter") hurry(true);
    else if (event.key === "Escape" && isOpen) close();
    else if (event.key === "Escape") type("");
    else return;
    event.preventDefault();
  };

  useEffect(() => {
    if (!isHasty) return;
    if (item !== undefined && search.isOfTyped) goToFound(item);
    else if (!search.isAwaited) hurry(false);
  });

  return { search, typed, change, isOpen, open, close, active, choose, goTo: goToFound, onKeyDown };
}

type Navigate = ReturnType<typeof useNavigate>;

/** Goes to the page about it. */
function goTo({ kind, chain, id }: Found, navigate: Navigate): Promise<void> {
  switch (kind) {
    case "token":
      return navigate({ to: "/$chain/token/$address", params: { chain, address: id } });
    case "pool":
      return navigate({ to: "/$chain/pool/$address", params: { chain, address: id } });
    case "wallet":
      return navigate({ to: "/$chain/wallet/$address", params: { chain, address: id } });
    case "transaction":
      return navigate({ to: "/$chain/tx/$hash", params: { chain, hash: id } });
    case "block":
      return navigate({ to: "/$chain/block/$number", params: { chain, number: id } });
  }
}
