import type { Block } from "../../schema/block.ts";
import { namingBlock } from "../archive/naming-block.ts";
import { proveStored } from "../archive/prove-stored.ts";
import type { BlockEntries, EraFile } from "../e2store/era-file.ts";
import { claimedSize, readFrames } from "../e2store/snappy-frames.ts";
import type { Prover } from "../prover/prover.ts";

/** Limits on blocks that are proven ahead of the consumer. */
export interface AheadLimits {
  blocks: number;
  /** Total decompressed size of these blocks. In memory, they take about six times as much. */
  bytes: number;
}

/**
 * The main thread is busy for half a second with each batch of blocks, so the threads need enough queued work
 * for that time.
 */
export const AHEAD_LIMITS: AheadLimits = { blocks: 48, bytes: 32 * 2 ** 20 };
/** Without threads, proving ahead gains nothing. */
const NOT_AHEAD: AheadLimits = { blocks: 1, bytes: 0 };

interface ReadOptions {
  chainId: number;
  prover: Prover;
  limits: AheadLimits;
  signal: AbortSignal;
}

interface Ahead {
  bytes: number;
  block: Promise<Block>;
}

/**
 * Yields the proven blocks of a file, starting at a given number. Each block is the child of the previous
 * one.
 *
 * @throws InvalidFile, which names the file and the block; UnknownFormat
 */
export async function* archivedBlocks(
  file: EraFile,
  from: number,
  options: ReadOptions,
): AsyncGenerator<Block> {
  const limits = options.prover.threads === 0 ? NOT_AHEAD : options.limits;
  const ahead: Ahead[] = [];
  let bytes = 0;
  let parent: BlockEntries | null = null;
  for await (const entries of file.blocks(from)) {
    options.signal.throwIfAborted();
    const block = prove(file, entries, parent, options);
    // Prevents an unhandled rejection: a consumer that stops early never awaits the block.
    block.catch(() => {});
    parent = entries;
    const size = sizeOf(entries);
    ahead.push({ bytes: size, block });
    bytes += size;
    while (ahead.length >= limits.blocks || bytes >= limits.bytes) {
      const next = ahead.shift();
      if (next === undefined) break;
      bytes -= next.bytes;
      yield await next.block;
    }
  }
  for (const { block } of ahead) yield await block;
}

async function prove(
  file: EraFile,
  entries: BlockEntries,
  before: BlockEntries | null,
  { chainId, prover, signal }: ReadOptions,
): Promise<Block> {
  const parent = before?.entries.get("header")?.data ?? null;
  const context = { form: file.receiptForm, chainId, parent };
  const proven = await prover.stored(entries, context, signal);
  if (proven !== null) return proven;
  const stored = file.decompress(entries);
  return namingBlock(file, entries.number, () =>
    proveStored(stored, { ...context, parent: parent && readFrames(parent) }),
  );
}

function sizeOf({ entries }: BlockEntries): number {
  return [...entries.values()].reduce((sum, { data }) => sum + claimedSize(data), 0);
}
