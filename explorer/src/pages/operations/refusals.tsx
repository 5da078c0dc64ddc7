import type { Operations } from "@quarry/sdk";
import { formatCount } from "../../format/number.ts";
import { Panel } from "../../ui/layout/panel.tsx";
import { Stat, Stats } from "../../ui/layout/stat.tsx";
import { type Column, Table } from "../../ui/table/table.tsx";
import styles from "./operations.module.css";

type Refusal = Operations["refusals"][number];

const LIMITS: Record<Refusal["limit"], { name: string; setting: string }> = {
  "query-queue": { name: "SQL queue", setting: "--waiting-queries, --query-wait, --client-waiting" },
  "read-queue": {
    name: "Queue for other requests",
    setting: "--waiting-queries, --query-wait, --client-waiting",
  },
  rate: { name: "Rate per client", setting: "--client-rate, or the key's own rate" },
  "monthly-quota": { name: "Monthly requests per key", setting: "quarry keys create --monthly-requests" },
  "unread-answers": { name: "Unread responses per client", setting: "--client-unread" },
  connections: { name: "Connections of all clients", setting: "--connections" },
  "address-connections": { name: "Connections per address", setting: "--address-connections" },
};

interface RefusalsProps {
  responses: Operations["responses"];
  refusals: readonly Refusal[];
}

/** Numbers of requests and connections that were rejected because of a limit. */
export function Refusals({ responses, refusals }: RefusalsProps) {
  return (
    <Panel title="Refusals since startup">
      <div className={styles.stats}>
        <Stats>
          <Stat name="Responses">{formatCount(responses.total)}</Stat>
          <Stat name="429" hint="Responses to clients that reached a limit of their own">
            {formatCount(responses.status_429)}
          </Stat>
          <Stat
            name="503"
            hint="Responses sent because the service had no capacity or no data, except those of /ready"
          >
            {formatCount(responses.status_503)}
          </Stat>
        </Stats>
      </div>
      <Table
        label="Refusals by limit"
        columns={COLUMNS}
        rows={refusals.filter(({ count }) => count > 0)}
        keyOf={({ limit }) => limit}
        empty="No limit has rejected a request or a connection."
      />
    </Panel>
  );
}

const COLUMNS: readonly Column<Refusal>[] = [
  {
    title: "Limit",
    cell: ({ limit }) => <span title={LIMITS[limit].setting}>{LIMITS[limit].name}</span>,
  },
  { title: "Rejected", align: "right", cell: ({ count }) => formatCount(count) },
];
