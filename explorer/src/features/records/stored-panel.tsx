import { missingRowsReason, type RawTable } from "../../queries/chain/stored-rows.ts";
import { useChainStatus } from "../../queries/chain/use-chain.ts";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { PagedPanel, type PagedPanelProps } from "./paged-panel.tsx";

interface StoredPanelProps<Row> extends PagedPanelProps<Row> {
  chain: string;
  /** The block of the rows. */
  block: number;
  table: RawTable;
}

/** A panel of rows that the index may have left out or pruned. It then says so. */
export function StoredPanel<Row>({ chain, block, table, ...panel }: StoredPanelProps<Row>) {
  const status = useChainStatus(chain);
  // Until the status is known, the request for the rows is not sent: it may fail.
  if (status === undefined) return <Panel title={panel.title}>{null}</Panel>;
  const reason = missingRowsReason(status, table, block);
  if (reason === null) return <PagedPanel {...panel} />;
  return (
    <Panel title={panel.title}>
      <Notice>{reason}</Notice>
    </Panel>
  );
}
