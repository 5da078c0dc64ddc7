import type { Operations } from "@quarry/sdk";
import { formatCount } from "../../format/number.ts";
import { formatBytes } from "../../format/units.ts";
import { Panel } from "../../ui/layout/panel.tsx";
import { type Column, Table } from "../../ui/table/table.tsx";
import { Meter } from "./meter.tsx";
import { RESOURCES, type ResourceName } from "./resource-names.ts";

type Resource = Operations["resources"][number];

/** The resources that all clients share, and their limits. */
export function Resources({ resources }: { resources: readonly Resource[] }) {
  return (
    <Panel title="Clients’ load">
      <Table
        label="Clients’ load"
        columns={COLUMNS}
        rows={resources}
        keyOf={({ resource }) => resource}
        empty="No process serves clients."
      />
    </Panel>
  );
}

const COLUMNS: readonly Column<Resource>[] = [
  {
    title: "Resource",
    cell: ({ resource }) => {
      const { name, setting } = RESOURCES[resource];
      return <span title={setting === null ? undefined : `Limited by ${setting}`}>{name}</span>;
    },
  },
  {
    title: "Used",
    cell: ({ resource, used, limit }) => (
      <Meter used={used} limit={limit}>
        {amountText(resource, used)}
        {limit === null ? "" : ` of ${amountText(resource, limit)}`}
      </Meter>
    ),
  },
];

function amountText(resource: ResourceName, amount: number): string {
  return RESOURCES[resource].unit === "bytes" ? formatBytes(amount) : formatCount(amount);
}
