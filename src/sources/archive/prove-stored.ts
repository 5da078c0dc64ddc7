import { BaseError } from "../../lib/error.ts";
import type { Block } from "../../schema/block.ts";
import type { StoredBlock } from "../e2store/era-file.ts";
import { verifyLink } from "../verify/verify-block.ts";
import { archivedBlock } from "./archived-block.ts";
import { decodeHeader } from "./archived-header.ts";
import { followsSchedule } from "./blob-schedule.ts";
import { proveBlock } from "./prove-block.ts";
import { recoverSenders } from "./senders.ts";
import { UnknownFormat } from "./unknown-format.ts";

/** The context that the proof of a stored block needs. */
export interface StoredContext {
  /** Form of the receipts in the file. */
  form: "full" | "slim";
  chainId: number;
  /** Encoded header of the previous block in the same file; null for the first block that is read. */
  parent: Uint8Array | null;
}

/**
 * Proves a stored block, checks that it is the child of `parent`, recovers the senders of its transactions,
 * and converts it to a `Block`.
 *
 * @throws MalformedRlp, UnknownFormat, and "verification" errors. None of them names the file or the block.
 */
export function proveStored(stored: StoredBlock, { form, chainId, parent }: StoredContext): Block {
  const proven = proveBlock(stored, form, chainId);
  if (parent !== null) requireChild(decodeHeader(parent), proven.header, chainId);
  return archivedBlock(proven, recoverSenders(proven.transactions), chainId);
}

type Header = ReturnType<typeof decodeHeader>;

function requireChild(parent: Header, header: Header, chainId: number): void {
  const problem = verifyLink(parent, header);
  if (problem !== null) throw new BaseError("verification", problem.message);
  if (!followsSchedule(parent.fields, header.fields, chainId))
    throw new UnknownFormat("the blob parameters of this block");
}
