import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { QueryContent } from "../feedback/query-content.tsx";
import { useNewRows } from "./new-rows.ts";
import { type Column, Table } from "./table.tsx";

interface LiveTableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  query: UseQueryResult<Row[]>;
  /** The rows of the result that are shown; by default all. */
  visible?: readonly Row[];
  /** Identifies the list: the first rows of another list are not highlighted as new. */
  listId: string;
  /** Maximum height in pixels; taller tables scroll. */
  height: number;
  empty: ReactNode;
}

/** A table of chain records; highlights rows that arrive while it is open. */
export function LiveTable<Row extends { record_index: number }>(props: LiveTableProps<Row>) {
  const { label, columns, query, visible, listId, height, empty } = props;
  const isNew = useNewRows(query.data, listId);
  return (
    <QueryContent query={query} height={height}>
      {(rows) => (
        <Table
          label={label}
          columns={columns}
          rows={visible ?? rows}
          keyOf={({ record_index }) => String(record_index)}
          isNew={isNew}
          maxHeight={height}
          empty={empty}
        />
      )}
    </QueryContent>
  );
}
