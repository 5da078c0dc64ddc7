import { shortHex } from "../../format/hex.ts";
import { formatUsdCompact } from "../../format/number.ts";
import type { SearchResult } from "../../queries/search/search-result.ts";
import { searchAdvice } from "../../queries/search/search-term.ts";
import { Toggle } from "../../ui/controls/choice.tsx";
import { Badge } from "../../ui/feedback/badge.tsx";
import { TokenMark } from "../../ui/values/links.tsx";
import styles from "./results.module.css";
import type { SearchState } from "./use-search.ts";

interface ResultsProps {
  id: string;
  search: SearchState;
  active: number | null;
  onSelect: (index: number) => void;
  onOpen: (result: SearchResult) => void;
}

/** The grouped results with a status line. */
export function Results({ id, search, active, onSelect, onOpen }: ResultsProps) {
  const { groups } = search;
  const flat = groups.flatMap(({ items }) => items);
  const isStale = !search.isCurrent;
  return (
    <div className={styles.popup}>
      {flat.length === 0 ? null : (
        <div
          role="listbox"
          id={id}
          aria-label={search.isRecent ? "Recent" : "Results"}
          className={styles.list}
        >
          {groups.map(({ title, items }) => (
            // biome-ignore lint/a11y/useSemanticElements: a group of options is not a fieldset
            <div key={title} role="group" aria-label={title}>
              <div className={styles.title} aria-hidden="true">
                {title}
              </div>
              {items.map((item) => {
                const index = flat.indexOf(item);
                return (
                  <Option
                    key={`${item.chain} ${item.kind} ${item.id}`}
                    id={`${id}-${index}`}
                    result={item}
                    isActive={index === active}
                    isStale={isStale}
                    onHover={() => onSelect(index)}
                    onOpen={() => onOpen(item)}
                  />
                );
              })}
            </div>
          ))}
        </div>
      )}
      <p
        role="status"
        className={flat.length > 0 && search.error === null && !isStale ? "visually-hidden" : styles.status}
      >
        {statusText(search, flat.length)}
      </p>
      {search.spamCount === 0 ? null : (
        <p className={`${styles.status} ${styles.spam}`}>
          <Toggle
            label={`Show ${search.spamCount} hidden`}
            isOn={search.isSpamShown}
            onChange={search.showSpam}
          />
          Probably spam.
        </p>
      )}
    </div>
  );
}

/** Maximum number of characters of the search text that the status line repeats. */
const MAX_QUOTED = 60;

function statusText(search: SearchState, count: number): string {
  const { text, isRecent, isCurrent, isLoading, error, chains } = search;
  if (isRecent) return count > 0 ? "" : searchAdvice("");
  if (!isCurrent) return "Searching…";
  if (error !== null) return `Search failed: ${error.message}`;
  if (count > 0) return `${count} ${count === 1 ? "result" : "results"}`;
  if (isLoading) return "Searching…";
  const term = text.trim();
  const quoted = term.length > MAX_QUOTED ? `${term.slice(0, MAX_QUOTED)}…` : term;
  return `No results for “${quoted}” on ${chains.join(", ") || "any chain"}. ${searchAdvice(text)}`;
}

interface OptionProps {
  id: string;
  result: SearchResult;
  isActive: boolean;
  /**
   * Whether this is a result of the previous text. It cannot be opened, because a new result is about to
   * replace it.
   */
  isStale: boolean;
  onHover: () => void;
  onOpen: () => void;
}

function Option({ id, result, isActive, isStale, onHover, onOpen }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the input, which references the active option
    // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      aria-disabled={isStale}
      className={styles.option}
      ref={(element) => {
        if (isActive) element?.scrollIntoView({ block: "nearest" });
      }}
      onPointerMove={isActive ? undefined : onHover}
      // Keeps focus in the input, because losing it would close the list before the click.
      onMouseDown={(event) => event.preventDefault()}
      onClick={isStale ? undefined : onOpen}
    >
      {result.kind === "token" ? (
        <TokenMark address={result.id} symbol={result.title} />
      ) : (
        <Kind result={result} />
      )}
      <span className={styles.what}>
        <span className={styles.name}>{result.title}</span>{" "}
        <span className={styles.quiet}>{result.detail}</span>
      </span>
      <span className={styles.right}>
        {result.isSpam === true ? <Badge tone="warn">spam</Badge> : null}
        {result.volumeUsd === null ? null : (
          <span title="24 h volume">{formatUsdCompact(result.volumeUsd)}</span>
        )}
        {result.kind === "token" || result.kind === "pool" ? (
          <code className={styles.quiet}>{shortHex(result.id)}</code>
        ) : null}
      </span>
    </div>
  );
}

const MARKS = { token: "T", pool: "P", wallet: "W", transaction: "Tx", block: "B" };

function Kind({ result }: { result: SearchResult }) {
  return (
    <span className={styles.kind} aria-hidden="true">
      {MARKS[result.kind]}
    </span>
  );
}
