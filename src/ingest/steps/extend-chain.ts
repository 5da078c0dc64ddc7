import { withAbort } from "../../lib/async/abort.ts";
import { runLast, runPart, type Span, startTrace, traced } from "../../lib/tracing/tracing.ts";
import type { Block } from "../../schema/block.ts";
import type { BlockRange } from "../../sources/source.ts";
import { BATCH_LIMITS, inBatches } from "../blocks/batches.ts";
import type { PreparedBatch } from "../blocks/block-pipeline.ts";
import { isChildOf } from "../reorg/reorg.ts";
import { countCommit } from "../state/index-counters.ts";
import type { IndexContext } from "./index-context.ts";

/**
 * Fetches, prepares and commits the blocks of a range. Fetching, preparing and writing overlap; at most two
 * batches are in memory. At the head, a batch does not wait for more blocks. Returns "forked" if it ended
 * early at a block that is not the child of the tip. Otherwise returns "extended", even if it ended early
 * because balances are about to be changed. They must not be changed while a batch is being prepared.
 */
export async function extendChain(range: BlockRange, context: IndexContext): Promise<"extended" | "forked"> {
  const { options, clock, pipeline, position, ages } = context;
  const limits = options.batchLimits ?? BATCH_LIMITS;
  return withAbort([options.signal], async (stop) => {
    let { tip } = position.stored;
    let writing: Promise<void> = Promise.resolve();
    try {
      const fetched = options.source.blocks(range, stop.signal);
      for await (const blocks of inBatches(
        fetched,
        ages.isAtHead ? { ...limits, waitMs: 0 } : limits,
        clock,
      )) {
        const early = endsEarly(isChildOf(tip, blocks[0]), options);
        if (early !== null) {
          // Aborts the fetches in progress, because leaving the loop waits for them.
          stop.abort();
          await writing;
          return early;
        }
        if (pipeline.isFull()) {
          await writing;
          pipeline.evict();
        }
        const { span, batch } = await prepareBatch(blocks, context);
        await runPart(span, () => writing);
        writing = runLast(span, () => commitBatch(batch, blocks, range, context));
        writing.catch(() => stop.abort());
        tip = { number: batch.lastBlock.number, hash: batch.lastBlock.hash };
      }
      await writing;
      return "extended";
    } catch (error) {
      const cause = await writing.then(
        () => error,
        (writeError) => writeError,
      );
      pipeline.clear();
      throw cause;
    } finally {
      stop.abort();
    }
  });
}

/** Prepares a batch. Its trace span lasts until the batch is committed. */
async function prepareBatch(
  blocks: readonly [Block, ...Block[]],
  { options, pipeline, position }: IndexContext,
): Promise<{ span: Span; batch: PreparedBatch }> {
  const facts = {
    "quarry.chain": options.chain.name,
    "quarry.first_block": blocks[0].number,
    "quarry.blocks": blocks.length,
  };
  const span = startTrace("index blocks", { facts });
  const batch = await runPart(span, () =>
    traced("prepare rows", () => pipeline.prepare(blocks, position.committed)),
  );
  if (span.isRecorded) span.set({ "quarry.rows": rowCount(batch) });
  return { span, batch };
}

function rowCount({ rows }: PreparedBatch): number {
  return Object.values(rows).reduce((sum, ofTable) => sum + ofTable.length, 0);
}

function endsEarly(isChild: boolean, { openings }: IndexContext["options"]): "forked" | "extended" | null {
  if (!isChild) return "forked";
  return openings?.isDue ? "extended" : null;
}

async function commitBatch(
  prepared: PreparedBatch,
  blocks: readonly Block[],
  range: BlockRange,
  { options, clock, position, finality, state, counters, watch, ages, meter }: IndexContext,
): Promise<void> {
  const { swapsLeftOut: _, ...batch } = prepared;
  await options.requireRoom?.();
  const startedMs = clock.monotonic();
  const finalized = await finality.newlyFinal(
    batch.lastBlock.number,
    position.stored.finalized,
    async (number) => blocks.find((block) => block.number === number) ?? position.blockAt(number),
  );
  position.adoptCommit(await options.store.commit({ ...batch, finalized }));
  watch.advanced();
  ages.committed(blocks);
  state.diskFull = null;
  const nowMs = clock.monotonic();
  const progress = meter.addCommit(blocks, range, nowMs);
  countCommit(counters, blocks, prepared, (nowMs - startedMs) / 1000);
  options.onProgress?.(progress);
}
