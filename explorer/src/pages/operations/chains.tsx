import type { ChainStatus } from "@quarry/sdk";
import { formatCount, UNKNOWN } from "../../format/number.ts";
import { Badge } from "../../ui/feedback/badge.tsx";
import { type Column, Table } from "../../ui/table/table.tsx";
import { Age } from "../../ui/values/figures.tsx";
import { BlockLink } from "../../ui/values/links.tsx";

/** Shows how far each chain is indexed, and how fresh its blocks are. */
export function Chains({ chains }: { chains: readonly ChainStatus[] }) {
  return (
    <Table
      label="Chains"
      columns={COLUMNS}
      rows={chains}
      keyOf={({ chain }) => chain}
      empty="No chain is indexed here."
    />
  );
}

const COLUMNS: readonly Column<ChainStatus>[] = [
  { title: "Chain", sort: ({ chain }) => chain, cell: ({ chain }) => chain },
  {
    title: "State",
    cell: ({ ready, message }) => (
      <Badge tone={ready ? "up" : "down"} {...(message === null ? {} : { hint: message })}>
        {ready ? "Ready" : "Not ready"}
      </Badge>
    ),
  },
  {
    title: "Behind",
    hint: "Blocks of the chain that are not indexed yet; unknown if no indexer runs in this process",
    align: "right",
    sort: ({ lag_blocks }) => lag_blocks,
    cell: ({ lag_blocks }) => formatCount(lag_blocks),
  },
  {
    title: "Age",
    hint: "Age of the newest indexed block",
    align: "right",
    sort: ({ lag_seconds }) => lag_seconds,
    cell: ({ indexed_timestamp }) =>
      indexed_timestamp === null ? UNKNOWN : <Age timestamp={indexed_timestamp} />,
  },
  {
    title: "Block",
    hint: "Newest indexed block",
    align: "right",
    sort: ({ indexed_block }) => indexed_block,
    cell: ({ chain, indexed_block }) =>
      indexed_block === null ? UNKNOWN : <BlockLink chain={chain} number={indexed_block} />,
  },
  {
    title: "Rollbacks",
    hint: "Reorgs since the indexer started, and the most blocks removed by one of them",
    align: "right",
    isMinor: true,
    sort: ({ rollbacks }) => rollbacks?.count,
    cell: ({ rollbacks }) => rollbacksText(rollbacks),
  },
];

function rollbacksText(rollbacks: ChainStatus["rollbacks"]): string {
  if (rollbacks === null) return UNKNOWN;
  const { count, deepest } = rollbacks;
  return count === 0 ? "0" : `${formatCount(count)} (≤ ${formatCount(deepest)})`;
}
