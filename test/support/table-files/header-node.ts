import type { HeaderSource } from "../../../src/sources/blocks/header-fetcher.ts";
import type { Source } from "../../../src/sources/source.ts";
import { parseBlock } from "../../../src/sources/wire/parse.ts";
import type { JsonBlock } from "./table-rows.ts";

/** Returns a node that has the headers and bodies of consecutive blocks, and nothing else. */
export function headerNode(blocks: readonly JsonBlock[]): Source & HeaderSource {
  const first = Number(blocks[0]?.block.number);
  const headers: HeaderSource["headers"] = async (numbers, content) =>
    numbers.map((number) => {
      const block = parseBlock(blocks[number - first]?.block, number);
      const hashes = block.transactions.map(({ hash }) => hash);
      const transactions = content === "transactions" ? block.transactions : null;
      return { block: { ...block, transactions: [] }, hashes, transactions };
    });
  return { headers } as unknown as Source & HeaderSource;
}
