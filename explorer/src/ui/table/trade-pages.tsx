import { keepPreviousData, type UseQueryOptions, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { parseTime } from "../../format/time.ts";
import { type Place, TRADES_PER_PAGE } from "../../queries/market/trade-lists.ts";
import { Button } from "../controls/button.tsx";
import { QueryContent } from "../feedback/query-content.tsx";
import { useNewRows } from "./new-rows.ts";
import styles from "./trade-pages.module.css";

interface Traded {
  record_index: number;
  timestamp: string | number;
}

type Question<Row> = Pick<UseQueryOptions<Row[]>, "queryKey" | "queryFn" | "meta" | "staleTime">;

interface TradePagesProps<Row> {
  /** Which trades: of others the newest are shown first again. */
  choice: string;
  newest: Question<Row>;
  older: (before: Place) => Question<Row>;
  /** In pixels: the room that a page takes. */
  height: number;
  /** A page of trades; those that came while one looks are new. */
  children: (trades: readonly Row[], isNew: (trade: Row) => boolean) => ReactNode;
}

/** The newest trades, live; or a page of older ones, which stays. A page stands until the next one is there. */
export function TradePages<Row extends Traded>(props: TradePagesProps<Row>) {
  const { choice, newest, older, height, children } = props;
  const [turned, turn] = useState<{ choice: string; places: readonly Place[] }>({ choice, places: [] });
  const places = turned.choice === choice ? turned.places : [];
  const before = places.at(-1);
  const asked = before === undefined ? newest : older(before);
  const query = useQuery({ ...asked, placeholderData: keepPreviousData });
  const { data, isPlaceholderData: isAwaited } = query;
  const page = `${choice} ${before?.record_index} ${isAwaited}`;
  const isNew = useNewRows(data, page);
  const last = data?.length === TRADES_PER_PAGE ? data.at(-1) : undefined;
  return (
    <>
      <div key={page} className={styles.page} data-awaited={isAwaited}>
        <QueryContent query={query} height={height}>
          {(trades) => children(trades, isNew)}
        </QueryContent>
      </div>
      <Pager
        isNewest={before === undefined}
        newer={isAwaited ? undefined : () => turn({ choice, places: places.slice(0, -1) })}
        older={
          isAwaited || last === undefined
            ? undefined
            : () => turn({ choice, places: [...places, placeOf(last)] })
        }
      />
    </>
  );
}

function placeOf({ record_index, timestamp }: Traded): Place {
  return { record_index, timestamp: typeof timestamp === "number" ? timestamp : parseTime(timestamp) };
}

interface PagerProps {
  isNewest: boolean;
  newer: (() => void) | undefined;
  older: (() => void) | undefined;
}

function Pager({ isNewest, newer, older }: PagerProps) {
  return (
    <nav className={styles.pager} aria-label="Pages of trades">
      <Button onClick={() => newer?.()} disabled={isNewest || newer === undefined}>
        Newer
      </Button>
      <span role="status">{isNewest ? "The newest, live" : "Older trades"}</span>
      <Button onClick={() => older?.()} disabled={older === undefined}>
        Older
      </Button>
    </nav>
  );
}
