import type { ChainStatus } from "@quarry/sdk";
import { formatCount, UNKNOWN } from "../../../format/number.ts";
import { formatDuration } from "../../../format/time.ts";
import { type Column, Table } from "../../../ui/table/table.tsx";
import { Histogram } from "./histogram.tsx";

type Stage = keyof ChainStatus["block_age"];
type Ages = NonNullable<ChainStatus["block_age"][Stage]>;

interface StageAges {
  chain: string;
  name: string;
  hint: string;
  ages: Ages | null;
}

/** The stages in their order. */
const STAGES: readonly { stage: Stage; name: string; hint: string }[] = [
  { stage: "seen", name: "Seen", hint: "Age when an RPC endpoint reported the block" },
  { stage: "committed", name: "Stored", hint: "Age when the block was stored" },
  { stage: "sent", name: "Sent", hint: "Age when the block was sent to clients of streams" },
];

/** Shows how old new blocks are when they reach each stage on their way to clients, as histograms. */
export function BlockAges({ chains }: { chains: readonly ChainStatus[] }) {
  return (
    <Table
      label="Age of new blocks"
      columns={COLUMNS}
      rows={chains.flatMap(stagesOf)}
      keyOf={({ chain, name }) => `${chain} ${name}`}
      empty="No chain is indexed here."
    />
  );
}

function stagesOf({ chain, block_age }: ChainStatus): StageAges[] {
  return STAGES.map(({ stage, name, hint }) => ({ chain, name, hint, ages: block_age[stage] }));
}

const COLUMNS: readonly Column<StageAges>[] = [
  { title: "Chain", cell: ({ chain }) => chain },
  {
    title: "Stage",
    cell: ({ name, hint }) => <span title={hint}>{name}</span>,
  },
  {
    title: "Distribution",
    hint: "Number of blocks by age; the bars have the same ages in all rows",
    cell: ({ ages }) => (ages === null ? UNKNOWN : <Histogram buckets={ages.histogram} />),
  },
  {
    title: "Median",
    hint: "Half of the blocks were at most this old",
    align: "right",
    cell: ({ ages }) => ageText(ages?.p50),
  },
  {
    title: "95 %",
    hint: "95 % of the blocks were at most this old",
    align: "right",
    cell: ({ ages }) => ageText(ages?.p95),
  },
  {
    title: "Blocks",
    hint: "Number of blocks measured at the head, at most the newest 256",
    align: "right",
    isMinor: true,
    cell: ({ ages }) => formatCount(ages?.blocks),
  },
];

function ageText(seconds: number | undefined): string {
  return seconds === undefined ? UNKNOWN : formatDuration(1000 * seconds);
}
