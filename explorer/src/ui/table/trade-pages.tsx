import { keepPreviousData, type UseQueryOptions, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { parseTime } from "../../format/time.ts";
import { TRADES_PER_PAGE, type TradeCursor } from "../../queries/market/trade-lists.ts";
import { Button } from "../controls/button.tsx";
import { QueryContent } from "../feedback/query-content.tsx";
import { useNewRows } from "./new-rows.ts";
import styles from "./trade-pages.module.css";

interface TradeRecord {
  record_index: number;
  timestamp: string | number;
}

type TradesQuery<Row> = Pick<UseQueryOptions<Row[]>, "queryKey" | "queryFn" | "meta" | "staleTime">;

interface TradePagesProps<Row> {
  /** Identifies the list: another list starts again with the latest trades. */
  listId: string;
  latest: TradesQuery<Row>;
  older: (before: TradeCursor) => TradesQuery<Row>;
  /** Height of a page in pixels. */
  height: number;
  /** Renders a page of trades; `isNew` is true for trades that arrived while the page is shown. */
  children: (trades: readonly Row[], isNew: (trade: Row) => boolean) => ReactNode;
}

/** The latest trades, live, or a page of older ones. A page stays visible until the next one has loaded. */
export function TradePages<Row extends TradeRecord>(props: TradePagesProps<Row>) {
  const { listId, latest, older, height, children } = props;
  const [state, setState] = useState<{ listId: string; cursors: readonly TradeCursor[] }>({
    listId,
    cursors: [],
  });
  const cursors = state.listId === listId ? state.cursors : [];
  const before = cursors.at(-1);
  const options = before === undefined ? latest : older(before);
  const query = useQuery({ ...options, placeholderData: keepPreviousData });
  const { data, isPlaceholderData: isLoading } = query;
  const page = `${listId} ${before?.record_index} ${isLoading}`;
  const isNew = useNewRows(data, page);
  const last = data?.length === TRADES_PER_PAGE ? data.at(-1) : undefined;
  return (
    <>
      <div key={page} className={styles.page} data-loading={isLoading}>
        <QueryContent query={query} height={height}>
          {(trades) => children(trades, isNew)}
        </QueryContent>
      </div>
      <Pager
        isLatest={before === undefined}
        newer={isLoading ? undefined : () => setState({ listId, cursors: cursors.slice(0, -1) })}
        older={
          isLoading || last === undefined
            ? undefined
            : () => setState({ listId, cursors: [...cursors, cursorOf(last)] })
        }
      />
    </>
  );
}

function cursorOf({ record_index, timestamp }: TradeRecord): TradeCursor {
  return { record_index, timestamp: typeof timestamp === "number" ? timestamp : parseTime(timestamp) };
}

interface PagerProps {
  isLatest: boolean;
  newer: (() => void) | undefined;
  older: (() => void) | undefined;
}

function Pager({ isLatest, newer, older }: PagerProps) {
  return (
    <nav className={styles.pager} aria-label="Pages of trades">
      <Button onClick={() => newer?.()} disabled={isLatest || newer === undefined}>
        Newer
      </Button>
      <span role="status">{isLatest ? "Latest trades, live" : "Older trades"}</span>
      <Button onClick={() => older?.()} disabled={older === undefined}>
        Older
      </Button>
    </nav>
  );
}
