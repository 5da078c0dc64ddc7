import type { ChainStatus } from "@quarry/sdk";
import { formatCount, formatShare } from "../../format/number.ts";
import { formatDuration, formatTime } from "../../format/time.ts";
import { Badge } from "../../ui/feedback/badge.tsx";
import { type Column, Table } from "../../ui/table/table.tsx";
import styles from "./operations.module.css";

type Endpoint = NonNullable<ChainStatus["endpoints"]>[number] & { chain: string; position: number };

/** The health of the endpoints from which this process indexes. */
export function RpcEndpoints({ chains }: { chains: readonly ChainStatus[] }) {
  const rows = chains.flatMap(({ chain, endpoints }) =>
    (endpoints ?? []).map((endpoint, position) => ({ ...endpoint, chain, position })),
  );
  return (
    <Table
      label="RPC endpoints"
      columns={COLUMNS}
      rows={rows}
      keyOf={({ chain, position }) => `${chain} ${position}`}
      empty="The process that responded runs no indexer, so it uses no RPC endpoints."
    />
  );
}

const COLUMNS: readonly Column<Endpoint>[] = [
  { title: "Chain", sort: ({ chain }) => chain, cell: ({ chain }) => chain },
  { title: "Health", cell: ({ avoided_until }) => <Health avoidedUntil={avoided_until} /> },
  {
    title: "Endpoint",
    hint: "URL without credentials or API keys",
    sort: ({ url }) => url,
    cell: ({ url }) => (
      <span className={styles.url} title={url}>
        {url}
      </span>
    ),
  },
  {
    title: "Latency",
    hint: "Moving average of the response time",
    align: "right",
    sort: ({ latency_ms }) => latency_ms,
    cell: ({ latency_ms }) => formatDuration(latency_ms),
  },
  {
    title: "Failed",
    hint: "Failed requests, and their share",
    align: "right",
    sort: ({ failures }) => failures,
    cell: ({ failures, requests }) =>
      failures === 0 ? "0" : `${formatCount(failures)} (${formatShare(failures / Math.max(1, requests))})`,
  },
  {
    title: "Requests",
    align: "right",
    isMinor: true,
    sort: ({ requests }) => requests,
    cell: ({ requests }) => formatCount(requests),
  },
  {
    title: "Lies",
    hint: "Blocks that contradicted their own header, and heads that were announced but did not exist",
    align: "right",
    isMinor: true,
    sort: ({ lies }) => lies,
    cell: ({ lies }) => formatCount(lies),
  },
];

function Health({ avoidedUntil }: { avoidedUntil: number | null }) {
  if (avoidedUntil === null) return <Badge tone="up">Healthy</Badge>;
  return (
    <Badge tone="warn" hint={`Other endpoints are preferred until ${formatTime(avoidedUntil)} UTC`}>
      Avoided
    </Badge>
  );
}
