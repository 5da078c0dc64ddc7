import type { Operations } from "@quarry/sdk";
import { formatCount, formatShare, UNKNOWN } from "../../format/number.ts";
import { formatBytes } from "../../format/units.ts";
import { Badge } from "../../ui/feedback/badge.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { type Column, Table } from "../../ui/table/table.tsx";
import { Age } from "../../ui/values/figures.tsx";
import { Meter } from "./meter.tsx";

type Process = Operations["processes"][number];
type Engine = Operations["engines"][number];

/** Memory and CPU time of the service's processes. */
export function Processes({ processes }: { processes: readonly Process[] }) {
  return (
    <Panel title="Processes">
      <Table
        label="Processes"
        columns={PROCESS_COLUMNS}
        rows={processes}
        keyOf={({ process }) => process}
        empty="No process responds."
      />
    </Panel>
  );
}

const PROCESS_COLUMNS: readonly Column<Process>[] = [
  {
    title: "Process",
    cell: ({ process, is_responding }) => (
      <>
        {process} {is_responding ? null : <Badge tone="down">Not responding</Badge>}
      </>
    ),
  },
  {
    title: "Memory",
    hint: "Memory of the process, including the engine if it is embedded",
    align: "right",
    cell: ({ rss_bytes }) => formatBytes(rss_bytes),
  },
  {
    title: "CPU",
    hint: "CPU time over the last few seconds; 100 % is one core",
    align: "right",
    cell: ({ cpu_share }) => formatShare(cpu_share),
  },
  {
    title: "Event loop",
    hint: "Share of the last few seconds in which the event loop was busy; near 100 %, requests wait for it",
    align: "right",
    cell: ({ event_loop_share }) => formatShare(event_loop_share),
  },
  {
    title: "Heap",
    hint: "Memory of JavaScript objects, and its limit",
    cell: ({ heap_bytes, heap_limit_bytes }) => (
      <Meter used={heap_bytes} limit={heap_limit_bytes}>
        {formatBytes(heap_bytes)} of {formatBytes(heap_limit_bytes)}
      </Meter>
    ),
  },
  {
    title: "Buffers",
    hint: "Memory outside the heap",
    align: "right",
    isMinor: true,
    cell: ({ buffer_bytes }) => formatBytes(buffer_bytes),
  },
  { title: "PID", align: "right", isMinor: true, cell: ({ pid }) => pid ?? UNKNOWN },
  {
    title: "Up",
    hint: "Time since the process started",
    align: "right",
    isMinor: true,
    cell: ({ started_at }) => (started_at === null ? UNKNOWN : <Age timestamp={started_at} />),
  },
];

/** Memory and work of the database engines. */
export function Engines({ engines }: { engines: readonly Engine[] }) {
  return (
    <Panel title="Engine">
      <Table
        label="Engines"
        columns={ENGINE_COLUMNS}
        rows={engines}
        keyOf={({ chains }) => chains.join()}
        empty="No engine is used."
      />
    </Panel>
  );
}

const ENGINE_COLUMNS: readonly Column<Engine>[] = [
  {
    title: "Chains",
    cell: ({ chains, message }) => (
      <>
        {chains.length === 0 ? UNKNOWN : chains.join(", ")}{" "}
        {message === null ? null : (
          <Badge tone="down" hint={message}>
            No figures
          </Badge>
        )}
      </>
    ),
  },
  {
    title: "Memory",
    hint: "Memory used by all statements, merges and caches, and its limit (--engine-memory)",
    cell: ({ memory_bytes, memory_limit_bytes }) => (
      <Meter used={memory_bytes} limit={memory_limit_bytes}>
        {formatBytes(memory_bytes)}
        {memory_limit_bytes === null ? "" : ` of ${formatBytes(memory_limit_bytes)}`}
      </Meter>
    ),
  },
  {
    title: "Statements",
    hint: "Running statements of clients and of the service",
    align: "right",
    cell: ({ running_statements }) => formatCount(running_statements),
  },
  {
    title: "Merges",
    align: "right",
    isMinor: true,
    cell: ({ running_merges }) => formatCount(running_merges),
  },
  {
    title: "Abandoned",
    hint: "Statements that are still running although their clients got a response at the time limit",
    align: "right",
    isMinor: true,
    cell: ({ abandoned_statements }) => formatCount(abandoned_statements),
  },
];
