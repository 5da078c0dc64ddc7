import type { ReactNode } from "react";
import {
  isKept,
  missingRowsReason,
  notKeptText,
  prunedText,
  prunedUntil,
  type RawTable,
  type StoredRows,
} from "../../queries/chain/stored-rows.ts";
import { useChainStatus } from "../../queries/chain/use-chain.ts";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Panel } from "../../ui/layout/panel.tsx";

interface KeptPanelProps {
  chain: string;
  table: RawTable;
  title: string;
  /** The block that contains the rows. Absent if the rows are the latest ones, which are never pruned. */
  block?: number;
  /** Shown if the index stores the rows. */
  children: ReactNode;
}

/** Shows a panel of a table's rows, or explains that the index left them out or pruned them. */
export function KeptPanel({ chain, table, title, block, children }: KeptPanelProps) {
  const status = useChainStatus(chain);
  // The rows are not requested until the status is known, because that request may fail.
  if (status === undefined) return <Panel title={title}>{null}</Panel>;
  const reason = reasonFor(status, table, block);
  if (reason === null) return children;
  return (
    <Panel title={title}>
      <Notice>{reason}</Notice>
    </Panel>
  );
}

function reasonFor(stored: StoredRows, table: RawTable, block: number | undefined): string | null {
  if (block !== undefined) return missingRowsReason(stored, table, block);
  return isKept(stored, table) ? null : notKeptText(stored, table);
}

/** Returns the text to show for an empty list, with a note if older rows were pruned. */
export function useEmptyText(chain: string, table: RawTable, text: string): string {
  const status = useChainStatus(chain);
  const first = status === undefined ? null : prunedUntil(status);
  return first === null ? text : `${text} ${prunedText(table, first)}`;
}
