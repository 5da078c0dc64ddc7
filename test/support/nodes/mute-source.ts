import type { Block } from "../../../src/schema/block.ts";
import type { Source } from "../../../src/sources/source.ts";

/** Wraps a source and changes its blocks. */
export function changed(source: Source, change: (block: Block) => Block): Source {
  return {
    head: (known) => source.head(known),
    nextHead: (pollMs, signal) => source.nextHead(pollMs, signal),
    blockRef: (number) => source.blockRef(number),
    hasBlock: (block) => source.hasBlock(block),
    requireUndisputed: (block) => source.requireUndisputed(block),
    finalized: () => source.finalized(),
    call: (calls) => source.call(calls),
    pastLogs: (filter) => source.pastLogs(filter),
    close: () => source.close(),
    async *blocks(range, signal) {
      for await (const block of source.blocks(range, signal)) yield change(block);
    },
  };
}

/** Wraps a source and removes the calldata of its transactions. */
export function mute(source: Source): Source {
  return changed(source, (block) => ({
    ...block,
    transactions: block.transactions.map((transaction) => ({ ...transaction, input: "0x" })),
  }));
}
