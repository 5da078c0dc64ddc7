import { shortHex } from "../format/hex.ts";
import { formatUsdCompact } from "../format/number.ts";
import { TokenMark } from "../ui/links.tsx";
import type { Found } from "./found.ts";
import styles from "./results.module.css";
import { adviceFor } from "./subject.ts";
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
        className={flat.length > 0 && search.error === null ? "visually-hidden" : styles.status}
      >
        {sentenceOf(search, flat.length)}
      </p>
    </div>
  );
}

function sentenceOf({ typed, isRecent, isAwaited, error, chains }: SearchState, count: number): string {
  if (isRecent) return count > 0 ? "" : adviceFor("");
  if (error !== null) return `The search failed: ${error.message}`;
  if (count > 0) return `${count} found`;
  if (isAwaited) return "Searching…";
  return `Nothing found for “${typed.trim()}” on ${chains.join(", ") || "any chain"}. ${adviceFor(typed)}`;
}

interface OptionProps {
  id: string;
  found: Found;
  isActive: boolean;
  onPoint: () => void;
  onChoose: () => void;
}

function Option({ id, found, isActive, onPoint, onChoose }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the input, which names the active option
    // biome-ignore lint/a11y/useKeyWithClickEvents: the input has the keys
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      className={styles.option}
      ref={(element) => {
        if (isActive) element?.scrollIntoView({ block: "nearest" });
      }}
      onPointerMove={isActive ? undefined : onPoint}
      // The input keeps the focus, or its loss would close the list before the click.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
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
