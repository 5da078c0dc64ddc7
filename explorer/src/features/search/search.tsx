import { useEffect, useId, useRef } from "react";
import { SearchIcon } from "../../ui/controls/icons.tsx";
import { Results } from "./results.tsx";
import styles from "./search.module.css";
import { useSearchBox } from "./use-search-box.ts";

/** Searches everything that has a page. It is an ARIA 1.2 combobox; `/` moves focus to it. */
export function Search() {
  const { search, text, changeText, isOpen, setOpen, close, active, setSelected, openResult, onKeyDown } =
    useSearchBox();
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  useSlashKey(input);
  return (
    // biome-ignore lint/a11y/useSemanticElements: some supported browsers lack the search element
    <div
      role="search"
      className={styles.search}
      onBlur={({ currentTarget, relatedTarget }) => currentTarget.contains(relatedTarget) || close()}
    >
      <span className={styles.icon}>
        <SearchIcon />
      </span>
      <input
        ref={input}
        role="combobox"
        className={styles.input}
        aria-label="Search"
        aria-expanded={isOpen && search.groups.length > 0}
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && active !== null ? `${id}-${active}` : undefined}
        aria-keyshortcuts="/"
        placeholder="Token, pair, address, hash or block"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        enterKeyHint="go"
        value={text}
        onFocus={() => setOpen(true)}
        onClick={() => setOpen(true)}
        onChange={({ target }) => changeText(target.value)}
        onKeyDown={onKeyDown}
      />
      <span className={styles.key} aria-hidden="true">
        /
      </span>
      {isOpen ? (
        <Results id={id} search={search} active={active} onSelect={setSelected} onOpen={openResult} />
      ) : null}
    </div>
  );
}

/** Focuses the search when the user presses `/`, unless they are typing elsewhere. */
function useSlashKey(input: React.RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const focusSearch = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof HTMLElement && event.target.closest(EDITABLE) !== null;
      if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener("keydown", focusSearch);
    return () => document.removeEventListener("keydown", focusSearch);
  }, [input]);
}

const EDITABLE = "input, textarea, select, [contenteditable='true']";
