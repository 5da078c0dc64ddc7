import { z } from "zod";
import type { Summary } from "../../../lib/ages/recent-values.ts";

const ages = z
  .strictObject({
    p50: z.number().describe("seconds; half of the blocks were at most this old"),
    p95: z.number().describe("seconds; 95 % of the blocks were at most this old"),
    blocks: z.int().describe("number of blocks, at most 256"),
    histogram: z
      .array(
        z.strictObject({
          above: z.number().nullable().describe("lower bound, excluded; null for the youngest bucket"),
          at_most: z.number().nullable().describe("upper bound, included; null for the oldest bucket"),
          blocks: z.int(),
        }),
      )
      .describe(
        "number of blocks by age in seconds, with the buckets of the metric quarry_block_age_seconds; empty buckets are left out",
      ),
  })
  .nullable();

/** How old new blocks are when they reach each stage. */
export const BLOCK_AGES = z.strictObject({
  seen: ages.describe("when an RPC endpoint reported the block; null if no indexer runs in this process"),
  committed: ages.describe("when the block was committed; null if no indexer runs in this process"),
  sent: ages.describe("when its frames were sent to the streams of this process"),
});

/** Returns the ages as in the answer, rounded to milliseconds. */
export function presentAges(summary: Summary | null | undefined): z.infer<typeof ages> {
  if (summary == null) return null;
  const { p50, p95, count, histogram } = summary;
  return {
    p50: Math.round(1000 * p50) / 1000,
    p95: Math.round(1000 * p95) / 1000,
    blocks: count,
    histogram: histogram.map((bucket) => ({
      above: bucket.above,
      at_most: bucket.atMost,
      blocks: bucket.count,
    })),
  };
}
