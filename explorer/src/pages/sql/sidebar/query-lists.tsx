import { formatCount } from "../../../format/number.ts";
import { Ago } from "../../../ui/values/figures.tsx";
import styles from "../sql-page.module.css";
import { exampleQueries } from "./example-queries.ts";
import { useStoredList } from "./stored-list.ts";
import { pastRuns, savedQueries } from "./stored-queries.ts";

type OnOpen = (query: string) => void;

/** Example queries; a click runs one. */
export function Examples({ chain, onOpen }: { chain: string; onOpen: OnOpen }) {
  return (
    <ul className={styles.list}>
      {exampleQueries(chain).map(({ title, query }) => (
        <li key={title}>
          <button type="button" className={styles.open} title={query} onClick={() => onOpen(query)}>
            {title}
          </button>
        </li>
      ))}
    </ul>
  );
}

export function SavedQueries({ onOpen }: { onOpen: OnOpen }) {
  const saved = useStoredList(savedQueries);
  if (saved.length === 0) return <p className={styles.none}>Saved queries are stored in this browser.</p>;
  return (
    <ul className={styles.list}>
      {saved.map((each) => (
        <li key={each.name}>
          <button type="button" className={styles.open} title={each.query} onClick={() => onOpen(each.query)}>
            {each.name}
          </button>
          <button
            type="button"
            className={styles.remove}
            aria-label={`Delete ${each.name}`}
            title="Delete"
            onClick={() => savedQueries.remove(each)}
          >
            ×
          </button>
        </li>
      ))}
    </ul>
  );
}

export function PastRuns({ onOpen }: { onOpen: OnOpen }) {
  const past = useStoredList(pastRuns);
  if (past.length === 0) return <p className={styles.none}>Your latest queries appear here.</p>;
  return (
    <ul className={styles.list}>
      {past.map(({ query, at, rows }) => (
        <li key={query}>
          <button type="button" className={styles.open} title={query} onClick={() => onOpen(query)}>
            <code className={styles.past}>{query.replace(/\s+/g, " ")}</code>
            <span className={styles.quiet}>
              {rows === null ? "no result" : `${formatCount(rows)} ${rows === 1 ? "row" : "rows"}`},{" "}
              <Ago timestamp={at} />
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
