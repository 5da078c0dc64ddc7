import { z } from "zod";
import { ask, NothingIndexed, type ReadableChain } from "../../reads/snapshot.ts";
import { readTableRows } from "../../reads/status.ts";
import { type Call, endpoint } from "../endpoint.ts";
import { queryLimits } from "../limits.ts";

const blockNumber = z.int().nullable();

const chainStatus = z.strictObject({
  chain: z.string(),
  chain_id: z.int(),
  ready: z.boolean(),
  message: z.string().nullable().describe("what the indexer is busy with, or what is wrong"),
  head_block: blockNumber.describe("newest block of the chain; null when no indexer runs in this process"),
  finalized_block: blockNumber.describe("newest block that cannot be undone; null when unknown"),
  finality: z.union([
    z.strictObject({ kind: z.literal("tag") }),
    z.strictObject({ kind: z.literal("depth"), blocks: z.int() }),
  ]),
  first_block: blockNumber,
  indexed_block: blockNumber,
  indexed_timestamp: z.int().nullable().describe("unix seconds"),
  lag_blocks: z.int().nullable(),
  lag_seconds: z.int().nullable().describe("age of the newest indexed block"),
  rows: z.record(z.string(), z.int()).describe("rows of each table up to indexed_block"),
});

export const status = endpoint({
  name: "getStatus",
  methods: ["GET"],
  path: "/v1/status",
  summary: "What is indexed of each chain, and how far it is behind.",
  parameters: {},
  answer: z.strictObject({ chains: z.array(chainStatus) }),
  example: {
    parameters: {},
    answer: {
      chains: [
        {
          chain: "eth",
          chain_id: 1,
          ready: true,
          message: null,
          head_block: 17686121,
          finalized_block: 17686057,
          finality: { kind: "tag" },
          first_block: 17686110,
          indexed_block: 17686121,
          indexed_timestamp: 1689280259,
          lag_blocks: 0,
          lag_seconds: 12,
          rows: { blocks: 12, transactions: 2258, logs: 5116 },
        },
      ],
    },
  },
  cost: "read",
  async handle(_values, call) {
    const chains = await Promise.all(call.reader.chains.map((readable) => statusOf(readable, call)));
    return { body: { chains }, asOf: null };
  },
});

async function statusOf({ chain }: ReadableChain, call: Call): Promise<z.infer<typeof chainStatus>> {
  const state = call.indexing(chain.name);
  const indexed = await readIndexed(chain.name, call);
  const newest = indexed?.asOf ?? null;
  return {
    chain: chain.name,
    chain_id: chain.chainId,
    ready: newest !== null && state?.ready !== false,
    message: state?.message ?? null,
    head_block: state?.head ?? null,
    finalized_block: state?.finalized ?? null,
    finality: chain.finality,
    first_block: newest?.firstBlock ?? null,
    indexed_block: newest?.blockNumber ?? null,
    indexed_timestamp: newest?.timestamp ?? null,
    lag_blocks: newest && state?.head != null ? Math.max(0, state.head - newest.blockNumber) : null,
    lag_seconds: newest && Math.max(0, call.now - newest.timestamp),
    rows: indexed?.answer ?? {},
  };
}

async function readIndexed(chain: string, { reader, limits, signal }: Call) {
  try {
    return await ask(reader, { chain, limits: queryLimits(limits, signal), read: readTableRows });
  } catch (error) {
    if (error instanceof NothingIndexed) return null;
    throw error;
  }
}
