import { type ReactNode, useState } from "react";
import styles from "./table.module.css";
import { nextOrder, type SortOrder, type SortValue, sortedBy } from "./table-order.ts";

export interface Column<Row> {
  title: string;
  /** Tooltip that explains the title. */
  hint?: string;
  align?: "right";
  /** Hidden on narrow screens. */
  isMinor?: boolean;
  /** In pixels. If any column has a width, the layout is fixed and does not shift when rows change. */
  width?: number;
  /** Value to sort by; without it the column is not sortable. */
  sort?: (row: Row) => SortValue;
  cell: (row: Row) => ReactNode;
}

interface TableProps<Row> {
  /** Accessible name. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** Shown if there are no rows. */
  empty: ReactNode;
  /** Initial order; without it rows keep the given order until a heading is clicked. */
  order?: SortOrder;
  /**
   * For rows that are already sorted by `order`: called when a heading is clicked, instead of sorting them.
   */
  onOrder?: (order: SortOrder) => void;
  /** In pixels; taller tables scroll below their headings. */
  maxHeight?: number;
  /** New rows are highlighted for a moment. */
  isNew?: (row: Row) => boolean;
}

export function Table<Row>({ label, columns, rows, keyOf, empty, isNew, ...props }: TableProps<Row>) {
  const [ownOrder, setOwnOrder] = useState(props.order);
  const [order, setOrder] =
    props.onOrder === undefined ? [ownOrder, setOwnOrder] : [props.order, props.onOrder];
  if (rows.length === 0) return <p className={styles.empty}>{empty}</p>;
  const sortValue = columns.find(({ title }) => title === order?.title)?.sort;
  const sorted =
    sortValue === undefined || order === undefined || props.onOrder !== undefined
      ? rows
      : sortedBy(rows, sortValue, order.direction);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
    <section className={styles.scroll} style={{ maxHeight: props.maxHeight }} tabIndex={0} aria-label={label}>
      <table className={styles.table} data-fixed={columns.some(({ width }) => width !== undefined)}>
        <thead>
          <tr>
            {columns.map((column) => (
              <Heading
                key={column.title}
                column={column}
                order={order}
                onSort={() => setOrder(nextOrder(order, column.title, column.align === undefined))}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.map((row) => (
            <tr key={keyOf(row)} data-new={isNew?.(row)}>
              {columns.map(({ title, align, isMinor, cell }) => (
                <td key={title} data-align={align} data-minor={isMinor}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface HeadingProps<Row> {
  column: Column<Row>;
  order: SortOrder | undefined;
  onSort: () => void;
}

function Heading<Row>({ column, order, onSort }: HeadingProps<Row>) {
  const { title, hint, align, isMinor, width, sort } = column;
  const direction = order?.title === title ? order.direction : undefined;
  return (
    <th
      scope="col"
      title={hint}
      data-align={align}
      data-minor={isMinor}
      style={{ width }}
      aria-sort={direction}
    >
      {sort === undefined ? (
        title
      ) : (
        <button type="button" className={styles.sort} data-direction={direction} onClick={onSort}>
          {title}
        </button>
      )}
    </th>
  );
}
