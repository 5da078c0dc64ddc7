import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { QueryContent } from "../feedback/query-content.tsx";
import { useNewRows } from "./new-rows.ts";
import { type Column, Table } from "./table.tsx";

interface LiveTableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  query: UseQueryResult<Row[]>;
  /** What the rows are of: rows of another subject are not new. */
  subject: string;
  /** In pixels: taller tables scroll. */
  height: number;
  empty: ReactNode;
}

/** Rows in the order of the chain; those that come while one looks are lit up. */
export function LiveTable<Row extends { record_index: number }>(props: LiveTableProps<Row>) {
  const { label, columns, query, subject, height, empty } = props;
  const isNew = useNewRows(query.data, subject);
  return (
    <QueryContent query={query} height={height}>
      {(rows) => (
        <Table
          label={label}
          columns={columns}
          rows={rows}
          keyOf={({ record_index }) => String(record_index)}
          isNew={isNew}
          maxHeight={height}
          empty={empty}
        />
      )}
    </QueryContent>
  );
}
