import { Histogram, type Registry } from "prom-client";

const NAME = "quarry_block_age_seconds";

/**
 * Upper bounds of the buckets, in seconds. They cover the age of a block at the head of a fast chain as well
 * as the age of a block from a node that lags by minutes.
 */
const BUCKETS = [0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 8, 13, 20, 30, 60, 120, 300];

/**
 * Returns the registry's histogram of block ages, to which each stage adds the ages of blocks at the head.
 */
export function blockAges(registry: Registry): Histogram<"chain" | "stage"> {
  const known = registry.getSingleMetric(NAME);
  if (known instanceof Histogram) return known;
  return new Histogram({
    name: NAME,
    help: "Age of a block at the head, by its own timestamp: when an endpoint reported it, when it was committed, and when its frames were sent",
    labelNames: ["chain", "stage"],
    buckets: BUCKETS,
    registers: [registry],
  });
}
