import { useQuery } from "@tanstack/react-query";
import { formatCount } from "../../../format/number.ts";
import { isKept } from "../../../queries/chain/stored-rows.ts";
import { useChainStatus } from "../../../queries/chain/use-chain.ts";
import { NO_TOKEN, topTokenQuery } from "../../../queries/market/top-token.ts";
import { Skeleton } from "../../../ui/feedback/query-content.tsx";
import { Ago } from "../../../ui/values/figures.tsx";
import styles from "../sql-page.module.css";
import { exampleQueries } from "./example-queries.ts";
import { useStoredList } from "./stored-list.ts";
import { pastRuns, savedQueries } from "./stored-queries.ts";

/** Height of the list of examples, in pixels. */
const LIST_PX = 400;

type OnOpen = (query: string) => void;

/** Example queries; a click runs one. */
export function Examples({ chain, onOpen }: { chain: string; onOpen: OnOpen }) {
  const status = useChainStatus(chain);
  const { data, isError } = useQuery(topTokenQuery(chain));
  const token = data ?? (isError ? NO_TOKEN : undefined);
  if (status === undefined || token === undefined) return <Skeleton height={LIST_PX} />;
  const examples = exampleQueries({ chain, token }, (table) => isKept(status, table));
  return (
    <ul className={styles.list}>
      {examples.map(({ title, query }) => (
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
