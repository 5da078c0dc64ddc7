import type { Operations } from "@quarry/sdk";
import { formatCount } from "../../format/number.ts";
import { Panel } from "../../ui/layout/panel.tsx";
import { type Column, Table } from "../../ui/table/table.tsx";
import { Meter } from "./meter.tsx";

type Queue = Operations["queues"][number];

const NAMES: Record<`${Queue["kind"]} ${Queue["tier"]}`, string> = {
  "query quick": "SQL, quick",
  "query long": "SQL, long",
  "read quick": "Others, quick",
  "read long": "Others, long",
};

/** Running and waiting requests, and their limits. */
export function Queues({ queues }: { queues: readonly Queue[] }) {
  return (
    <Panel title="Queues">
      <Table
        label="Queues"
        columns={COLUMNS}
        rows={queues}
        keyOf={({ kind, tier }) => `${kind} ${tier}`}
        empty="No process reports its queues."
      />
    </Panel>
  );
}

const COLUMNS: readonly Column<Queue>[] = [
  {
    title: "Requests",
    hint: "A request counts as quick for its first second, and as long after that",
    cell: ({ kind, tier }) => NAMES[`${kind} ${tier}`],
  },
  {
    title: "Running",
    cell: ({ running, running_limit }) => (
      <Meter used={running} limit={running_limit}>
        {formatCount(running)} of {formatCount(running_limit)}
      </Meter>
    ),
  },
  {
    title: "Waiting",
    cell: ({ waiting, waiting_limit }) => (
      <Meter used={waiting} limit={waiting_limit}>
        {formatCount(waiting)} of {formatCount(waiting_limit)}
      </Meter>
    ),
  },
  {
    title: "Clients",
    hint: "Clients with running or waiting requests",
    align: "right",
    isMinor: true,
    cell: ({ clients }) => formatCount(clients),
  },
  {
    title: "Refused",
    hint: "Requests that found the queue full or waited too long",
    align: "right",
    cell: ({ refused }) => formatCount(refused),
  },
];
