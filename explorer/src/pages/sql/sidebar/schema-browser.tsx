import type { SqlSchema } from "@quarry/sdk";
import { useState } from "react";
import { columnDoc } from "../editor/query-table.ts";
import styles from "../sql-page.module.css";

interface SchemaBrowserProps {
  schema: SqlSchema;
  /** Inserts a name into the query. */
  onInsert: (name: string) => void;
}

/** The tables and their columns; a click inserts a name into the query. */
export function SchemaBrowser({ schema, onInsert }: SchemaBrowserProps) {
  const [filter, setFilter] = useState("");
  const term = filter.trim().toLowerCase();
  const tables = schema.tables.map((table) => ({
    ...table,
    columns: table.columns.filter(({ name }) => `${table.name} ${name}`.includes(term)),
  }));
  return (
    <div>
      <input
        type="search"
        className={`field ${styles.filter}`}
        placeholder="Find a table or column"
        aria-label="Find a table or column"
        value={filter}
        onChange={({ target }) => setFilter(target.value)}
      />
      {tables
        .filter(({ columns }) => columns.length > 0)
        .map(({ name, doc, columns }) => (
          <details key={name} className={styles.table} open={term !== "" || undefined}>
            <summary title={doc}>{name}</summary>
            <p className={styles.doc}>
              {doc}{" "}
              <button type="button" className={styles.inline} onClick={() => onInsert(name)}>
                Insert {name}
              </button>
            </p>
            <ul className={styles.columns}>
              {columns.map((column) => (
                <li key={column.name}>
                  <button type="button" title={columnDoc(column)} onClick={() => onInsert(column.name)}>
                    <span className={styles.columnName}>{column.name}</span>
                    <span className={styles.type}>{column.unit ?? column.type}</span>
                  </button>
                </li>
              ))}
            </ul>
          </details>
        ))}
    </div>
  );
}
