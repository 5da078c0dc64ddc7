import { keepPreviousData, type UseQueryOptions, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { formatCount } from "../../format/number.ts";
import { PAGE_ROWS, type Page } from "../../queries/chain/transactions.ts";
import { Button } from "../../ui/controls/button.tsx";
import { QueryContent } from "../../ui/feedback/query-content.tsx";
import { Panel } from "../../ui/layout/panel.tsx";

const HEIGHT_PX = 116;

interface PagedPanelProps<Row> {
  title: string;
  question: (page: number) => Pick<UseQueryOptions<Page<Row>>, "queryKey" | "queryFn" | "meta" | "staleTime">;
  children: (rows: readonly Row[]) => ReactNode;
}

/** Rows that may be many, a page at a time. */
export function PagedPanel<Row>({ title, question, children }: PagedPanelProps<Row>) {
  const [page, setPage] = useState(0);
  const query = useQuery({ ...question(page), placeholderData: keepPreviousData });
  const rows = query.data?.rows.length ?? 0;
  const hasMore = query.data?.hasMore ?? false;
  const first = page * PAGE_ROWS;
  const turning =
    page === 0 && !hasMore ? null : (
      <>
        <span>
          {formatCount(first + 1)} to {formatCount(first + rows)}
        </span>
        <Button onClick={() => setPage(page - 1)} disabled={page === 0}>
          Previous
        </Button>
        <Button onClick={() => setPage(page + 1)} disabled={!hasMore}>
          Next
        </Button>
      </>
    );
  const counted = page === 0 && !hasMore && query.data !== undefined ? ` (${formatCount(rows)})` : "";
  return (
    <Panel title={`${title}${counted}`} actions={turning ?? undefined}>
      <QueryContent query={query} height={HEIGHT_PX}>
        {(answer) => children(answer.rows)}
      </QueryContent>
    </Panel>
  );
}
