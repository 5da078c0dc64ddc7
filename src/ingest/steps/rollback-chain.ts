import type { Block, BlockRef } from "../../schema/block.ts";
import type { Source } from "../../sources/source.ts";
import type { BlockName } from "../../storage/store.ts";
import { findForkPoint } from "../reorg/fork-point.ts";
import { rollbackFloor } from "../reorg/reorg.ts";
import { storedBlock } from "../reorg/stored-block.ts";
import { countRollback } from "../state/index-counters.ts";
import type { IndexContext } from "./index-context.ts";

/**
 * Rolls back to the newest stored block that the source's chain has. Returns false if nothing was rolled
 * back, e.g. because the tip is on the source's chain after all.
 *
 * @throws ReorgTooDeep if a final block would be undone, and no endpoint has it
 * @throws SourceBehind if the source lacks final blocks, but agrees with the store on those that it has
 */
export async function rollbackChain(context: IndexContext): Promise<boolean> {
  const { chain, engine, source, signal } = context.options;
  const { tip, firstBlock } = context.position.stored;
  if (tip === null) return false;
  const stored = (number: number) => storedBlock(engine, chain.name, number);
  const canonical = (number: number) => source.blockRef(number);
  const floor = rollbackFloor(chain, context.position.stored);
  const isConfirmed = (block: BlockRef) => source.hasBlock(block);
  const fork = await findForkPoint({ tip, firstBlock, floor, stored, canonical, isConfirmed });
  if (fork === null) return false;
  const block = fork < firstBlock ? await fetchBlock(fork, source, signal) : await stored(fork);
  if (block === null) return false;
  await rollbackTo(block, tip, context);
  return true;
}

async function fetchBlock(
  number: number,
  source: Pick<Source, "blocks">,
  signal: AbortSignal,
): Promise<Block | null> {
  for await (const block of source.blocks({ from: number, to: number }, signal)) return block;
  return null;
}

async function rollbackTo(
  block: BlockName,
  tip: BlockRef,
  { options, clock, pipeline, position, state, counters, watch }: IndexContext,
): Promise<void> {
  const depth = tip.number - block.number;
  const chain = options.chain.name;
  options.logger.warn(
    { chain, from: tip.number, to: block.number, depth },
    "chain reorganized: rolling back",
  );
  const startedMs = clock.monotonic();
  position.adoptCommit(await options.store.rollback(block));
  pipeline.rollbackTo(block);
  watch.advanced();
  countRollback(counters, depth, (clock.monotonic() - startedMs) / 1000);
  state.lastRollbackAt = Math.floor(clock.now() / 1000);
}
