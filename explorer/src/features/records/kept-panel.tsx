import type { ReactNode } from "react";
import {
  isKept,
  notKeptText,
  prunedText,
  prunedUntil,
  type RawTable,
} from "../../queries/chain/stored-rows.ts";
import { useChainStatus } from "../../queries/chain/use-chain.ts";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Panel } from "../../ui/layout/panel.tsx";

interface KeptPanelProps {
  chain: string;
  table: RawTable;
  title: string;
  /** The panel of an index that stores the table. */
  children: ReactNode;
}

/** Shows a panel of the latest rows of a table, or says that the index leaves out this table. */
export function KeptPanel({ chain, table, title, children }: KeptPanelProps) {
  const status = useChainStatus(chain);
  // Until the status is known, the request for the rows is not sent: it may fail.
  if (status === undefined) return <Panel title={title}>{null}</Panel>;
  if (isKept(status, table)) return children;
  return (
    <Panel title={title}>
      <Notice>{notKeptText(status, table)}</Notice>
    </Panel>
  );
}

/** Returns the text of a list without rows, with a note if older rows were pruned. */
export function useEmptyText(chain: string, table: RawTable, text: string): string {
  const status = useChainStatus(chain);
  const first = status === undefined ? null : prunedUntil(status);
  return first === null ? text : `${text} ${prunedText(table, first)}`;
}
