import { Histogram, type Registry } from "prom-client";
import { AGE_BOUNDS } from "./age-bounds.ts";

const NAME = "quarry_block_age_seconds";

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
    buckets: AGE_BOUNDS,
    registers: [registry],
  });
}
