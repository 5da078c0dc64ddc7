import { BaseError } from "../../lib/error.ts";
import type { Block } from "../../schema/block.ts";
import { toBlock } from "../blocks/convert.ts";
import type { EraFile, StoredBlock } from "../e2store/era-file.ts";
import type { SenderThreads } from "../senders/sender-threads.ts";
import type { Signed } from "../senders/signatures.ts";
import { quantityBytes } from "../verify/encoding.ts";
import { verifyLink } from "../verify/verify-block.ts";
import type { ArchivedHeader } from "./archived-header.ts";
import type { ArchivedTransaction } from "./archived-transaction.ts";
import { followsSchedule } from "./blob-schedule.ts";
import { namingBlock, withBlock } from "./naming-block.ts";
import { proveBlock, withSenders } from "./prove-block.ts";
import { UnknownFormat } from "./unknown-format.ts";

/** Limits on the blocks that are proven ahead of the consumer while threads recover their senders. */
export interface AheadLimits {
  blocks: number;
  /** Size of their decompressed data. In memory, a block takes about six times as much. */
  bytes: number;
}

/**
 * A batch of blocks keeps the main thread busy for half a second, so the sender threads need that much work
 * in their queue.
 */
export const AHEAD_LIMITS: AheadLimits = { blocks: 48, bytes: 32 * 2 ** 20 };

interface ReadOptions {
  chainId: number;
  threads: SenderThreads;
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
  const { limits, signal } = options;
  const ahead: Ahead[] = [];
  let bytes = 0;
  let parent: ArchivedHeader | null = null;
  for await (const stored of file.blocks(from)) {
    signal.throwIfAborted();
    const proven = namingBlock(file, stored.number, () => proveStored(file, stored, parent, options.chainId));
    parent = proven.header;
    const size = sizeOf(stored);
    ahead.push({ bytes: size, block: convert(file, proven, options.threads) });
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

function proveStored(file: EraFile, stored: StoredBlock, parent: ArchivedHeader | null, chainId: number) {
  const proven = proveBlock(stored, file.receiptForm, chainId);
  if (parent === null) return proven;
  const problem = verifyLink(parent, proven.header);
  if (problem !== null) throw new BaseError("verification", problem.message);
  if (!followsSchedule(parent.fields, proven.header.fields, chainId)) {
    throw new UnknownFormat("the blob parameters of this block");
  }
  return proven;
}

/**
 * Starts the conversion of a block. An error is thrown only when the block is awaited, so no rejection is
 * left unhandled if the consumer stops early.
 */
function convert(
  file: EraFile,
  proven: ReturnType<typeof proveBlock>,
  threads: SenderThreads,
): Promise<Block> {
  const { header, transactions, receipts } = proven;
  const block = threads
    .recover(transactions.map(signedOf))
    .then((senders) => toBlock(withSenders(proven, senders), receipts, "proven", FROM_ERA))
    .catch((error: unknown) => {
      throw withBlock(file, header.number, error);
    });
  block.catch(() => {});
  return block;
}

const FROM_ERA = { proof: "block", origin: "era" } as const;

function signedOf({ signedHash: hash, recoveryId, fields }: ArchivedTransaction): Signed {
  return { hash, recoveryId, r: quantityBytes(fields.r), s: quantityBytes(fields.s) };
}

function sizeOf({ header, body, receipts }: StoredBlock): number {
  return header.length + body.length + receipts.length;
}
