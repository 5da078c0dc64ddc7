import type { SqlSchema } from "@quarry/sdk";
import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";
import { Choice } from "../../../ui/controls/choice.tsx";
import { QueryContent } from "../../../ui/feedback/query-content.tsx";
import styles from "../sql-page.module.css";
import { Examples, PastRuns, SavedQueries } from "./query-lists.tsx";
import { SchemaBrowser } from "./schema-browser.tsx";

type Tab = "examples" | "tables" | "saved" | "history";

const TABS = [
  { value: "examples", title: "Examples" },
  { value: "tables", title: "Tables" },
  { value: "saved", title: "Saved" },
  { value: "history", title: "History" },
] as const;

const SCHEMA_PX = 400;

interface SidebarProps {
  schema: UseQueryResult<SqlSchema>;
  chain: string | null;
  onOpen: (query: string) => void;
  onInsert: (name: string) => void;
}

/** The panel next to the editor: examples, tables, saved queries, history. */
export function Sidebar({ schema, chain, onOpen, onInsert }: SidebarProps) {
  const [tab, setTab] = useState<Tab>("examples");
  return (
    <aside className={styles.sidebar} aria-label="Queries and tables">
      <div className={styles.tabs}>
        <Choice label="Sidebar" options={TABS} value={tab} onChange={setTab} />
      </div>
      <div className={styles.tab}>
        {tab === "examples" && chain !== null ? <Examples chain={chain} onOpen={onOpen} /> : null}
        {tab === "saved" ? <SavedQueries onOpen={onOpen} /> : null}
        {tab === "history" ? <PastRuns onOpen={onOpen} /> : null}
        {tab === "tables" ? (
          <QueryContent query={schema} height={SCHEMA_PX}>
            {(data) => <SchemaBrowser schema={data} onInsert={onInsert} />}
          </QueryContent>
        ) : null}
      </div>
    </aside>
  );
}
