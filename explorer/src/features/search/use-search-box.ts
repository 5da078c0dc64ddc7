import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useEffect, useState } from "react";
import type { SearchResult } from "../../queries/search/search-result.ts";
import { addRecentResult } from "./recent-results.ts";
import { useSearch } from "./use-search.ts";

/** Manages the search box's state and keyboard input. */
export function useSearchBox() {
  const [text, setText] = useState("");
  const [isOpen, setOpen] = useState(false);
  const [selected, setSelected] = useState<number | null>(null);
  /** Whether Enter was pressed before the results arrived. */
  const [isEnterPending, setEnterPending] = useState(false);
  const search = useSearch(text, isOpen);
  const results = search.groups.flatMap(({ items }) => items);
  // The first result is selected, so Enter opens it. Recent results are not preselected.
  const active = selected ?? (search.isRecent || results.length === 0 ? null : 0);
  const item = active === null ? undefined : results[active];
  const navigate = useNavigate();

  const close = () => {
    setOpen(false);
    setSelected(null);
    setEnterPending(false);
  };
  const changeText = (changed: string) => {
    close();
    setText(changed);
    setOpen(true);
  };
  const openResult = (result: SearchResult) => {
    addRecentResult(result);
    close();
    setText("");
    // Moves focus to the page, so further key presses do not go to the search box.
    document.getElementById("content")?.focus();
    void goTo(result, navigate);
  };
  const move = (step: 1 | -1) => {
    setOpen(true);
    if (results.length === 0) return;
    const from = active ?? (step === 1 ? -1 : 0);
    setSelected((from + step + results.length) % results.length);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "ArrowDown") move(1);
    else if (event.key === "ArrowUp") move(-1);
    else if (event.key === "Enter") setEnterPending(true);
    else if (event.key === "Escape" && isOpen) close();
    else if (event.key === "Escape") setText("");
    else return;
    event.preventDefault();
  };

  useEffect(() => {
    if (!isEnterPending) return;
    if (item !== undefined && search.isCurrent) openResult(item);
    else if (!search.isLoading) setEnterPending(false);
  });

  return { search, text, changeText, isOpen, setOpen, close, active, setSelected, openResult, onKeyDown };
}

type Navigate = ReturnType<typeof useNavigate>;

/** Opens the page of a result. */
function goTo({ kind, chain, id }: SearchResult, navigate: Navigate): Promise<void> {
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
