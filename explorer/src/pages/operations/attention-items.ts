import type { ChainStatus, Operations } from "@quarry/sdk";
import { formatCounted, formatShare } from "../../format/number.ts";
import { formatAge } from "../../format/time.ts";
import { formatBytes } from "../../format/units.ts";
import { RESOURCES } from "./resource-names.ts";

/** Share of a limit at which the limit counts as nearly used up. */
export const NEARLY_FULL = 0.9;

/** If a process is busy for at least this share of the time, requests wait for it. */
const BUSY = 0.9;

/** Age, in seconds, above which the newest block of any chain is late. */
const LATE_SECONDS = 60;

/** Returns sentences about everything in the chains that needs the operator's attention. */
export function chainItems(chains: readonly ChainStatus[]): string[] {
  return chains.flatMap(({ chain, ready, message, lag_seconds: age, endpoints }) => {
    const items = ready ? [] : [`${chain} is not ready${message === null ? "." : `: ${message}`}`];
    if (age !== null && age > LATE_SECONDS)
      items.push(`${chain}: the newest indexed block is ${formatAge(0, age)} old.`);
    const avoided = endpoints?.filter(({ avoided_until }) => avoided_until !== null).length ?? 0;
    if (avoided > 0)
      items.push(
        `${chain}: ${avoided} of ${endpoints?.length} RPC endpoints ${avoided === 1 ? "is" : "are"} avoided.`,
      );
    return items;
  });
}

/** Returns sentences about everything in the service itself that needs the operator's attention. */
export function serviceItems({ engines, processes, queues, resources }: Operations): string[] {
  return [
    ...engines.flatMap(engineItems),
    ...processes.flatMap(processItems),
    ...queues.flatMap(queueItems),
    ...resources.flatMap(({ resource, used, limit }) =>
      isNearlyFull(used, limit)
        ? [`${RESOURCES[resource].name}: ${shareOf(used, limit)} of the limit is used.`]
        : [],
    ),
  ];
}

function engineItems(engine: Operations["engines"][number]): string[] {
  const { chains, message, memory_bytes: used, memory_limit_bytes: limit, abandoned_statements } = engine;
  const name = `The engine of ${chains.length === 0 ? "the service" : chains.join(", ")}`;
  const items = message === null ? [] : [`${name} does not report its load: ${message}`];
  if (isNearlyFull(used, limit))
    items.push(`${name} uses ${formatBytes(used)} of memory, ${shareOf(used, limit)} of its limit.`);
  if (abandoned_statements > 0) {
    const owner = abandoned_statements === 1 ? "its" : "their";
    items.push(
      `${name} is still running ${formatCounted(abandoned_statements, "statement")} after ${owner} time limit.`,
    );
  }
  return items;
}

function processItems(each: Operations["processes"][number]): string[] {
  const { process, is_responding, heap_bytes: used, heap_limit_bytes: limit, event_loop_share } = each;
  const name = process === "service" ? "The service" : `The process ${process}`;
  if (!is_responding) return [`${name} is too busy to report.`];
  const items = isNearlyFull(used, limit) ? [`${name} uses ${shareOf(used, limit)} of its heap.`] : [];
  if ((event_loop_share ?? 0) >= BUSY)
    items.push(`${name} is busy ${formatShare(event_loop_share)} of the time, so requests wait for it.`);
  return items;
}

function queueItems({ kind, tier, waiting, running, running_limit }: Operations["queues"][number]): string[] {
  if (waiting === 0) return [];
  const [one, many] = kind === "query" ? ["SQL query", "SQL queries"] : ["read", "reads"];
  const requests = formatCounted(waiting, `${tier} ${one}`, `${tier} ${many}`);
  const taken = `${running} of ${running_limit} slots ${running === 1 ? "is" : "are"} taken`;
  return [`${requests} ${waiting === 1 ? "waits" : "wait"}; ${taken}.`];
}

function isNearlyFull(used: number | null, limit: number | null): boolean {
  return used !== null && limit !== null && limit > 0 && used / limit >= NEARLY_FULL;
}

function shareOf(used: number | null, limit: number | null): string {
  return formatShare((used ?? 0) / (limit ?? 1));
}
