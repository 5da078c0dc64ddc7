import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useMemo, useRef, useState } from "react";
import { CopyButton } from "../../../ui/controls/copy-button.tsx";
import { ResultCell } from "./result-cell.tsx";
import type { ResultColumn, Row } from "./result-columns.ts";
import styles from "./result-table.module.css";
import { type Sorting, sortRows } from "./sort-rows.ts";

const ROW_PX = 32;
const MAX_HEIGHT_PX = 560;
/** Number of rows rendered above and below the visible ones, so that scrolling shows no gaps. */
const OVERSCAN = 12;

interface CellPosition {
  row: number;
  column: number;
}

interface ResultTableProps {
  rows: readonly Row[];
  columns: readonly ResultColumn[];
  chain: string | null;
}

/** The rows of an answer, virtualized. Arrow keys move from cell to cell. */
export function ResultTable({ rows, columns, chain }: ResultTableProps) {
  const [sorting, setSorting] = useState<Sorting | null>(null);
  const [active, setActive] = useState<CellPosition | null>(null);
  const sorted = useMemo(() => (sorting === null ? rows : sortRows(rows, sorting)), [rows, sorting]);
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: sorted.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
  });
  const shown = virtual.getVirtualItems();
  const above = shown[0]?.start ?? 0;
  const below = virtual.getTotalSize() - (shown.at(-1)?.end ?? 0);
  const goTo = (position: CellPosition) => {
    setActive(position);
    virtual.scrollToIndex(position.row);
    scroller.current
      ?.querySelectorAll("th")
      [position.column]?.scrollIntoView({ block: "nearest", inline: "nearest" });
  };
  const onKeyDown = (event: KeyboardEvent) =>
    onTableKey(event, { rows: sorted, columns, active, goTo, scroller: scroller.current });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys move the active cell of the inner grid
    <div
      ref={scroller}
      className={styles.scroller}
      style={{ maxHeight: MAX_HEIGHT_PX }}
      onKeyDown={onKeyDown}
    >
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table with keyboard navigation between cells is a grid
        role="grid"
        className={styles.table}
        aria-label="Rows"
        aria-rowcount={sorted.length + 1}
        aria-colcount={columns.length}
        aria-activedescendant={active === null ? undefined : cellId(active)}
        tabIndex={0}
        style={{ width: columns.reduce((sum, column) => sum + widthOf(column), 0) }}
      >
        <Head columns={columns} sorting={sorting} onSort={setSorting} />
        <tbody>
          {above > 0 ? <Gap height={above} columns={columns.length} /> : null}
          {shown.map(({ index }) => (
            <ResultRow
              key={index}
              index={index}
              row={sorted[index] ?? {}}
              columns={columns}
              chain={chain}
              active={active?.row === index ? active.column : null}
              onPick={setActive}
            />
          ))}
          {below > 0 ? <Gap height={below} columns={columns.length} /> : null}
        </tbody>
      </table>
    </div>
  );
}

interface HeadProps {
  columns: readonly ResultColumn[];
  sorting: Sorting | null;
  onSort: (sorting: Sorting | null) => void;
}

