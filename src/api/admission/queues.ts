import { type Clock, systemClock } from "../../lib/async/clock.ts";
import type { ApiLimits } from "./limits.ts";
import { TwoTierAdmission } from "./two-tier-admission.ts";

/** Makes the queue for clients' SQL. */
export function queryQueue(limits: ApiLimits, clock: Clock = systemClock): TwoTierAdmission {
  const { concurrentQueries: long, quickQueries: quick, quickMs } = limits;
  return new TwoTierAdmission({ ...waitingLimits(limits), long, quick, quickMs }, clock);
}

/** Makes the queue for all other requests that read the store. */
export function readQueue(limits: ApiLimits, clock: Clock = systemClock): TwoTierAdmission {
  const { longReads: long, concurrentReads: quick, quickMs } = limits;
  return new TwoTierAdmission({ ...waitingLimits(limits), long, quick, quickMs }, clock);
}

function waitingLimits({ waitingRequests: waiting, waitMs, clientWaiting, clientShare }: ApiLimits) {
  return { waiting, waitMs, clientWaiting, clientShare };
}
