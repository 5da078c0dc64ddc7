import type { RawTable } from "../../queries/chain/stored-rows.ts";
import { KeptPanel } from "./kept-panel.tsx";
import { PagedPanel, type PagedPanelProps } from "./paged-panel.tsx";

interface StoredPanelProps<Row> extends PagedPanelProps<Row> {
  chain: string;
  /** The block that contains the rows. */
  block: number;
  table: RawTable;
}

/** A panel of rows, or an explanation of why the index does not have them. */
export function StoredPanel<Row>({ chain, block, table, ...panel }: StoredPanelProps<Row>) {
  return (
    <KeptPanel chain={chain} block={block} table={table} title={panel.title}>
      <PagedPanel {...panel} />
    </KeptPanel>
  );
}
