import { shortHex } from "../../format/hex.ts";
import { formatUsdCompact } from "../../format/number.ts";
import type { Found } from "../../queries/search/search-result.ts";
import { searchAdvice } from "../../queries/search/search-term.ts";
import { TokenMark } from "../../ui/values/links.tsx";
import styles from "./results.module.css";
import type { SearchState } from "./use-search.ts";

interface ResultsProps {
  id: string;
  search: SearchState;
  active: number | null;
  choose: (place: number) => void;
  goTo: (found: Found) => void;
}

/** What was found, in groups, and what is to be said about it. */
export function Results({ id, search, active, choose, goTo }: ResultsProps) {
  const { groups } = search;
  const flat = groups.flatMap(({ items }) => items);
  const isStale = !search.isOfTyped;
  return (
    <div className={styles.popup}>
      {flat.length === 0 ? null : (
        <div role="listbox" id={id} aria-label={search.isRecent ? "Recent" : "Found"} className={styles.list}>
          {groups.map(({ title, items }) => (
            // biome-ignore lint/a11y/useSemanticElements: a group of options is no fieldset
            <div key={title} role="group" aria-label={title}>
              <div className={styles.title} aria-hidden="true">
                {title}
              </div>
              {items.map((item) => {
                const place = flat.indexOf(item);
                return (
                  <Option
                    key={`${item.chain} ${item.kind} ${item.id}`}
                    id={`${id}-${place}`}
                    found={item}
                    isActive={place === active}
                    isStale={isStale}
                    onPoint={() => choose(place)}
                    onChoose={() => goTo(item)}
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
        {sentenceOf(search, flat.length)}
      </p>
    </div>
  );
}

/** So much of what was typed is told back. */
const MOST_TOLD = 60;

function sentenceOf(search: SearchState, count: number): string {
  const { typed, isRecent, isOfTyped, isAwaited, error, chains } = search;
  if (isRecent) return count > 0 ? "" : searchAdvice("");
  if (!isOfTyped) return "Searching…";
  if (error !== null) return `The search failed: ${error.message}`;
  if (count > 0) return `${count} found`;
  if (isAwaited) return "Searching…";
  const text = typed.trim();
  const told = text.length > MOST_TOLD ? `${text.slice(0, MOST_TOLD)}…` : text;
  return `Nothing found for “${told}” on ${chains.join(", ") || "any chain"}. ${searchAdvice(typed)}`;
}

interface OptionProps {
  id: string;
  found: Found;
  isActive: boolean;
  /** Found by what was typed before: it is not gone to, as another one is about to take its place. */
  isStale: boolean;
  onPoint: () => void;
  onChoose: () => void;
}

function Option({ id, found, isActive, isStale, onPoint, onChoose }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the input, which names the active option
    // biome-ignore lint/a11y/useKeyWithClickEvents: the input has the keys
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      aria-disabled={isStale}
      className={styles.option}
      ref={(element) => {
        if (isActive) element?.scrollIntoView({ block: "nearest" });
      }}
      onPointerMove={isActive ? undefined : onPoint}
      // The input keeps the focus, or its loss would close the list before the click.
      onMouseDown={(event) => event.preventDefault()}
      onClick={isStale ? undefined : onChoose}
    >
      {found.kind === "token" ? (
        <TokenMark address={found.id} symbol={found.title} />
      ) : (
        <Kind found={found} />
      )}
      <span className={styles.what}>
        <span className={styles.name}>{found.title}</span>{" "}
        <span className={styles.quiet}>{found.detail}</span>
      </span>
      <span className={styles.right}>
        {found.volumeUsd === null ? null : (
          <span title="Volume in 24 hours">{formatUsdCompact(found.volumeUsd)}</span>
        )}
        {found.kind === "token" || found.kind === "pool" ? (
          <code className={styles.quiet}>{shortHex(found.id)}</code>
        ) : null}
      </span>
    </div>
  );
}

const MARKS = { token: "T", pool: "P", wallet: "W", transaction: "Tx", block: "B" };

function Kind({ found }: { found: Found }) {
  return (
    <span className={styles.kind} aria-hidden="true">
      {MARKS[found.kind]}
    </span>
  );
}
