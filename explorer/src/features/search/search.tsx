import { useEffect, useId, useRef } from "react";
import { SearchIcon } from "../../ui/controls/icons.tsx";
import { Results } from "./results.tsx";
import styles from "./search.module.css";
import { useSearchBox } from "./use-search-box.ts";

/** Finds whatever has a page, from every page: a combobox as ARIA 1.2 describes it, opened by `/`. */
export function Search() {
  const { search, typed, change, isOpen, open, close, active, choose, goTo, onKeyDown } = useSearchBox();
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  useSlashKey(input);
  return (
    // biome-ignore lint/a11y/useSemanticElements: the search element is newer than some browsers
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
        value={typed}
        onFocus={() => open(true)}
        onClick={() => open(true)}
        onChange={({ target }) => change(target.value)}
        onKeyDown={onKeyDown}
      />
      <span className={styles.key} aria-hidden="true">
        /
      </span>
      {isOpen ? <Results id={id} search={search} active={active} choose={choose} goTo={goTo} /> : null}
    </div>
  );
}

/** `/` enters the search, but where one writes. */
function useSlashKey(input: React.RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const enter = (event: KeyboardEvent) => {
      const isWriting = event.target instanceof HTMLElement && event.target.closest(WRITABLE) !== null;
      if (event.key !== "/" || isWriting || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener("keydown", enter);
    return () => document.removeEventListener("keydown", enter);
  }, [input]);
}

const WRITABLE = "input, textarea, select, [contenteditable='true']";
