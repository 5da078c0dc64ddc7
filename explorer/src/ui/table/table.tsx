import { type ReactNode, useState } from "react";
import styles from "./table.module.css";
import { nextOrder, type Order, type Rank, ranked } from "./table-order.ts";

export interface Column<Row> {
  title: string;
  /** Words for those who wonder what the title means. */
  hint?: string;
  /** Figures stand at the right. */
  align?: "right";
  /** Left out on narrow screens. */
  isMinor?: boolean;
  /** In pixels. Where columns have one, none changes with what is in it: nothing moves when rows come and go. */
  width?: number;
  /** What rows rank by when the heading is pressed; without it the column cannot be sorted by. */
  sort?: (row: Row) => Rank;
  cell: (row: Row) => ReactNode;
}

interface TableProps<Row> {
  /** What the table holds, for those who cannot see it. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** What is said where there are no rows. */
  empty: ReactNode;
  /** The order to begin with; without it rows stand as they are given until a heading is pressed. */
  order?: Order;
  /** In pixels: taller tables scroll below their headings. */
  maxHeight?: number;
  /** Rows that came since the table was first drawn are lit up for a moment. */
  isNew?: (row: Row) => boolean;
}

export function Table<Row>({ label, columns, rows, keyOf, empty, isNew, ...props }: TableProps<Row>) {
  const [order, setOrder] = useState(props.order);
  if (rows.length === 0) return <p className={styles.empty}>{empty}</p>;
  const rankOf = columns.find(({ title }) => title === order?.title)?.sort;
  const shown = rankOf === undefined || order === undefined ? rows : ranked(rows, rankOf, order.direction);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={styles.scroll} style={{ maxHeight: props.maxHeight }} tabIndex={0} aria-label={label}>
      <table className={styles.table} data-fixed={columns.some(({ width }) => width !== undefined)}>
        <thead>
          <tr>
            {columns.map((column) => (
              <Heading
                key={column.title}
                column={column}
                order={order}
                press={() => setOrder(nextOrder(order, column.title, column.align === undefined))}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
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
  order: Order | undefined;
  press: () => void;
}

function Heading<Row>({ column, order, press }: HeadingProps<Row>) {
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
        <button type="button" className={styles.sort} data-direction={direction} onClick={press}>
          {title}
        </button>
      )}
    </th>
  );
}
