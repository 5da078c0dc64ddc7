import type { Block } from "../../src/schema/block.ts";
import { proveRaw } from "../../src/sources/prover/prove-raw.ts";
import type { Prover } from "../../src/sources/prover/prover.ts";
import { ResponseBody } from "../../src/sources/rpc/http-response.ts";
import { decodeResponses } from "../../src/sources/rpc/json-rpc.ts";

const BLOCKS_PER_RESPONSE = 2;
const MAX_BYTES = 2 ** 28;
const VERIFICATION = { chainId: 1, verify: true, senders: false };

/** A node's response with some blocks and their receipts. */
interface Response {
  numbers: number[];
  bytes: Buffer;
}

/** Returns recorded blocks as the bodies of responses to batches. */
export function responsesOf(
  first: number,
  blocks: readonly string[],
  receipts: readonly string[],
): Response[] {
  const responses: Response[] = [];
  for (let i = 0; i < blocks.length; i += BLOCKS_PER_RESPONSE) {
    const results = blocks
      .slice(i, i + BLOCKS_PER_RESPONSE)
      .flatMap((block, at) => [block, receipts[i + at] ?? "null"]);
    const parts = results.map((result, id) => `{"jsonrpc":"2.0","id":${id},"result":${result}}`);
    const numbers = Array.from({ length: results.length / 2 }, (_, at) => first + i + at);
    responses.push({ numbers, bytes: Buffer.from(`[${parts.join(",")}]`) });
  }
  return responses;
}

/** Proves the blocks of all responses, in threads if there are any. */
export async function provenBlocks(responses: readonly Response[], prover: Prover): Promise<Block[]> {
  const blocks = await Promise.all(responses.map((response) => provenResponse(response, prover)));
  return blocks.flat();
}

async function provenResponse({ numbers, bytes }: Response, prover: Prover): Promise<Block[]> {
  const body = new ResponseBody([bytes], { isGzip: false, maxBytes: MAX_BYTES });
  const found = await prover.response(body, numbers, VERIFICATION, undefined);
  if (found !== null) return found.blocks;
  const outcomes = decodeResponses(await body.text(), 2 * numbers.length);
  return numbers.map((number, i) => {
    const [block, receipts] = outcomes
      .slice(2 * i, 2 * i + 2)
      .map((outcome) => ("result" in outcome ? outcome.result : null));
    const proven = proveRaw({ number, block, receipts }, VERIFICATION);
    if (!("block" in proven)) throw new RangeError(proven.message);
    return proven.block;
  });
}
