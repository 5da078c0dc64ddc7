import type { ApiLimits } from "../../api/admission/limits.ts";
import { BODY_FORM } from "../../api/bodies/body-form.ts";
import { MAX_STATES, MAX_SUBSCRIPTIONS } from "../../api/subscriptions/read-subscriptions.ts";

/**
 * Returns a worker's part of a whole number; the parts of all workers add up to it.
 *
 * @param worker from 1 to `workers`
 */
export function workerPart(total: number, worker: number, workers: number): number {
  return Math.floor(total / workers) + (worker <= total % workers ? 1 : 0);
}

/**
 * Returns the limits of one of several workers. The limits on SQL queries are not divided among the workers,
 * because all queries share one queue (`admitQueries`). The limits on other requests are divided, because
 * most of these are short, but each worker may run at least one quick and one long request.
 *
 * @param worker from 1 to `workers`
 */
export function workerLimits(limits: ApiLimits, worker: number, workers: number): ApiLimits {
  const partOf = (total: number) => workerPart(total, worker, workers);
  const partWith = (total: number, least: number) => Math.max(Math.min(total, least), partOf(total));
  return {
    ...limits,
    concurrentReads: Math.max(1, partOf(limits.concurrentReads)),
    longReads: Math.max(1, partOf(limits.longReads)),
    waitingRequests: partOf(limits.waitingRequests),
    clientWaiting: Math.max(1, partOf(limits.clientWaiting)),
    pipelinedRequests: Math.max(1, partOf(limits.pipelinedRequests)),
    clientUnreadBytes: partOf(limits.clientUnreadBytes),
    clientRate: limits.clientRate / workers,
    clientBurst: Math.max(1, partOf(limits.clientBurst)),
    rateShare: limits.rateShare / workers,
    delayedRejections: partOf(limits.delayedRejections),
    wrongKeys: Math.max(1, partOf(limits.wrongKeys)),
    connections: Math.max(1, partOf(limits.connections)),
    addressConnections: Math.max(1, partOf(limits.addressConnections)),
    streams: partOf(limits.streams),
    clientStreams: Math.max(1, partOf(limits.clientStreams)),
    // One stream with as much as it may have must fit.
    clientSubscriptions: partWith(limits.clientSubscriptions, MAX_SUBSCRIPTIONS),
    streamSubscriptions: partWith(limits.streamSubscriptions, MAX_SUBSCRIPTIONS),
    clientStates: partWith(limits.clientStates, MAX_STATES),
    streamStates: partWith(limits.streamStates, MAX_STATES),
    clientFilters: partWith(limits.clientFilters, BODY_FORM.values),
    streamFilters: partWith(limits.streamFilters, BODY_FORM.values),
    streamMemoryBytes: partOf(limits.streamMemoryBytes),
    // Half of this must hold a body of the maximum size.
    bodyMemoryBytes: Math.max(8 * 2 ** 20, partOf(limits.bodyMemoryBytes)),
    clientBodyBytes: Math.max(4 * 2 ** 20, partOf(limits.clientBodyBytes)),
    answerMemoryBytes: partOf(limits.answerMemoryBytes),
    sqlCacheBytes: partOf(limits.sqlCacheBytes),
    // Half of this must hold one answer of the maximum size.
    answerDiskBytes: Math.max(2 * limits.answerBytes, partOf(limits.answerDiskBytes)),
    clientDiskBytes: Math.max(limits.answerBytes, partOf(limits.clientDiskBytes)),
  };
}
