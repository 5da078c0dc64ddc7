import { keepPreviousData, type UseQueryOptions, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { formatCount } from "../../format/number.ts";
import { PAGE_ROWS, type Page } from "../../queries/chain/transactions.ts";
import { Button } from "../../ui/controls/button.tsx";
import { QueryContent } from "../../ui/feedback/query-content.tsx";
import { Panel } from "../../ui/layout/panel.tsx";

const HEIGHT_PX = 116;

export interface PagedPanelProps<Row> {
  title: string;
  query: (page: number) => Pick<UseQueryOptions<Page<Row>>, "queryKey" | "queryFn" | "meta" | "staleTime">;
  children: (rows: readonly Row[]) => ReactNode;
}

/** A panel that shows rows one page at a time. */
export function PagedPanel<Row>({ title, query: queryOf, children }: PagedPanelProps<Row>) {
  const [page, setPage] = useState(0);
  const query = useQuery({ ...queryOf(page), placeholderData: keepPreviousData });
  const rowCount = query.data?.rows.length ?? 0;
  const hasMore = query.data?.hasMore ?? false;
  const first = page * PAGE_ROWS;
  const pager =
    page === 0 && !hasMore ? null : (
      <>
        <span>
          {rowCount === 0 ? "No rows" : `${formatCount(first + 1)} to ${formatCount(first + rowCount)}`}
        </span>
        <Button onClick={() => setPage(page - 1)} disabled={page === 0}>
          Previous
        </Button>
        <Button onClick={() => setPage(page + 1)} disabled={!hasMore}>
          Next
        </Button>
      </>
    );
  const count = page === 0 && !hasMore && query.data !== undefined ? ` (${formatCount(rowCount)})` : "";
  return (
    <Panel title={`${title}${count}`} actions={pager ?? undefined}>
      <QueryContent query={query} height={HEIGHT_PX}>
        {({ rows }) => children(rows)}
      </QueryContent>
    </Panel>
  );
}