function Head({ columns, sorting, onSort }: HeadProps) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        {columns.map((column) => {
          const { name, kind } = column;
          const own = sorting?.column === name ? sorting : null;
          return (
            <th
              key={name}
              scope="col"
              style={{ width: widthOf(column) }}
              data-align={isRight(kind) ? "right" : undefined}
              aria-sort={own === null ? undefined : own.isDescending ? "descending" : "ascending"}
            >
              <button type="button" onClick={() => onSort(nextSorting(name, own))} title={`Sort by ${name}`}>
                {name}
                <span aria-hidden="true">{own === null ? "" : own.isDescending ? " ↓" : " ↑"}</span>
              </button>
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

/** Returns the next order of a column: descending, then ascending, then the order of the answer. */
function nextSorting(column: string, own: Sorting | null): Sorting | null {
  if (own === null) return { column, isDescending: true };
  return own.isDescending ? { column, isDescending: false } : null;
}

interface ResultRowProps {
  index: number;
  row: Row;
  columns: readonly ResultColumn[];
  chain: string | null;
  /** The column of the active cell if it is in this row. */
  active: number | null;
  onPick: (position: CellPosition) => void;
}

function ResultRow({ index, row, columns, chain, active, onPick }: ResultRowProps) {
  return (
    <tr aria-rowindex={index + 2}>
      {columns.map(({ name, kind }, column) => {
        const value = row[name] ?? null;
        return (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the grid handles the keys
          <td
            key={name}
            id={cellId({ row: index, column })}
            data-align={isRight(kind) ? "right" : undefined}
            data-active={active === column}
            title={value === null ? undefined : String(value)}
            onClick={() => onPick({ row: index, column })}
          >
            <ResultCell value={value} kind={kind} chain={chain} />
            {active === column && value !== null ? (
              <span className={styles.copy}>
                <CopyButton text={String(value)} what={name} />
              </span>
            ) : null}
          </td>
        );
      })}
    </tr>
  );
}

function Gap({ height, columns }: { height: number; columns: number }) {
  return (
    <tr>
      <td colSpan={columns} style={{ height, padding: 0, border: 0 }} />
    </tr>
  );
}

interface TableKeys {
  rows: readonly Row[];
  columns: readonly ResultColumn[];
  active: CellPosition | null;
  goTo: (position: CellPosition) => void;
  scroller: HTMLElement | null;
}

function onTableKey(event: KeyboardEvent, { rows, columns, active, goTo, scroller }: TableKeys): void {
  if ((event.target as HTMLElement).tagName !== "TABLE") return;
  const at = active ?? { row: -1, column: 0 };
  const move = MOVES[event.key];
  if (move !== undefined) {
    event.preventDefault();
    const row = Math.min(Math.max(at.row + move.row, 0), rows.length - 1);
    goTo({ row, column: Math.min(Math.max(at.column + move.column, 0), columns.length - 1) });
  } else if (event.key === "c" && (event.ctrlKey || event.metaKey) && active !== null) {
    const value = rows[active.row]?.[columns[active.column]?.name ?? ""] ?? null;
    if (value !== null) void navigator.clipboard.writeText(String(value));
  } else if (event.key === "Enter" && active !== null) {
    scroller?.querySelector<HTMLElement>(`#${cellId(active)} a`)?.click();
  }
}

const PAGE_ROWS = 15;

const MOVES: Readonly<Record<string, CellPosition>> = {
  ArrowUp: { row: -1, column: 0 },
  ArrowDown: { row: 1, column: 0 },
  ArrowLeft: { row: 0, column: -1 },
  ArrowRight: { row: 0, column: 1 },
  PageUp: { row: -PAGE_ROWS, column: 0 },
  PageDown: { row: PAGE_ROWS, column: 0 },
  Home: { row: Number.NEGATIVE_INFINITY, column: 0 },
  End: { row: Number.POSITIVE_INFINITY, column: 0 },
};

function cellId({ row, column }: CellPosition): string {
  return `cell-${row}-${column}`;
}

function isRight(kind: ResultColumn["kind"]): boolean {
  return kind === "number" || kind === "block";
}

const CHARACTER_PX = 8;
const PADDING_PX = 34;
const MAX_CHARACTERS = 48;

/**
 * Returns a column's width in pixels. It depends only on sampled values, so it does not change while
 * scrolling.
 */
function widthOf({ kind, width, name }: ResultColumn): number {
  const length = SHORTENED.has(kind)
    ? Math.max(SHORT_HEX_CHARACTERS, name.length)
    : Math.min(width, MAX_CHARACTERS);
  return length * CHARACTER_PX + PADDING_PX;
}

/** Kinds that are abbreviated: addresses and hashes. */
const SHORTENED: ReadonlySet<ResultColumn["kind"]> = new Set([
  "token",
  "pool",
  "wallet",
  "transaction",
  "hash",
]);
const SHORT_HEX_CHARACTERS = 14;
